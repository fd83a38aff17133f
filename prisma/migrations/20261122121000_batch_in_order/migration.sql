-- A batch is shown prompt by prompt, whatever became of each.
CREATE INDEX "videos_batch_place_idx" ON "videos" ("batch_id", "batch_position") WHERE "batch_id" IS NOT NULL;
