-- What each rule of app/domain/retention.server.ts has removed, and since when it has been in force.
CREATE TABLE "retention" (
    "name" TEXT NOT NULL,
    "days" INTEGER,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "removed" BIGINT NOT NULL DEFAULT 0,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "retention_pkey" PRIMARY KEY ("name")
);

-- A video that came back from the trash is kept for its days once more.
ALTER TABLE "videos" ADD COLUMN "restored_at" TIMESTAMPTZ(3);
-- Returned units of a day whose lines have been removed from the ledger.
ALTER TABLE "quota_days" ADD COLUMN "removed_returned" INTEGER NOT NULL DEFAULT 0;

-- From here on: what the schema language cannot say.

-- The oldest rows of each kind, for their removal. Delivered attempts have an index by their end already.
CREATE INDEX "videos_kept_idx" ON "videos" ((greatest("created_at", "completed_at", "restored_at")))
  WHERE "deleted_at" IS NULL AND "status" IN ('completed', 'error');
CREATE INDEX "attempts_in_vain_idx" ON "attempts" ("settled_at") WHERE "state" IN ('failed', 'abandoned');
CREATE INDEX "quota_charges_day_idx" ON "quota_charges" ("day");
CREATE INDEX "rounds_fired_at_idx" ON "rounds" ("fired_at");
