-- CreateEnum
CREATE TYPE "draft_kind" AS ENUM ('single', 'bulk');

-- CreateTable
CREATE TABLE "drafts" (
    "user_id" UUID NOT NULL,
    "kind" "draft_kind" NOT NULL,
    "text" TEXT NOT NULL,
    "negative_prompt" TEXT NOT NULL,
    "aspect_ratio" "aspect_ratio" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "drafts_pkey" PRIMARY KEY ("user_id","kind")
);

-- AddForeignKey
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Why a batch's videos failed, for its summary.
CREATE INDEX "videos_batch_failed_idx" ON "videos" ("batch_id") WHERE "batch_id" IS NOT NULL AND "status" = 'error';
