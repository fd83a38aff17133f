-- AlterTable
ALTER TABLE "batches" ADD COLUMN     "charged_units" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "name" TEXT;

-- AlterTable
ALTER TABLE "videos" ADD COLUMN     "home_batch_id" UUID,
ADD COLUMN     "home_position" INTEGER;

-- The videos of a batch that another batch has ordered since. No row is in it yet.
-- locks: the index is empty, so that only the table is read once, a million rows in a second
CREATE INDEX "videos_home_idx" ON "videos" ("home_batch_id", "home_position") WHERE "home_batch_id" IS NOT NULL;

-- What was delivered so far, which differs only for videos that were deleted while they were made.
-- locks: a row per batch, of which a user has a few a day
UPDATE "batches" SET "charged_units" = "completed_videos" WHERE "completed_videos" > 0;

CREATE OR REPLACE FUNCTION complete_generation(ended attempts, clip jsonb, singles_cap int, everything_cap int,
  OUT unused text[], OUT wakes_line boolean) LANGUAGE plpgsql
  SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  old_file text;
  old_poster text;
  is_taken boolean;
BEGIN
  PERFORM lock_for_ending(ended);
  WITH before AS (
    SELECT id, file_key, poster_key FROM videos
    WHERE id = ended.video_id AND generation = ended.generation AND deleted_at IS NULL FOR UPDATE
  )
  UPDATE videos SET status = 'completed', error_code = NULL, error_message = NULL,
    completed_at = engine_now(), file_key = clip->>'fileKey', poster_key = clip->>'posterKey',
    file_bytes = (clip->>'bytes')::bigint, file_sha256 = clip->>'sha256',
    file_crc32 = (clip->>'crc32')::bigint, duration_ms = (clip->>'durationMs')::int
  FROM before WHERE videos.id = before.id
  RETURNING before.file_key, before.poster_key INTO old_file, old_poster;
  is_taken := FOUND;
  -- A video that was deleted or regenerated meanwhile does not take the clip. Otherwise the clip
  -- replaces the video's earlier one.
  unused := array_remove(CASE WHEN is_taken THEN ARRAY[old_file, old_poster]
    ELSE ARRAY[clip->>'fileKey', clip->>'posterKey'] END, NULL);
  PERFORM settle_charges(ARRAY[ended.video_id], ARRAY[ended.generation], 'charged');
  IF ended.batch_id IS NOT NULL AND NOT ended.late THEN
    UPDATE batches SET charged_units = charged_units + 1 WHERE id = ended.batch_id;
    PERFORM tally_in_batch(ended.batch_id, is_taken::int, 0, (NOT is_taken)::int);
  END IF;
  PERFORM admit_waiting(ended.user_id, singles_cap, everything_cap);
  wakes_line := someone_is_next();
END $$;
