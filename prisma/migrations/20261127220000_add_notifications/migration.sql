-- CreateEnum
CREATE TYPE "notification_channel" AS ENUM ('email', 'webhook');

-- CreateEnum
CREATE TYPE "notification_state" AS ENUM ('waiting', 'sent', 'failed', 'dropped');

-- CreateTable
CREATE TABLE "notification_emails" (
    "user_id" UUID NOT NULL,
    "address" TEXT,
    "asked_address" TEXT,
    "token_hash" BYTEA,
    "token_until" TIMESTAMPTZ(3),

    CONSTRAINT "notification_emails_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "notification_webhooks" (
    "user_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "secret_cipher" BYTEA NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_webhooks_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "channel" "notification_channel" NOT NULL,
    "batch_id" UUID,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "state" "notification_state" NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "sending_until" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "answer" SMALLINT,
    "problem" TEXT,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "notification_emails_token_hash_key" ON "notification_emails"("token_hash");

-- CreateIndex
CREATE INDEX "notifications_user_id_at_idx" ON "notifications"("user_id", "at");

-- CreateIndex
CREATE INDEX "notifications_at_idx" ON "notifications"("at");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_batch_id_channel_key" ON "notifications"("batch_id", "channel");

-- AddForeignKey
ALTER TABLE "notification_emails" ADD CONSTRAINT "notification_emails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_webhooks" ADD CONSTRAINT "notification_webhooks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What waits to be sent: few rows, however many have been.
CREATE INDEX "notifications_waiting_idx" ON "notifications"("user_id", "channel", "next_try_at") WHERE state = 'waiting';
