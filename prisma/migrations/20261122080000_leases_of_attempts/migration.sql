-- Who runs a step of an attempt, as the id of a worker process. Leases that ran under the old column
-- end with their due_at.
ALTER TABLE "attempts" DROP COLUMN "lease_pool",
  ADD COLUMN "lease_holder" UUID,
  ADD COLUMN "sent_by" TIMESTAMPTZ(6),
  ADD COLUMN "lost_at" TIMESTAMPTZ(3),
  ADD COLUMN "fetch_tries" INTEGER NOT NULL DEFAULT 0;
UPDATE "attempts" SET "sent_by" = "sent_at" WHERE "ref" IS NOT NULL;
UPDATE "attempts" SET "lost_at" = "sent_at" WHERE "state" = 'unknown';

-- Whoever looks for attempts that nobody has looked after reads the first rows of this.
CREATE INDEX "attempts_due_idx" ON "attempts" ("due_at")
  WHERE "state" IN ('queued', 'submitting', 'submitted', 'fetching', 'unknown');

-- One order belongs to one attempt. A provider that answered with the same id twice: the first has it.
UPDATE "attempts" SET "ref" = NULL,
  "acceptance" = CASE WHEN "state" IN ('submitted', 'fetching') THEN 'accepted' ELSE "acceptance" END,
  "lost_at" = CASE WHEN "state" IN ('submitted', 'fetching') THEN "sent_at" ELSE "lost_at" END,
  "lease_token" = CASE WHEN "state" IN ('submitted', 'fetching') THEN NULL ELSE "lease_token" END,
  "state" = CASE WHEN "state" IN ('submitted', 'fetching') THEN 'unknown'::attempt_state ELSE "state" END
WHERE "id" IN (
  SELECT "id" FROM (
    SELECT "id", row_number() OVER (PARTITION BY "account_scope", "ref"->>'id' ORDER BY "created_at", "id") AS "place"
    FROM "attempts" WHERE "ref" IS NOT NULL) AS "orders"
  WHERE "place" > 1);
CREATE UNIQUE INDEX "attempts_order_key" ON "attempts" ("account_scope", ("ref"->>'id')) WHERE "ref" IS NOT NULL;

-- When a way was closed last. An attempt that was handed over before does not go out after it.
ALTER TABLE "provider_gates" RENAME COLUMN "opened_at" TO "closed_at";

DROP TABLE "worker_leases";
CREATE TABLE "worker_processes" (
  "id" UUID NOT NULL,
  "host" TEXT NOT NULL,
  "boot_id" TEXT NOT NULL,
  "pid_namespace" TEXT NOT NULL,
  "pid" INTEGER NOT NULL,
  "pools" TEXT[] NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "beat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "worker_processes_pkey" PRIMARY KEY ("id")
);
