-- AlterTable
ALTER TABLE "load_peaks" ADD COLUMN     "sold" INTEGER NOT NULL DEFAULT 0;
