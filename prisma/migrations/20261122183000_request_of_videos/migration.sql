-- The request that ordered a video last: the log of every step names it.
ALTER TABLE "videos" ADD COLUMN "request_id" TEXT;
