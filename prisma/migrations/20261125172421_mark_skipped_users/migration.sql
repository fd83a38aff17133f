-- AlterTable
ALTER TABLE "bulk_change_users" ADD COLUMN     "is_skipped" BOOLEAN NOT NULL DEFAULT false;
