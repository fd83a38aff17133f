-- CreateTable
CREATE TABLE "end_counts" (
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "slot" SMALLINT NOT NULL,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "times" INTEGER[] NOT NULL,

    CONSTRAINT "end_counts_pkey" PRIMARY KEY ("starts_at","slot")
);

-- CreateTable
CREATE TABLE "load_peaks" (
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "online" INTEGER NOT NULL,
    "waiting" INTEGER NOT NULL,
    "held" INTEGER NOT NULL,

    CONSTRAINT "load_peaks_pkey" PRIMARY KEY ("starts_at")
);

-- The ends of the last 30 days, as far as their orders are kept. How long the orders took is counted from
-- now on.
INSERT INTO "end_counts" ("starts_at", "slot", "delivered", "failed", "times")
SELECT date_bin('15 minutes', settled_at, 'epoch'), 0, count(*) FILTER (WHERE state = 'done'),
  count(*) FILTER (WHERE state <> 'done'), array_fill(0, ARRAY[56])
FROM (
  SELECT attempts.settled_at, attempts.state FROM attempts JOIN videos ON videos.id = attempts.video_id
  WHERE attempts.settled_at > now() - interval '30 days'
    AND (attempts.state = 'done' OR (attempts.state IN ('failed', 'orphaned') AND videos.status = 'error'
      AND videos.error_code <> 'cancelled' AND videos.generation = attempts.generation
      AND NOT EXISTS (SELECT FROM attempts AS later WHERE later.video_id = attempts.video_id
        AND later.generation = attempts.generation AND later.n > attempts.n)))
) AS ended GROUP BY 1;

-- Counts the end of a video for the overview, in one of four counters of its quarter of an hour. It is
-- the last lock of an end (docs/decisions/0013-lock-order.md).
CREATE OR REPLACE FUNCTION count_end(ended attempts, is_delivered boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  quarter timestamptz := date_bin('15 minutes', engine_now(), 'epoch');
  own_slot smallint := hashtext(ended.user_id::text) & 3;
  took float := extract(epoch FROM engine_now() - coalesce(ended.sent_at, ended.created_at));
  step int := least(56, ceil(4 * log(2, greatest(1.001, took)::numeric)));
BEGIN
  INSERT INTO end_counts (starts_at, slot, times) VALUES (quarter, own_slot, array_fill(0, ARRAY[56]))
    ON CONFLICT DO NOTHING;
  IF is_delivered THEN
    UPDATE end_counts SET delivered = delivered + 1, times[step] = times[step] + 1
      WHERE starts_at = quarter AND slot = own_slot;
  ELSE
    UPDATE end_counts SET failed = failed + 1 WHERE starts_at = quarter AND slot = own_slot;
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
    UPDATE batches SET charged_units = charged_units + 1 WHERE id = ended.batch_id;
    PERFORM tally_in_batch(ended.batch_id, is_taken::int, 0, (NOT is_taken)::int);
  END IF;
  PERFORM admit_waiting(ended.user_id, singles_cap, everything_cap);
  IF is_taken THEN
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
