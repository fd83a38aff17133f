-- How an order ends. app/domain/videos/engine/settle.server.ts calls these functions with the row of
-- an attempt that it has just ended. They run once per order, so they are planned once per
-- connection instead of at each call, and always with look-ups by index, however small the tables
-- were at that time.

-- Takes the locks of an order's end, in the order of docs/decisions/0013-lock-order.md.
CREATE OR REPLACE FUNCTION lock_for_ending(ended attempts) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM galleries
    WHERE user_id = (SELECT user_id FROM videos WHERE id = ended.video_id) FOR UPDATE;
  PERFORM 1 FROM batches WHERE id = ended.batch_id FOR NO KEY UPDATE;
END $$;

-- Closes the gaps in a user's line, and starts its first batch unless one is running: its prompts get
-- units at once. Whoever calls this, or adds to the line, has locked the user's gallery, so that no batch
-- waits behind none.
CREATE OR REPLACE FUNCTION move_up_line(orderer uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  started uuid;
BEGIN
  UPDATE batches SET status = 'processing', line_place = NULL, carries_at = engine_now(),
    speed_limit = users.speed_limit, delay_seconds = users.video_generation_speed, route = users.route,
    clip_units = users.clip_units
  FROM users
  WHERE users.id = orderer AND batches.id = (
      SELECT id FROM batches WHERE user_id = orderer AND line_place IS NOT NULL ORDER BY line_place LIMIT 1)
    AND NOT EXISTS (SELECT 1 FROM batches AS running
      WHERE running.user_id = orderer AND running.status = 'processing' AND running.kind <> 'regeneration')
  RETURNING batches.id INTO started;
  IF FOUND THEN
    PERFORM add_wake_ups(json_build_array(json_build_object('name', 'batches.carry',
      'payload', json_build_object('batchId', started), 'key', 'carry:' || started)));
  END IF;
  UPDATE batches SET line_place = waiting.place
  FROM (SELECT id, row_number() OVER (ORDER BY line_place) AS place
    FROM batches WHERE user_id = orderer AND line_place IS NOT NULL) AS waiting
  WHERE batches.id = waiting.id AND line_place <> waiting.place;
END $$;

-- Ends a batch, unless it has ended already, and returns whether it did. The line behind it moves up. One that
-- leaves the line keeps its place there (app/domain/batches/undo-removal.server.ts).
-- Whatever ends a batch calls this.
CREATE OR REPLACE FUNCTION end_batch(batch uuid, outcome batch_status) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  orderer uuid;
BEGIN
  UPDATE batches SET status = outcome, next_round_at = NULL, carries_at = NULL, line_place = NULL,
    gathered_to = NULL, finished_at = engine_now(),
    left_before = CASE WHEN status = 'queued' THEN coalesce((SELECT behind.id FROM batches AS behind
      WHERE behind.user_id = batches.user_id AND behind.line_place = batches.line_place + 1), batches.id) END
  WHERE id = batch AND status IN ('queued', 'processing')
  RETURNING CASE WHEN kind <> 'regeneration' THEN user_id END INTO orderer;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM move_up_line(orderer);
  RETURN true;
END $$;

-- Ends a batch if all its videos have ended: as cancelled if it was stopped, whichever of its videos
-- ends last.
CREATE OR REPLACE FUNCTION end_batch_if_done(batch uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM end_batch(id, CASE WHEN stopped_at IS NULL THEN 'completed' ELSE 'cancelled' END::batch_status)
  FROM batches WHERE id = batch AND status IN ('queued', 'processing') AND gathered_to IS NULL
    AND completed_videos + failed_videos + cancelled_videos >= total_videos;
END $$;

-- Counts ended videos in their batch, and ends the batch with its last one.
CREATE OR REPLACE FUNCTION tally_in_batch(batch uuid, completed int, failed int, cancelled int) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batches SET completed_videos = completed_videos + completed,
    failed_videos = failed_videos + failed, cancelled_videos = cancelled_videos + cancelled
  WHERE id = batch;
  PERFORM end_batch_if_done(batch);
END $$;

-- Records an event and adds the job in which app/domain/events hears it.
CREATE OR REPLACE FUNCTION write_event(kind text, subject uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event uuid := gen_random_uuid();
BEGIN
  INSERT INTO events (id, kind, subject_id, at) VALUES (event, write_event.kind, subject, engine_now());
  PERFORM add_wake_ups(json_build_array(json_build_object('name', 'events.hear',
    'payload', json_build_object('eventId', event), 'key', 'event ' || event)));
END $$;

-- The same as a trigger. Each trigger names its kind.
CREATE OR REPLACE FUNCTION note_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_event(TG_ARGV[0], NEW.id);
  RETURN NULL;
END $$;

-- Counts the end of a video for the overview, in one of four counters of its provider and quarter of an
-- hour. It is the last lock of an end (docs/decisions/0013-lock-order.md).
CREATE OR REPLACE FUNCTION count_end(ended attempts, is_delivered boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  quarter timestamptz := date_bin('15 minutes', engine_now(), 'epoch');
  own_slot smallint := hashtext(ended.user_id::text) & 3;
  took float := extract(epoch FROM engine_now() - coalesce(ended.sent_at, ended.created_at));
  step int := least(56, ceil(4 * log(2, greatest(1.001, took)::numeric)));
BEGIN
  INSERT INTO end_counts (starts_at, slot, provider, times)
    VALUES (quarter, own_slot, ended.provider, array_fill(0, ARRAY[56]))
    ON CONFLICT DO NOTHING;
  IF is_delivered THEN
    UPDATE end_counts SET delivered = delivered + 1, times[step] = times[step] + 1,
        units = units + coalesce((SELECT charge.units FROM quota_charges AS charge
          WHERE video_id = ended.video_id AND generation = ended.generation), 0)
      WHERE starts_at = quarter AND slot = own_slot AND provider = ended.provider;
  ELSE
    UPDATE end_counts SET failed = failed + 1
      WHERE starts_at = quarter AND slot = own_slot AND provider = ended.provider;
  END IF;
END $$;

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
    -- Regenerating for others has no charge, and counts as one.
    UPDATE batches SET charged_units = charged_units + coalesce((SELECT units FROM quota_charges
        WHERE video_id = ended.video_id AND generation = ended.generation), 1)
      WHERE id = ended.batch_id;
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

-- Ends a generation without a clip: the unit is returned and an earlier clip stays. Returns whether
-- a place is free and an entry waits for one. A regeneration that was stopped is no failure of the
-- earlier clip, so it gets no code and a message of its own (REGENERATION_STOPPED in
-- app/domain/videos/rules.ts).
CREATE OR REPLACE FUNCTION fail_generation(ended attempts, code text, message text, singles_cap int, everything_cap int)
RETURNS boolean LANGUAGE plpgsql
  SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  is_taken boolean;
BEGIN
  PERFORM lock_for_ending(ended);
  UPDATE videos SET
    status = CASE WHEN file_key IS NULL THEN 'error'::video_status ELSE 'completed' END,
    error_code = CASE WHEN file_key IS NULL OR code <> 'cancelled' THEN code END,
    error_message = CASE WHEN file_key IS NULL THEN message
      WHEN code = 'cancelled' THEN 'Regeneration stopped. Nothing was charged.'
      ELSE 'Last regeneration failed: ' || message END
  WHERE id = ended.video_id AND generation = ended.generation AND deleted_at IS NULL;
  is_taken := FOUND;
  PERFORM settle_charges(ARRAY[ended.video_id], ARRAY[ended.generation], 'returned');
  IF ended.batch_id IS NOT NULL THEN
    PERFORM tally_in_batch(ended.batch_id, 0, (code <> 'cancelled')::int, (code = 'cancelled')::int);
  END IF;
  PERFORM admit_waiting(ended.user_id, singles_cap, everything_cap);
  IF is_taken AND code <> 'cancelled' THEN
    PERFORM count_end(ended, false);
  END IF;
  RETURN someone_is_next();
END $$;

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
