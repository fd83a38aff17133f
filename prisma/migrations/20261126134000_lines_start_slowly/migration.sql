-- AlterTable
ALTER TABLE "provider_gates" ADD COLUMN     "room" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "seen" TEXT;

-- AlterTable
ALTER TABLE "provider_failures" ADD COLUMN     "line_passed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "others_passed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "scope" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "subject" TEXT,
ADD COLUMN     "tries" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "provider_settings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "digest" TEXT NOT NULL,

    CONSTRAINT "provider_settings_pkey" PRIMARY KEY ("id")
);

-- locks: the table has the failures since the last success, a few rows
CREATE UNIQUE INDEX "provider_failures_kind_scope_subject_key" ON "provider_failures"("kind", "scope", "subject");
