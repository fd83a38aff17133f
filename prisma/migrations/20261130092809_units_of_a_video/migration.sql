ALTER TABLE "batches" ADD COLUMN "clip_units" INTEGER NOT NULL DEFAULT 1;

ALTER TABLE "end_counts" ADD COLUMN "units" INTEGER NOT NULL DEFAULT 0;
-- locks: it has a few rows for each quarter of an hour of two months.
UPDATE "end_counts" SET "units" = "delivered";

ALTER TABLE "quota_charges" ADD COLUMN "units" INTEGER NOT NULL DEFAULT 1;

ALTER TABLE "users" ADD COLUMN "clip_units" INTEGER NOT NULL DEFAULT 1;

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

-- Returns how many units a video uses with which a plan is sold now.
CREATE OR REPLACE FUNCTION clip_units_of_plan(sold plan_name) RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT (value->>'clipUnits')::int FROM business_settings WHERE name = 'plan.' || sold::text), 1);
END $$;

-- Ends reserved units: charges or returns them. A unit from before an administrator's reset (an
-- earlier epoch) does not change the day's counter.
CREATE OR REPLACE FUNCTION settle_charges(videos uuid[], generations int[], outcome charge_state) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH settled AS (
    UPDATE quota_charges AS charge SET state = outcome, settled_at = engine_now()
    FROM unnest(videos, generations) AS given(video_id, generation)
    WHERE charge.video_id = given.video_id AND charge.generation = given.generation
      AND charge.state = 'reserved'
    RETURNING charge.user_id, charge.day, charge.epoch, charge.units
  ), units AS (
    SELECT user_id, day, epoch, sum(units)::int AS n FROM settled GROUP BY 1, 2, 3
  )
  UPDATE quota_days AS days SET reserved = reserved - n,
    charged = charged + CASE WHEN outcome = 'charged' THEN n ELSE 0 END
  FROM units
  WHERE days.user_id = units.user_id AND days.day = units.day AND days.epoch = units.epoch;
END $$;

-- Trigger quota_charges_count_returned: keeps how many units of a day were returned, also those from
-- before a reset.
CREATE OR REPLACE FUNCTION count_returned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE quota_days AS days SET returned = returned + n
  FROM (
    SELECT now_is.user_id, now_is.day, sum(now_is.units)::int AS n
    FROM now_is JOIN was USING (video_id, generation)
    WHERE now_is.state = 'returned' AND was.state <> 'returned' GROUP BY 1, 2
  ) AS units
  WHERE days.user_id = units.user_id AND days.day = units.day;
  RETURN NULL;
END $$;
