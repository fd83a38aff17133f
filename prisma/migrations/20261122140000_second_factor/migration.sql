-- What sign-in asks for besides the password: an authenticator app, or one of ten codes for the day it
-- is lost.
CREATE TABLE "second_factors" (
    "user_id" UUID NOT NULL,
    "secret_cipher" BYTEA NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER NOT NULL,

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "recovery_codes" (
    "user_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id","code_hash")
);

ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "second_factors"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
