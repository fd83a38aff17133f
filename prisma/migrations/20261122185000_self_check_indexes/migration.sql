-- The self-check runs every minute. What it looks for is rare or not there at all, so these are all but
-- empty, and without them it reads every video and every attempt.
CREATE INDEX "videos_completed_without_file_idx" ON "videos" ("id")
  WHERE "status" = 'completed' AND ("file_key" IS NULL OR "file_sha256" IS NULL OR "file_bytes" IS NULL);
CREATE INDEX "attempts_orphaned_idx" ON "attempts" ("video_id", "generation") WHERE "state" = 'orphaned';
