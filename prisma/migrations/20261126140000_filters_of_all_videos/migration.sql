-- AlterTable
ALTER TABLE "batches" ADD COLUMN     "gather_filter" JSONB;

-- AlterTable
ALTER TABLE "mass_changes" ADD COLUMN     "filter" JSONB;
