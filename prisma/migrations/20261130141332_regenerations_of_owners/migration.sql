-- Puts a video back into the line, held for `after_ms` milliseconds. If its batch was cancelled or
-- stopped, the video deleted or its user disabled meanwhile, the generation ends as cancelled
-- instead. The locks keep another transaction from disabling or cancelling between the check and the
-- write.
--
-- An order that was never accepted still counts in its round. If a later round has fired before this
-- was known, the video awaits a round again, so that it is not sent beside another one
-- (docs/decisions/0099-late-orders-await-a-round.md). `revived_round` is the round of a batch that
-- had none left; its job has to be added. While the batch is paused, whatever comes back awaits a round.
CREATE OR REPLACE FUNCTION requeue_generation(ended attempts, after_ms float, reason text, cancel_message text,
  singles_cap int, everything_cap int, OUT is_back boolean, OUT wakes_line boolean, OUT revived_round int)
LANGUAGE plpgsql SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  is_late boolean;
BEGIN
  PERFORM 1 FROM users WHERE id = ended.user_id AND is_active AND deleted_at IS NULL FOR KEY SHARE;
  is_back := FOUND;
  PERFORM lock_for_ending(ended);
  is_late := ended.state IN ('abandoned', 'failed') AND ended.sent_by IS NULL
    AND EXISTS (SELECT 1 FROM rounds JOIN batches ON batches.id = rounds.batch_id
      WHERE batch_id = ended.batch_id AND fired_at > ended.created_at AND delay_seconds > 0)
    -- Repeats of an accepted order are not part of a round (app/domain/batches/round-conditions.server.ts).
    AND NOT EXISTS (SELECT 1 FROM attempts AS earlier
      WHERE earlier.video_id = ended.video_id AND earlier.generation = ended.generation AND earlier.n < ended.n
        AND ((earlier.state = 'failed' AND earlier.sent_by IS NOT NULL) OR earlier.state = 'orphaned'))
    OR EXISTS (SELECT 1 FROM batches WHERE id = ended.batch_id AND paused_at IS NOT NULL);
  IF is_back THEN
    UPDATE videos SET status = 'pending', awaits_round = is_late
      WHERE id = ended.video_id AND generation = ended.generation AND deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM batches
          WHERE id = ended.batch_id AND (status = 'cancelled' OR stopped_at IS NOT NULL));
    is_back := FOUND;
  END IF;
  wakes_line := false;
  IF NOT is_back THEN
    wakes_line := fail_generation(ended, 'cancelled', cancel_message, singles_cap, everything_cap);
  ELSIF is_late THEN
    UPDATE batches SET next_round_at = greatest(engine_now(), make_interval(secs => delay_seconds)
        + (SELECT max(fired_at) FROM rounds WHERE rounds.batch_id = batches.id))
      WHERE id = ended.batch_id AND next_round_at IS NULL
      RETURNING round_no INTO revived_round;
    PERFORM admit_waiting(ended.user_id, singles_cap, everything_cap);
    wakes_line := someone_is_next();
  ELSE
    INSERT INTO line_entries (video_id, generation, user_id, batch_id, lane, route, state, hold_reason, wake_at,
        entered_at)
      VALUES (ended.video_id, ended.generation, ended.user_id, ended.batch_id, ended.lane,
        route_of((SELECT user_id FROM videos WHERE id = ended.video_id), ended.batch_id), 'held', reason,
        engine_now() + after_ms * interval '1 millisecond', engine_now());
  END IF;
END $$;

-- Returns the route of a video that enters the line: that of its batch, or of its owner. An administrator's
-- regeneration is of videos of several owners and has none.
CREATE OR REPLACE FUNCTION route_of(orderer uuid, batch uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT route FROM batches WHERE id = batch AND kind <> 'regeneration'),
    (SELECT route FROM users WHERE id = orderer), 'first');
END $$;
