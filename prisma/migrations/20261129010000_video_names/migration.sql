-- AlterTable
ALTER TABLE "videos" ADD COLUMN     "clip_name" TEXT;

-- AlterTable
ALTER TABLE "carried_prompts" ADD COLUMN     "clip_name" TEXT;
