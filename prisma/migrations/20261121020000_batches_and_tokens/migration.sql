-- CreateEnum
CREATE TYPE "batch_kind" AS ENUM ('bulk', 'retry', 'regeneration');

-- CreateEnum
CREATE TYPE "batch_status" AS ENUM ('processing', 'completed', 'cancelled');

-- CreateEnum
CREATE TYPE "credential_state" AS ENUM ('ok', 'cooling', 'dead');

-- AlterTable
ALTER TABLE "attempts" ADD COLUMN     "batch_id" UUID,
ADD COLUMN     "credential_id" UUID,
ADD COLUMN     "late" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "line_entries" ADD COLUMN     "batch_id" UUID;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "credential_id" UUID;

-- AlterTable
ALTER TABLE "videos" ADD COLUMN     "awaits_round" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "batch_id" UUID,
ADD COLUMN     "batch_position" INTEGER;

-- CreateTable
CREATE TABLE "batches" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" "batch_kind" NOT NULL,
    "status" "batch_status" NOT NULL DEFAULT 'processing',
    "total_videos" INTEGER NOT NULL,
    "completed_videos" INTEGER NOT NULL DEFAULT 0,
    "failed_videos" INTEGER NOT NULL DEFAULT 0,
    "cancelled_videos" INTEGER NOT NULL DEFAULT 0,
    "speed_limit" INTEGER NOT NULL,
    "delay_seconds" INTEGER NOT NULL,
    "round_no" INTEGER NOT NULL DEFAULT 0,
    "next_round_at" TIMESTAMPTZ(6),
    "gathered_to" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "batches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rounds" (
    "batch_id" UUID NOT NULL,
    "round_no" INTEGER NOT NULL,
    "fired_at" TIMESTAMPTZ(6) NOT NULL,
    "size" INTEGER NOT NULL,

    CONSTRAINT "rounds_pkey" PRIMARY KEY ("batch_id","round_no")
);

-- CreateTable
CREATE TABLE "credentials" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "account_scope" TEXT NOT NULL,
    "secret_cipher" BYTEA NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "mask" TEXT NOT NULL,
    "state" "credential_state" NOT NULL DEFAULT 'ok',
    "cool_until" TIMESTAMPTZ(3),
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "pool_position" INTEGER,
    "last_assigned_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "last_error_at" TIMESTAMPTZ(3),
    "successes" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_gates" (
    "scope" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "closed_until" TIMESTAMPTZ(3) NOT NULL,
    "probe_ms" INTEGER NOT NULL,
    "strikes" INTEGER NOT NULL DEFAULT 1,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_gates_pkey" PRIMARY KEY ("scope")
);

-- CreateTable
CREATE TABLE "provider_failures" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "credential_id" UUID,
    "failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_failures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invariant_checks" (
    "name" TEXT NOT NULL,
    "violations" INTEGER NOT NULL,
    "sample" JSONB,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invariant_checks_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "quota_adjustments" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "units" INTEGER NOT NULL,
    "month_units" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quota_adjustments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "batches_user_id_created_at_idx" ON "batches"("user_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "credentials_fingerprint_key" ON "credentials"("fingerprint");

-- CreateIndex
CREATE INDEX "provider_failures_failed_at_idx" ON "provider_failures"("failed_at");

-- CreateIndex
CREATE INDEX "quota_adjustments_user_id_day_idx" ON "quota_adjustments"("user_id", "day");

-- CreateIndex
CREATE INDEX "attempts_account_scope_created_at_idx" ON "attempts"("account_scope", "created_at");

-- CreateIndex
CREATE INDEX "users_credential_id_idx" ON "users"("credential_id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_credential_id_fkey" FOREIGN KEY ("credential_id") REFERENCES "credentials"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rounds" ADD CONSTRAINT "rounds_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "line_entries" ADD CONSTRAINT "line_entries_video_id_fkey" FOREIGN KEY ("video_id") REFERENCES "videos"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- From here on: what the schema language cannot say.

-- One processing batch a user (Q-8); an administrator's regenerations run beside his own.
CREATE UNIQUE INDEX "batches_one_processing_idx" ON "batches" ("user_id")
  WHERE "status" = 'processing' AND "kind" <> 'regeneration';
CREATE INDEX "batches_due_idx" ON "batches" ("next_round_at") WHERE "status" = 'processing';
ALTER TABLE "batches"
  ADD CONSTRAINT "batches_pace_check" CHECK ("speed_limit" >= 1 AND "delay_seconds" BETWEEN 0 AND 180),
  ADD CONSTRAINT "batches_counts_check" CHECK ("completed_videos" + "failed_videos" + "cancelled_videos" <= "total_videos");

-- What waits for its round, in the order of its batch.
CREATE INDEX "videos_round_idx" ON "videos" ("batch_id", "batch_position") WHERE "awaits_round";
CREATE INDEX "line_entries_batch_idx" ON "line_entries" ("batch_id") WHERE "batch_id" IS NOT NULL;

-- The pool: whose turn it is, and one token a place.
CREATE INDEX "credentials_pool_idx" ON "credentials" ("last_assigned_at" NULLS FIRST, "pool_position") WHERE "pool_position" IS NOT NULL;
CREATE UNIQUE INDEX "credentials_pool_position_key" ON "credentials" ("pool_position") WHERE "pool_position" IS NOT NULL;
CREATE UNIQUE INDEX "credentials_default_key" ON "credentials" ("is_default") WHERE "is_default";

-- How long clips took lately: the newest deliveries.
CREATE INDEX "attempts_done_idx" ON "attempts" ("settled_at" DESC) WHERE "state" = 'done';
