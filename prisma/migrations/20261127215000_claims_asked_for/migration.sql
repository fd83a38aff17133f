-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "asked_by" TEXT;
