-- CreateEnum
CREATE TYPE "payment_state" AS ENUM ('claimed', 'confirmed', 'rejected', 'refunded');

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "user_id" UUID,
    "username" TEXT NOT NULL,
    "plan" "plan_name" NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "reference" TEXT,
    "reference_key" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "note" TEXT,
    "picture_hash" TEXT,
    "recorded_by" TEXT,
    "state" "payment_state" NOT NULL,
    "reason" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decided_by" TEXT,
    "change_id" UUID,
    "period_from" TIMESTAMPTZ(3),
    "period_to" TIMESTAMPTZ(3),
    "refunded" INTEGER NOT NULL DEFAULT 0,
    "is_repeat_seen" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_pictures" (
    "payment_id" UUID NOT NULL,
    "bytes" BYTEA NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_pictures_pkey" PRIMARY KEY ("payment_id")
);

-- CreateIndex
CREATE INDEX "payments_received_at_id_idx" ON "payments"("received_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_state_received_at_id_idx" ON "payments"("state", "received_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_user_id_received_at_idx" ON "payments"("user_id", "received_at" DESC);

-- CreateIndex
CREATE INDEX "payments_username_received_at_idx" ON "payments"("username", "received_at" DESC);

-- CreateIndex
CREATE INDEX "payments_decided_at_idx" ON "payments"("decided_at");

-- CreateIndex
CREATE INDEX "payments_reference_key_idx" ON "payments"("reference_key");

-- CreateIndex
CREATE INDEX "payments_picture_hash_idx" ON "payments"("picture_hash");

-- CreateIndex
CREATE UNIQUE INDEX "payments_change_id_user_id_key" ON "payments"("change_id", "user_id");

-- CreateIndex
CREATE INDEX "payment_pictures_added_at_idx" ON "payment_pictures"("added_at");

-- AddForeignKey
ALTER TABLE "payment_pictures" ADD CONSTRAINT "payment_pictures_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "payments"
  ADD CONSTRAINT "payments_money" CHECK ("amount" > 0 AND "refunded" BETWEEN 0 AND "amount" AND "currency" ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "payments_state" CHECK (CASE "state"
    WHEN 'claimed' THEN "decided_at" IS NULL AND "change_id" IS NULL AND "refunded" = 0
    WHEN 'rejected' THEN "decided_at" IS NOT NULL AND "reason" IS NOT NULL AND "refunded" = 0
    ELSE "decided_at" IS NOT NULL AND "user_id" IS NOT NULL AND "change_id" IS NOT NULL AND "period_from" IS NOT NULL
      AND ("state" = 'refunded') = ("refunded" > 0) AND ("state" = 'confirmed' OR "reason" IS NOT NULL)
  END);

-- A number has one open claim.
CREATE UNIQUE INDEX "payments_open_claim_key" ON "payments" ("username") WHERE "state" = 'claimed';

-- A reference, and a picture, counts once. Another payment with it has been seen to repeat it.
CREATE UNIQUE INDEX "payments_reference_once_key" ON "payments" ("reference_key")
  WHERE "state" IN ('confirmed', 'refunded') AND NOT "is_repeat_seen";
CREATE UNIQUE INDEX "payments_picture_once_key" ON "payments" ("picture_hash")
  WHERE "state" IN ('confirmed', 'refunded') AND NOT "is_repeat_seen";
