-- What a self-registered account was given, and where it came from: it is a trial while the account
-- still has exactly that.
CREATE TABLE "trials" (
    "user_id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "video_limit" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trials_pkey" PRIMARY KEY ("user_id")
);

ALTER TABLE "trials" ADD CONSTRAINT "trials_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Orders of trial accounts a day: of each network, and of the whole platform (network '').
CREATE TABLE "trial_days" (
    "day" DATE NOT NULL,
    "network" TEXT NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "trial_days_pkey" PRIMARY KEY ("day", "network")
);
