-- AlterEnum
ALTER TYPE "news_channel" ADD VALUE 'push';

-- AlterTable
ALTER TABLE "news_messages" ADD COLUMN     "told" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[];

-- CreateTable
CREATE TABLE "news_pushes" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "device" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "told_at" TIMESTAMPTZ(3),

    CONSTRAINT "news_pushes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_keys" (
    "id" UUID NOT NULL,
    "public_key" TEXT NOT NULL,
    "secret_cipher" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "news_pushes_session_id_key" ON "news_pushes"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "news_pushes_endpoint_key" ON "news_pushes"("endpoint");

-- CreateIndex
CREATE INDEX "news_pushes_user_id_idx" ON "news_pushes"("user_id");

-- AddForeignKey
ALTER TABLE "news_pushes" ADD CONSTRAINT "news_pushes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
