-- CreateEnum
CREATE TYPE "film_state" AS ENUM ('waiting', 'working', 'ready', 'failed');

-- CreateTable
CREATE TABLE "films" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "aspect_ratio" "aspect_ratio" NOT NULL,
    "state" "film_state" NOT NULL DEFAULT 'waiting',
    "clips_done" SMALLINT NOT NULL DEFAULT 0,
    "run" UUID,
    "runs" SMALLINT NOT NULL DEFAULT 0,
    "touched_at" TIMESTAMPTZ(3) NOT NULL,
    "file_key" TEXT,
    "poster_key" TEXT,
    "file_bytes" INTEGER,
    "file_sha256" TEXT,
    "duration_ms" INTEGER,
    "lost_sound" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "films_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "film_clips" (
    "film_id" UUID NOT NULL,
    "place" SMALLINT NOT NULL,
    "video_id" UUID NOT NULL,
    "prompt" TEXT NOT NULL,

    CONSTRAINT "film_clips_pkey" PRIMARY KEY ("film_id","place")
);

-- CreateIndex
CREATE INDEX "films_user_id_created_at_idx" ON "films"("user_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "films_ended_at_idx" ON "films"("ended_at");

-- AddForeignKey
ALTER TABLE "films" ADD CONSTRAINT "films_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "film_clips" ADD CONSTRAINT "film_clips_film_id_fkey" FOREIGN KEY ("film_id") REFERENCES "films"("id") ON DELETE CASCADE ON UPDATE CASCADE;
