-- The next round looks at what its batch has sent lately.
CREATE INDEX "attempts_batch_sent_idx" ON "attempts" ("batch_id", "sent_at" DESC) WHERE "batch_id" IS NOT NULL;
-- And at what was released and is not yet being sent.
CREATE INDEX "attempts_batch_queued_idx" ON "attempts" ("batch_id") WHERE "state" = 'queued' AND "batch_id" IS NOT NULL;
