-- CreateTable
CREATE TABLE "trail_entries" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_id" UUID NOT NULL,
    "actor_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject_kind" TEXT,
    "subject_id" UUID,
    "subject_name" TEXT,
    "before" JSONB,
    "after" JSONB,
    "count" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "trail_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "trail_entries_at_id_idx" ON "trail_entries"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "trail_entries_actor_id_at_idx" ON "trail_entries"("actor_id", "at" DESC);

-- CreateIndex
CREATE INDEX "trail_entries_subject_id_at_idx" ON "trail_entries"("subject_id", "at" DESC);

-- CreateIndex
CREATE INDEX "trail_entries_action_at_idx" ON "trail_entries"("action", "at" DESC);
