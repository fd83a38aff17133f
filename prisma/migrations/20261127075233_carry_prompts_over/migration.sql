-- AlterTable
ALTER TABLE "batches" ADD COLUMN     "carries_at" TIMESTAMPTZ(3),
ADD COLUMN     "days_run" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "carried_prompts" (
    "id" UUID NOT NULL,
    "batch_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "prompt" TEXT NOT NULL,
    "negative_prompt" TEXT,
    "aspect_ratio" "aspect_ratio" NOT NULL,

    CONSTRAINT "carried_prompts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "carried_prompts_batch_id_position_key" ON "carried_prompts"("batch_id", "position");

-- AddForeignKey
ALTER TABLE "carried_prompts" ADD CONSTRAINT "carried_prompts_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Found by the sweep, however many prompts wait.
-- locks: batches are few, and no row is in the index yet.
CREATE INDEX "batches_carries_at_idx" ON "batches" ("carries_at") WHERE "carries_at" IS NOT NULL;

-- Ends a batch, unless it has ended already, and returns whether it did. Whatever ends a batch calls
-- this.
CREATE OR REPLACE FUNCTION end_batch(batch uuid, outcome batch_status) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batches SET status = outcome, next_round_at = NULL, carries_at = NULL, gathered_to = NULL,
    finished_at = engine_now()
  WHERE id = batch AND status = 'processing';
  RETURN FOUND;
END $$;
