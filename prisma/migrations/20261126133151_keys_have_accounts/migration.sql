-- AlterTable
-- locks: a table of keys has some hundred rows
ALTER TABLE "credentials" ADD COLUMN     "account" TEXT,
ADD COLUMN     "cost_per_video" DECIMAL(12,4),
ADD COLUMN     "death" TEXT,
ADD COLUMN     "died_at" TIMESTAMPTZ(3),
ADD COLUMN     "is_placed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "label" TEXT,
ADD COLUMN     "last_four" TEXT,
ADD COLUMN     "may_ask" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "note" TEXT,
ADD COLUMN     "number" SERIAL NOT NULL,
ADD COLUMN     "paid_until" DATE,
ADD COLUMN     "refusals" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refused_at" TIMESTAMPTZ(3),
ADD COLUMN     "refused_video_id" UUID,
ADD COLUMN     "removal_id" UUID;

-- CreateTable
CREATE TABLE "key_removals" (
    "id" UUID NOT NULL,
    "actor_id" UUID NOT NULL,
    "actor_name" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "keys" JSONB NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "key_removals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credential_days" (
    "credential_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "orders" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "credential_days_pkey" PRIMARY KEY ("credential_id","day")
);

-- CreateIndex
CREATE INDEX "key_removals_removed_at_idx" ON "key_removals"("removed_at");

-- CreateIndex
-- locks: a table of keys has some hundred rows
CREATE INDEX "credentials_account_idx" ON "credentials"("account");

-- Trigger credentials_account: a version that does not know accounts adds keys without one. Until the
-- key is placed, its account is the whole scope, as that version assumes.
CREATE OR REPLACE FUNCTION default_key_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.account := coalesce(NEW.account, NEW.account_scope);
  RETURN NEW;
END $$;

CREATE TRIGGER credentials_account BEFORE INSERT ON credentials
  FOR EACH ROW EXECUTE FUNCTION default_key_account();

-- The next start of a worker places the existing keys as TOKEN_ACCOUNTS says. Until then all keys of a
-- server are one account, as before.
-- locks: a table of keys has some hundred rows
UPDATE "credentials" SET "account" = "account_scope";
-- locks: a table of keys has some hundred rows
ALTER TABLE "credentials" ALTER COLUMN "account" SET NOT NULL;
