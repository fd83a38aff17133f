-- AlterTable
ALTER TABLE "events" ADD COLUMN     "heard_by" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
