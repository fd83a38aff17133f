-- The next round waits for every order of which nobody knows yet when the provider had it.
DROP INDEX "attempts_batch_queued_idx";
CREATE INDEX "attempts_batch_unsettled_idx" ON "attempts" ("batch_id")
  WHERE "state" IN ('queued', 'submitting', 'unknown') AND "batch_id" IS NOT NULL;
