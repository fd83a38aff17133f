-- A regeneration that was stopped is no failure of the clip that is there: no code, and words of its own
-- (REGENERATION_STOPPED in app/domain/videos/rules.ts).
CREATE OR REPLACE FUNCTION fail_generation(ended attempts, code text, message text, singles_cap int, everything_cap int)
RETURNS boolean LANGUAGE plpgsql
  SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  PERFORM lock_for_ending(ended);
  UPDATE videos SET
    status = CASE WHEN file_key IS NULL THEN 'error'::video_status ELSE 'completed' END,
    error_code = CASE WHEN file_key IS NULL OR code <> 'cancelled' THEN code END,
    error_message = CASE WHEN file_key IS NULL THEN message
      WHEN code = 'cancelled' THEN 'Regeneration stopped. Nothing was charged.'
      ELSE 'Last regeneration failed: ' || message END
  WHERE id = ended.video_id AND generation = ended.generation AND deleted_at IS NULL;
  PERFORM settle_charges(ARRAY[ended.video_id], ARRAY[ended.generation], 'returned');
  IF ended.batch_id IS NOT NULL THEN
    PERFORM tally_in_batch(ended.batch_id, 0, (code <> 'cancelled')::int, (code = 'cancelled')::int);
  END IF;
  PERFORM admit_waiting(ended.user_id, singles_cap, everything_cap);
  RETURN someone_is_next();
END $$;
