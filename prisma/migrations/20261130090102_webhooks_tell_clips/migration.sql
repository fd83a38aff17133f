-- AlterTable
ALTER TABLE "notification_webhooks" ADD COLUMN     "tells_clips" BOOLEAN NOT NULL DEFAULT false;

-- Delivers a stored clip. `unused` lists the files that no row references any more. `wakes_line`
-- tells whether a place is free and an entry waits for one.
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
  IF is_taken THEN
    -- Only where somebody hears it.
    PERFORM write_event('clip.delivered', videos.id)
      FROM videos JOIN notification_webhooks ON notification_webhooks.user_id = videos.user_id
      WHERE videos.id = ended.video_id AND tells_clips AND stopped_at IS NULL;
    PERFORM count_end(ended, true);
  END IF;
  wakes_line := someone_is_next();
END $$;
