-- What one statement can do is done in one statement: a round trip costs more than the work.

-- A gallery's row is written once a statement: its version and its counts together. The row trigger
-- only locks the gallery and says which version that will be, and remembers it, because most
-- statements change videos of one user.
CREATE OR REPLACE FUNCTION stamp_video() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  known text := current_setting('reelmill.stamp', true);
BEGIN
  IF split_part(known, ' ', 1) = NEW.user_id::text THEN
    NEW.feed_version := split_part(known, ' ', 2)::bigint;
  ELSE
    SELECT version + CASE WHEN bumped_in = pg_current_xact_id()::text::bigint THEN 0 ELSE 1 END
      INTO NEW.feed_version FROM galleries WHERE user_id = NEW.user_id FOR UPDATE;
    -- Until the transaction ends, which is how long the gallery stays locked.
    PERFORM set_config('reelmill.stamp', NEW.user_id || ' ' || NEW.feed_version, true);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION count_videos() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  this_transaction bigint := pg_current_xact_id()::text::bigint;
  -- What a statement deletes for good was in the trash: nobody is told.
  is_news boolean := TG_OP <> 'DELETE';
  owners uuid[];
  statuses video_status[];
  ratios aspect_ratio[];
  changes int[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(user_id), array_agg(status), array_agg(aspect_ratio), array_agg(n)
      INTO owners, statuses, ratios, changes
      FROM (SELECT user_id, status, aspect_ratio, (count(*) FILTER (WHERE deleted_at IS NULL))::int AS n
              FROM added GROUP BY 1, 2, 3) AS change;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(user_id), array_agg(status), array_agg(aspect_ratio), array_agg(n)
      INTO owners, statuses, ratios, changes
      FROM (SELECT user_id, status, aspect_ratio, -count(*)::int AS n
              FROM removed WHERE deleted_at IS NULL GROUP BY 1, 2, 3) AS change;
  ELSE
    SELECT array_agg(user_id), array_agg(status), array_agg(aspect_ratio), array_agg(n)
      INTO owners, statuses, ratios, changes
      FROM (SELECT user_id, status, aspect_ratio, sum(one)::int AS n
              FROM (SELECT user_id, status, aspect_ratio, (deleted_at IS NULL)::int AS one FROM added
                    UNION ALL
                    SELECT user_id, status, aspect_ratio, -(deleted_at IS NULL)::int FROM removed) AS rows
             GROUP BY 1, 2, 3) AS change;
  END IF;
  IF owners IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE galleries SET
    version = version + CASE WHEN is_news AND bumped_in <> this_transaction THEN 1 ELSE 0 END,
    bumped_in = CASE WHEN is_news THEN this_transaction ELSE bumped_in END,
    pending_portrait = pending_portrait + pp, pending_landscape = pending_landscape + pl,
    generating_portrait = generating_portrait + gp, generating_landscape = generating_landscape + gl,
    completed_portrait = completed_portrait + cp, completed_landscape = completed_landscape + cl,
    error_portrait = error_portrait + ep, error_landscape = error_landscape + el
  FROM (
    SELECT owner,
      coalesce(sum(n) FILTER (WHERE s = 'pending' AND r = 'portrait'), 0) AS pp,
      coalesce(sum(n) FILTER (WHERE s = 'pending' AND r = 'landscape'), 0) AS pl,
      coalesce(sum(n) FILTER (WHERE s = 'generating' AND r = 'portrait'), 0) AS gp,
      coalesce(sum(n) FILTER (WHERE s = 'generating' AND r = 'landscape'), 0) AS gl,
      coalesce(sum(n) FILTER (WHERE s = 'completed' AND r = 'portrait'), 0) AS cp,
      coalesce(sum(n) FILTER (WHERE s = 'completed' AND r = 'landscape'), 0) AS cl,
      coalesce(sum(n) FILTER (WHERE s = 'error' AND r = 'portrait'), 0) AS ep,
      coalesce(sum(n) FILTER (WHERE s = 'error' AND r = 'landscape'), 0) AS el
    FROM unnest(owners, statuses, ratios, changes) AS change(owner, s, r, n)
    GROUP BY owner
  ) AS sums
  WHERE user_id = owner;
  RETURN NULL;
END $$;

DROP FUNCTION apply_video_counts(uuid[], video_status[], aspect_ratio[], int[]);
DROP FUNCTION raise_gallery_version(uuid);

-- A month's sum changes when units are taken or given back, not when a reserved one is charged.
DROP TRIGGER quota_days_sum_month ON quota_days;
CREATE TRIGGER quota_days_sum_month AFTER INSERT OR DELETE ON quota_days
  FOR EACH ROW EXECUTE FUNCTION add_to_quota_month();
CREATE TRIGGER quota_days_sum_month_changed AFTER UPDATE ON quota_days
  FOR EACH ROW WHEN (OLD.reserved + OLD.charged <> NEW.reserved + NEW.charged)
  EXECUTE FUNCTION add_to_quota_month();

-- One user's part of the line: who of his waits for a place, and what of his has one.
DROP INDEX "line_entries_user_id_state_lane_entered_at_idx";
CREATE INDEX "line_entries_gated_idx" ON "line_entries" ("user_id", "lane", "entered_at", "video_id") WHERE "state" = 'gated';
CREATE INDEX "line_entries_moving_idx" ON "line_entries" ("user_id", "lane", "turn") WHERE "state" <> 'gated';

-- Lets a user's gated videos into the line as far as his caps allow, and answers how many. The caps
-- are multiples of his videos per round; lane 0 holds singles. See app/domain/videos/line.server.ts.
CREATE FUNCTION admit_waiting(orderer uuid, singles_cap int, everything_cap int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  pace int;
  free int;
  free_singles int;
  admitted int;
BEGIN
  -- Serialises the decisions about one user: a count made while another transaction ends one of his
  -- videos would leave a video gated that nobody looks at again. What follows sees what was committed
  -- before the lock was had.
  PERFORM pg_advisory_xact_lock(hashtextextended('line:' || orderer::text, 0));
  PERFORM 1 FROM line_entries WHERE user_id = orderer AND state = 'gated' LIMIT 1;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  SELECT greatest(1, speed_limit) INTO pace FROM users WHERE id = orderer;
  SELECT everything_cap * pace - count(*), singles_cap * pace - count(*) FILTER (WHERE lane = 0)
    INTO free, free_singles FROM (
      SELECT lane FROM line_entries WHERE user_id = orderer AND state <> 'gated'
      UNION ALL
      SELECT lane FROM attempts WHERE user_id = orderer
        AND state IN ('queued', 'submitting', 'submitted', 'fetching', 'unknown')) AS moving;
  WITH singles AS MATERIALIZED (
    SELECT video_id, lane, entered_at FROM line_entries
    WHERE user_id = orderer AND state = 'gated' AND lane = 0
    ORDER BY entered_at, video_id LIMIT greatest(0, least(free, free_singles)) FOR UPDATE SKIP LOCKED
  ), others AS MATERIALIZED (
    SELECT video_id, lane, entered_at FROM line_entries
    WHERE user_id = orderer AND state = 'gated' AND lane > 0
    ORDER BY lane, entered_at, video_id LIMIT greatest(0, free - (SELECT count(*) FROM singles))
    FOR UPDATE SKIP LOCKED
  ), chosen AS (
    SELECT video_id, lane, row_number() OVER (PARTITION BY lane ORDER BY entered_at, video_id) - 1 AS place
    FROM (SELECT * FROM singles UNION ALL SELECT * FROM others) AS both_kinds
  ), starts AS MATERIALIZED (
    -- Behind his own, and not before whoever is first now.
    SELECT lane, greatest(
      coalesce((SELECT own.turn + 1 FROM line_entries AS own
        WHERE own.user_id = orderer AND own.lane = lanes.lane AND own.state = 'ready'
        ORDER BY own.turn DESC LIMIT 1), 0),
      coalesce((SELECT first.turn FROM line_entries AS first
        WHERE first.state = 'ready' AND first.lane = lanes.lane
        ORDER BY first.turn, first.entered_at LIMIT 1), 0)) AS turn
    FROM (SELECT DISTINCT lane FROM chosen) AS lanes
  )
  UPDATE line_entries SET state = 'ready', turn = starts.turn + chosen.place
  FROM chosen JOIN starts ON starts.lane = chosen.lane
  WHERE line_entries.video_id = chosen.video_id;
  GET DIAGNOSTICS admitted = ROW_COUNT;
  RETURN admitted;
END $$;

-- Ends reserved units; a unit of an epoch before an administrator's reset leaves the counter alone.
CREATE FUNCTION settle_charges(videos uuid[], generations int[], outcome charge_state) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH settled AS (
    UPDATE quota_charges AS charge SET state = outcome, settled_at = engine_now()
    FROM unnest(videos, generations) AS given(video_id, generation)
    WHERE charge.video_id = given.video_id AND charge.generation = given.generation
      AND charge.state = 'reserved'
    RETURNING charge.user_id, charge.day, charge.epoch
  ), units AS (
    SELECT user_id, day, epoch, count(*)::int AS n FROM settled GROUP BY 1, 2, 3
  )
  UPDATE quota_days AS days SET reserved = reserved - n,
    charged = charged + CASE WHEN outcome = 'charged' THEN n ELSE 0 END
  FROM units
  WHERE days.user_id = units.user_id AND days.day = units.day AND days.epoch = units.epoch;
END $$;

-- Counts ended videos in their batch, and ends the batch with its last one.
CREATE FUNCTION tally_in_batch(batch uuid, completed int, failed int, cancelled int) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batches SET completed_videos = completed_videos + completed,
    failed_videos = failed_videos + failed, cancelled_videos = cancelled_videos + cancelled
  WHERE id = batch;
  UPDATE batches SET next_round_at = NULL, finished_at = coalesce(finished_at, engine_now()),
    status = CASE WHEN status = 'processing' THEN 'completed' ELSE status END
  WHERE id = batch AND gathered_to IS NULL
    AND completed_videos + failed_videos + cancelled_videos >= total_videos;
END $$;

-- What the end of an order locks, in the order of docs/decisions/0013-lock-order.md.
CREATE FUNCTION lock_for_ending(ended attempts) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM galleries
    WHERE user_id = (SELECT user_id FROM videos WHERE id = ended.video_id) FOR UPDATE;
  PERFORM 1 FROM batches WHERE id = ended.batch_id FOR NO KEY UPDATE;
END $$;

-- Whether somebody is next in the line.
CREATE FUNCTION someone_is_next() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM line_entries WHERE state = 'ready' ORDER BY lane, turn, entered_at LIMIT 1;
  RETURN FOUND;
END $$;

-- The functions below, each run for one order, are planned once a connection instead of at every
-- call, and with look-ups by index however small the tables were when that happened.

-- Delivers a stored clip for an attempt that has just ended. `unused` names the files that nobody
-- needs any more; `wakes_line` says that a place is free and somebody waits for one.
CREATE FUNCTION complete_generation(ended attempts, clip jsonb, singles_cap int, everything_cap int,
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
  -- A video deleted or regenerated meanwhile does not take the clip; what it took before is replaced.
  unused := array_remove(CASE WHEN is_taken THEN ARRAY[old_file, old_poster]
    ELSE ARRAY[clip->>'fileKey', clip->>'posterKey'] END, NULL);
  PERFORM settle_charges(ARRAY[ended.video_id], ARRAY[ended.generation], 'charged');
  IF ended.batch_id IS NOT NULL AND NOT ended.late THEN
    PERFORM tally_in_batch(ended.batch_id, is_taken::int, 0, (NOT is_taken)::int);
  END IF;
  PERFORM admit_waiting(ended.user_id, singles_cap, everything_cap);
  wakes_line := someone_is_next();
END $$;

-- Ends a generation without a clip: the unit goes back, an earlier clip stays. Answers whether a
-- place is free and somebody waits for one.
CREATE FUNCTION fail_generation(ended attempts, code text, message text, singles_cap int, everything_cap int)
RETURNS boolean LANGUAGE plpgsql
  SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  PERFORM lock_for_ending(ended);
  UPDATE videos SET error_code = code,
    status = CASE WHEN file_key IS NULL THEN 'error'::video_status ELSE 'completed' END,
    error_message = CASE WHEN file_key IS NULL THEN message ELSE 'Last regeneration failed: ' || message END
  WHERE id = ended.video_id AND generation = ended.generation AND deleted_at IS NULL;
  PERFORM settle_charges(ARRAY[ended.video_id], ARRAY[ended.generation], 'returned');
  IF ended.batch_id IS NOT NULL THEN
    PERFORM tally_in_batch(ended.batch_id, 0, (code <> 'cancelled')::int, (code = 'cancelled')::int);
  END IF;
  PERFORM admit_waiting(ended.user_id, singles_cap, everything_cap);
  RETURN someone_is_next();
END $$;

-- Puts a video back into the line, held for a while. One that nobody wants any more (cancelled,
-- deleted, or ordered by somebody who is disabled now) ends as cancelled instead. The locks keep a
-- disable or a cancel from passing between look and write.
CREATE FUNCTION requeue_generation(ended attempts, after_ms float, reason text, cancel_message text,
  singles_cap int, everything_cap int, OUT is_back boolean, OUT wakes_line boolean) LANGUAGE plpgsql
  SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = ended.user_id AND is_active AND deleted_at IS NULL FOR KEY SHARE;
  is_back := FOUND;
  PERFORM lock_for_ending(ended);
  IF is_back THEN
    UPDATE videos SET status = 'pending'
      WHERE id = ended.video_id AND generation = ended.generation AND deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM batches WHERE id = ended.batch_id AND status = 'cancelled');
    is_back := FOUND;
  END IF;
  wakes_line := false;
  IF is_back THEN
    INSERT INTO line_entries (video_id, generation, user_id, batch_id, lane, state, hold_reason, wake_at, entered_at)
      VALUES (ended.video_id, ended.generation, ended.user_id, ended.batch_id, ended.lane, 'held', reason,
        engine_now() + after_ms * interval '1 millisecond', engine_now());
  ELSE
    wakes_line := fail_generation(ended, 'cancelled', cancel_message, singles_cap, everything_cap);
  END IF;
END $$;

-- Adds jobs, given as [{name, payload, delay, key}] with milliseconds from now, and answers how many.
-- A job under a key that a worker takes out at this very moment is neither changed nor added by the
-- queue's own function; asked again, it sees that and adds another one.
CREATE FUNCTION add_wake_ups(specs json) RETURNS int LANGUAGE plpgsql
  SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  pending json := specs;
  added text[];
BEGIN
  LOOP
    SELECT array_agg(job.key) INTO added FROM graphile_worker.add_jobs((
      SELECT array_agg(row(spec->>'name', spec->'payload', NULL,
        engine_now() + coalesce((spec->>'delay')::float, 0) * interval '1 millisecond',
        -- Keeps a failed task coming back for hours; what a failure means is decided in our own tables.
        25, spec->>'key', NULL, NULL)::graphile_worker.job_spec)
      FROM json_array_elements(pending) AS spec)) AS job;
    SELECT json_agg(spec) INTO pending FROM json_array_elements(pending) AS spec
      WHERE spec->>'key' IS NOT NULL AND (spec->>'key' = ANY (added)) IS NOT TRUE;
    EXIT WHEN pending IS NULL;
  END LOOP;
  RETURN json_array_length(specs);
END $$;
