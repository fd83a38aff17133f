-- The functions as they are in prisma/functions: the same code, with comments that were rewritten.

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
    PERFORM tally_in_batch(ended.batch_id, is_taken::int, 0, (NOT is_taken)::int);
  END IF;
  PERFORM admit_waiting(ended.user_id, singles_cap, everything_cap);
  wakes_line := someone_is_next();
END $$;

-- Trigger videos_stamp, before each row: writes the version that the gallery has after this
-- transaction into the video, and locks the gallery. The gallery's version rises once in each
-- transaction that changes one of its videos. Because of the lock, versions become visible in
-- their order: a client that has seen version v finds every later change above v.
CREATE OR REPLACE FUNCTION stamp_video() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  known text := current_setting('reelmill.stamp', true);
BEGIN
  -- Most statements change videos of one user, so the last gallery is remembered.
  IF split_part(known, ' ', 1) = NEW.user_id::text THEN
    NEW.feed_version := split_part(known, ' ', 2)::bigint;
  ELSE
    SELECT version + CASE WHEN bumped_in = pg_current_xact_id()::text::bigint THEN 0 ELSE 1 END
      INTO NEW.feed_version FROM galleries WHERE user_id = NEW.user_id FOR UPDATE;
    -- Valid until the transaction ends, as long as the lock on the gallery.
    PERFORM set_config('reelmill.stamp', NEW.user_id || ' ' || NEW.feed_version, true);
  END IF;
  RETURN NEW;
END $$;

-- Triggers videos_count_added, videos_count_removed and videos_count_changed, after each statement:
-- update the gallery's version and its counts by status and format, from the rows that the
-- statement removed and added. Videos in the trash are not counted.
CREATE OR REPLACE FUNCTION count_videos() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  this_transaction bigint := pg_current_xact_id()::text::bigint;
  -- A deleted row was in the trash before, so clients already know.
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

-- Makes a user's gated videos ready as far as the caps allow, and returns how many. The caps are
-- multiples of the user's videos per round. Lane 0 contains single videos. See
-- app/domain/videos/line.server.ts.
CREATE OR REPLACE FUNCTION admit_waiting(orderer uuid, singles_cap int, everything_cap int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  pace int;
  free int;
  free_singles int;
  admitted int;
BEGIN
  -- Serialises the decisions about one user. Without it, a count made while another transaction ends
  -- one of the user's videos would leave a video gated for ever. The statements below see all that
  -- was committed before the lock was taken.
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
    -- After the user's own last entry, and not before the entry that is first now.
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

-- Adds jobs, given as [{name, payload, delay, key}] with the delay in milliseconds, and returns how
-- many. A key that a worker releases at this moment is neither changed nor added by the queue's own
-- function. When it is called again, it sees that and adds the job.
CREATE OR REPLACE FUNCTION add_wake_ups(specs json) RETURNS int LANGUAGE plpgsql
  SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  pending json := specs;
  added text[];
BEGIN
  LOOP
    SELECT array_agg(job.key) INTO added FROM graphile_worker.add_jobs((
      SELECT array_agg(row(spec->>'name', spec->'payload', NULL,
        engine_now() + coalesce((spec->>'delay')::float, 0) * interval '1 millisecond',
        -- So many tries keep a failed job for hours. Our own tables decide what a failure means.
        25, spec->>'key', NULL, NULL)::graphile_worker.job_spec)
      FROM json_array_elements(pending) AS spec)) AS job;
    SELECT json_agg(spec) INTO pending FROM json_array_elements(pending) AS spec
      WHERE spec->>'key' IS NOT NULL AND (spec->>'key' = ANY (added)) IS NOT TRUE;
    EXIT WHEN pending IS NULL;
  END LOOP;
  RETURN json_array_length(specs);
END $$;
