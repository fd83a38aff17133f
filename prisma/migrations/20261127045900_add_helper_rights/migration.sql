-- CreateTable
CREATE TABLE "helper_rights" (
    "user_id" UUID NOT NULL,
    "rights" TEXT[] NOT NULL,
    "confirm_up_to" INTEGER,
    "confirm_currency" TEXT,
    "regenerate_per_day" INTEGER NOT NULL,
    "used_on" DATE,
    "used" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "helper_rights_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "helper_requests" (
    "id" UUID NOT NULL,
    "helper_id" UUID NOT NULL,
    "helper_name" TEXT NOT NULL,
    "customer_id" UUID NOT NULL,
    "count" INTEGER NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "is_approved" BOOLEAN,

    CONSTRAINT "helper_requests_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "helper_rights" ADD CONSTRAINT "helper_rights_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
