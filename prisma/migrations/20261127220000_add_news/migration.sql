-- CreateEnum
CREATE TYPE "news_channel" AS ENUM ('email', 'webhook');

-- CreateEnum
CREATE TYPE "news_state" AS ENUM ('waiting', 'sent', 'failed', 'dropped');

-- CreateTable
CREATE TABLE "news_emails" (
    "user_id" UUID NOT NULL,
    "address" TEXT,
    "asked_address" TEXT,
    "token_hash" BYTEA,
    "token_until" TIMESTAMPTZ(3),

    CONSTRAINT "news_emails_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "news_webhooks" (
    "user_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "secret_cipher" BYTEA NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "news_webhooks_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "news_messages" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "channel" "news_channel" NOT NULL,
    "batch_id" UUID,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "state" "news_state" NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "sending_until" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "answer" SMALLINT,
    "problem" TEXT,

    CONSTRAINT "news_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "news_emails_token_hash_key" ON "news_emails"("token_hash");

-- CreateIndex
CREATE INDEX "news_messages_user_id_at_idx" ON "news_messages"("user_id", "at");

-- CreateIndex
CREATE INDEX "news_messages_at_idx" ON "news_messages"("at");

-- CreateIndex
CREATE UNIQUE INDEX "news_messages_batch_id_channel_key" ON "news_messages"("batch_id", "channel");

-- AddForeignKey
ALTER TABLE "news_emails" ADD CONSTRAINT "news_emails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "news_webhooks" ADD CONSTRAINT "news_webhooks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "news_messages" ADD CONSTRAINT "news_messages_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What waits to be sent: few rows, however many have been.
CREATE INDEX "news_waiting_idx" ON "news_messages"("user_id", "channel", "next_try_at") WHERE state = 'waiting';
