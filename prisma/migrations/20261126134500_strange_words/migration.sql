-- AlterTable
ALTER TABLE "attempts" ADD COLUMN     "gone_tries" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "strange_words" (
    "word" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "strange_words_pkey" PRIMARY KEY ("word")
);
