-- The schema at the end of version 0.1.0, in one migration: what pg_dump makes of its 76 migrations, without
-- settings and names of schemas. It is read in prisma/schema.prisma and edited in prisma/functions.

CREATE SCHEMA IF NOT EXISTS "public";

SET check_function_bodies = false;

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TYPE aspect_ratio AS ENUM (
    'portrait',
    'landscape'
);

CREATE TYPE attempt_state AS ENUM (
    'queued',
    'submitting',
    'submitted',
    'fetching',
    'unknown',
    'done',
    'failed',
    'orphaned',
    'abandoned'
);

CREATE TYPE batch_kind AS ENUM (
    'bulk',
    'retry',
    'regeneration'
);

CREATE TYPE batch_status AS ENUM (
    'processing',
    'completed',
    'cancelled',
    'queued'
);

CREATE TYPE charge_state AS ENUM (
    'reserved',
    'charged',
    'returned'
);

CREATE TYPE credential_state AS ENUM (
    'ok',
    'cooling',
    'dead'
);

CREATE TYPE draft_kind AS ENUM (
    'single',
    'bulk',
    'edit',
    'list'
);

CREATE TYPE film_state AS ENUM (
    'waiting',
    'working',
    'ready',
    'failed'
);

CREATE TYPE line_state AS ENUM (
    'gated',
    'ready',
    'held'
);

CREATE TYPE notification_channel AS ENUM (
    'email',
    'webhook',
    'push'
);

CREATE TYPE notification_state AS ENUM (
    'waiting',
    'sent',
    'failed',
    'dropped'
);

CREATE TYPE payment_state AS ENUM (
    'claimed',
    'confirmed',
    'rejected',
    'refunded'
);

CREATE TYPE plan_name AS ENUM (
    'Starter',
    'Professional',
    'Business',
    'Enterprise'
);

CREATE TYPE user_role AS ENUM (
    'admin',
    'editor',
    'user'
);

CREATE TYPE video_status AS ENUM (
    'pending',
    'generating',
    'completed',
    'error'
);

CREATE FUNCTION add_to_quota_month() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  owner uuid := coalesce(NEW.user_id, OLD.user_id);
  of_month date := date_trunc('month', coalesce(NEW.day, OLD.day))::date;
  change int := coalesce(NEW.reserved + NEW.charged, 0) - coalesce(OLD.reserved + OLD.charged, 0);
BEGIN
  IF change <> 0 THEN
    INSERT INTO quota_months AS m (user_id, month, used) VALUES (owner, of_month, change)
    ON CONFLICT (user_id, month) DO UPDATE SET used = m.used + excluded.used;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION add_wake_ups(specs json) RETURNS integer
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION admit_waiting(orderer uuid, singles_cap integer, everything_cap integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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

CREATE TABLE attempts (
    id uuid NOT NULL,
    video_id uuid NOT NULL,
    generation integer NOT NULL,
    n integer NOT NULL,
    user_id uuid NOT NULL,
    lane smallint NOT NULL,
    state attempt_state DEFAULT 'queued'::attempt_state NOT NULL,
    provider text NOT NULL,
    model text NOT NULL,
    account_scope text NOT NULL,
    lease_token uuid,
    sent_at timestamp(3) with time zone,
    ref jsonb,
    asset jsonb,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    deadline_at timestamp(3) with time zone NOT NULL,
    step_tries integer DEFAULT 0 NOT NULL,
    fault text,
    acceptance text,
    evidence jsonb,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    settled_at timestamp(3) with time zone,
    batch_id uuid,
    credential_id uuid,
    late boolean DEFAULT false NOT NULL,
    lease_holder uuid,
    sent_by timestamp(6) with time zone,
    lost_at timestamp(3) with time zone,
    fetch_tries integer DEFAULT 0 NOT NULL,
    percent smallint,
    still bytea,
    gone_tries integer DEFAULT 0 NOT NULL
);

CREATE FUNCTION complete_generation(ended attempts, clip jsonb, singles_cap integer, everything_cap integer, OUT unused text[], OUT wakes_line boolean) RETURNS record
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION count_end(ended attempts, is_delivered boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION count_returned() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE quota_days AS days SET returned = returned + n
  FROM (
    SELECT now_is.user_id, now_is.day, count(*)::int AS n
    FROM now_is JOIN was USING (video_id, generation)
    WHERE now_is.state = 'returned' AND was.state <> 'returned' GROUP BY 1, 2
  ) AS units
  WHERE days.user_id = units.user_id AND days.day = units.day;
  RETURN NULL;
END $$;

CREATE FUNCTION count_videos() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
DECLARE
  this_transaction bigint := pg_current_xact_id()::text::bigint;
  -- A deleted row was in the trash before, so clients already know.
  is_news boolean := TG_OP <> 'DELETE';
  owners uuid[];
  statuses video_status[];
  ratios aspect_ratio[];
  cancels bool[];
  changes int[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(user_id), array_agg(status), array_agg(aspect_ratio), array_agg(is_cancelled), array_agg(n)
      INTO owners, statuses, ratios, cancels, changes
      FROM (SELECT user_id, status, aspect_ratio, coalesce(error_code = 'cancelled', false) AS is_cancelled,
                   (count(*) FILTER (WHERE deleted_at IS NULL))::int AS n
              FROM added GROUP BY 1, 2, 3, 4) AS change;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(user_id), array_agg(status), array_agg(aspect_ratio), array_agg(is_cancelled), array_agg(n)
      INTO owners, statuses, ratios, cancels, changes
      FROM (SELECT user_id, status, aspect_ratio, coalesce(error_code = 'cancelled', false) AS is_cancelled,
                   -count(*)::int AS n
              FROM removed WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4) AS change;
  ELSE
    SELECT array_agg(user_id), array_agg(status), array_agg(aspect_ratio), array_agg(is_cancelled), array_agg(n)
      INTO owners, statuses, ratios, cancels, changes
      FROM (SELECT user_id, status, aspect_ratio, coalesce(error_code = 'cancelled', false) AS is_cancelled,
                   sum(one)::int AS n
              FROM (SELECT user_id, status, aspect_ratio, error_code, (deleted_at IS NULL)::int AS one FROM added
                    UNION ALL
                    SELECT user_id, status, aspect_ratio, error_code, -(deleted_at IS NULL)::int FROM removed) AS rows
             GROUP BY 1, 2, 3, 4) AS change;
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
    error_portrait = error_portrait + ep, error_landscape = error_landscape + el,
    cancelled = cancelled + ca, cancelled_landscape = cancelled_landscape + cw
  FROM (
    SELECT owner,
      coalesce(sum(n) FILTER (WHERE s = 'pending' AND r = 'portrait'), 0) AS pp,
      coalesce(sum(n) FILTER (WHERE s = 'pending' AND r = 'landscape'), 0) AS pl,
      coalesce(sum(n) FILTER (WHERE s = 'generating' AND r = 'portrait'), 0) AS gp,
      coalesce(sum(n) FILTER (WHERE s = 'generating' AND r = 'landscape'), 0) AS gl,
      coalesce(sum(n) FILTER (WHERE s = 'completed' AND r = 'portrait'), 0) AS cp,
      coalesce(sum(n) FILTER (WHERE s = 'completed' AND r = 'landscape'), 0) AS cl,
      coalesce(sum(n) FILTER (WHERE s = 'error' AND r = 'portrait'), 0) AS ep,
      coalesce(sum(n) FILTER (WHERE s = 'error' AND r = 'landscape'), 0) AS el,
      coalesce(sum(n) FILTER (WHERE s = 'error' AND c), 0) AS ca,
      coalesce(sum(n) FILTER (WHERE s = 'error' AND c AND r = 'landscape'), 0) AS cw
    FROM unnest(owners, statuses, ratios, cancels, changes) AS change(owner, s, r, c, n)
    GROUP BY owner
  ) AS sums
  WHERE user_id = owner;
  RETURN NULL;
END $$;

CREATE FUNCTION create_gallery() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO galleries (user_id) VALUES (NEW.id);
  RETURN NULL;
END $$;

CREATE FUNCTION default_key_account() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.account := coalesce(NEW.account, NEW.account_scope);
  RETURN NEW;
END $$;

CREATE FUNCTION end_batch(batch uuid, outcome batch_status) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
  orderer uuid;
BEGIN
  UPDATE batches SET status = outcome, next_round_at = NULL, carries_at = NULL, line_place = NULL,
    gathered_to = NULL, finished_at = engine_now()
  WHERE id = batch AND status IN ('queued', 'processing')
  RETURNING CASE WHEN kind <> 'regeneration' THEN user_id END INTO orderer;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM move_up_line(orderer);
  RETURN true;
END $$;

CREATE FUNCTION end_batch_if_done(batch uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM end_batch(id, CASE WHEN stopped_at IS NULL THEN 'completed' ELSE 'cancelled' END::batch_status)
  FROM batches WHERE id = batch AND status IN ('queued', 'processing') AND gathered_to IS NULL
    AND completed_videos + failed_videos + cancelled_videos >= total_videos;
END $$;

CREATE FUNCTION end_helper_rights() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM helper_rights WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE FUNCTION engine_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$SELECT statement_timestamp()$$;

CREATE FUNCTION fail_generation(ended attempts, code text, message text, singles_cap integer, everything_cap integer) RETURNS boolean
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION lock_for_ending(ended attempts) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM 1 FROM galleries
    WHERE user_id = (SELECT user_id FROM videos WHERE id = ended.video_id) FOR UPDATE;
  PERFORM 1 FROM batches WHERE id = ended.batch_id FOR NO KEY UPDATE;
END $$;

CREATE FUNCTION move_up_line(orderer uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  started uuid;
BEGIN
  UPDATE batches SET status = 'processing', line_place = NULL, carries_at = engine_now(),
    speed_limit = users.speed_limit, delay_seconds = users.video_generation_speed
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

CREATE FUNCTION note_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM write_event(TG_ARGV[0], NEW.id);
  RETURN NULL;
END $$;

CREATE FUNCTION note_token_death() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO token_deaths (died_at) VALUES (engine_now());
  RETURN NULL;
END $$;

CREATE FUNCTION requeue_generation(ended attempts, after_ms double precision, reason text, cancel_message text, singles_cap integer, everything_cap integer, OUT is_back boolean, OUT wakes_line boolean, OUT revived_round integer) RETURNS record
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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
    INSERT INTO line_entries (video_id, generation, user_id, batch_id, lane, state, hold_reason, wake_at, entered_at)
      VALUES (ended.video_id, ended.generation, ended.user_id, ended.batch_id, ended.lane, 'held', reason,
        engine_now() + after_ms * interval '1 millisecond', engine_now());
  END IF;
END $$;

CREATE FUNCTION settle_charges(videos uuid[], generations integer[], outcome charge_state) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION someone_is_next() RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM 1 FROM line_entries WHERE state = 'ready' ORDER BY lane, turn, entered_at LIMIT 1;
  RETURN FOUND;
END $$;

CREATE FUNCTION stamp_video() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION tally_in_batch(batch uuid, completed integer, failed integer, cancelled integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE batches SET completed_videos = completed_videos + completed,
    failed_videos = failed_videos + failed, cancelled_videos = cancelled_videos + cancelled
  WHERE id = batch;
  PERFORM end_batch_if_done(batch);
END $$;

CREATE FUNCTION write_event(kind text, subject uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  event uuid := gen_random_uuid();
BEGIN
  INSERT INTO events (id, kind, subject_id, at) VALUES (event, write_event.kind, subject, engine_now());
  PERFORM add_wake_ups(json_build_array(json_build_object('name', 'events.hear',
    'payload', json_build_object('eventId', event), 'key', 'event ' || event)));
END $$;

CREATE TABLE alarm_messages (
    id uuid NOT NULL,
    channel text NOT NULL,
    name text NOT NULL,
    state text NOT NULL,
    text text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    sent_at timestamp(3) with time zone,
    next_try_at timestamp(3) with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    problem text
);

CREATE TABLE alarm_notices (
    id uuid NOT NULL,
    name text NOT NULL,
    subject_id uuid NOT NULL,
    text text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    told_at timestamp(3) with time zone
);

CREATE TABLE alarms (
    name text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    told_at timestamp(3) with time zone,
    is_owed boolean NOT NULL
);

CREATE TABLE announcement_dismissals (
    user_id uuid NOT NULL,
    announcement_id uuid NOT NULL
);

CREATE TABLE api_keys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    key_hash bytea NOT NULL,
    start text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone
);

CREATE TABLE batches (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind batch_kind NOT NULL,
    status batch_status DEFAULT 'processing'::batch_status NOT NULL,
    total_videos integer NOT NULL,
    completed_videos integer DEFAULT 0 NOT NULL,
    failed_videos integer DEFAULT 0 NOT NULL,
    cancelled_videos integer DEFAULT 0 NOT NULL,
    speed_limit integer NOT NULL,
    delay_seconds integer NOT NULL,
    round_no integer DEFAULT 0 NOT NULL,
    next_round_at timestamp(6) with time zone,
    gathered_to uuid,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    finished_at timestamp(3) with time zone,
    stopped_at timestamp(3) with time zone,
    gather_filter jsonb,
    charged_units integer DEFAULT 0 NOT NULL,
    name text,
    paused_at timestamp(3) with time zone,
    carries_at timestamp(3) with time zone,
    days_run integer DEFAULT 0 NOT NULL,
    line_place smallint,
    CONSTRAINT batches_counts_check CHECK ((((completed_videos + failed_videos) + cancelled_videos) <= total_videos)),
    CONSTRAINT batches_line_place_check CHECK (((line_place >= 1) AND (line_place <= 5))),
    CONSTRAINT batches_pace_check CHECK (((speed_limit >= 1) AND ((delay_seconds >= 0) AND (delay_seconds <= 180))))
);

CREATE TABLE bulk_change_users (
    change_id uuid NOT NULL,
    user_id uuid NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    is_skipped boolean DEFAULT false NOT NULL
);

CREATE TABLE bulk_changes (
    id uuid NOT NULL,
    kind text NOT NULL,
    actor_id uuid NOT NULL,
    actor_name text NOT NULL,
    count integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    undone_at timestamp(3) with time zone
);

CREATE TABLE business_settings (
    name text NOT NULL,
    value jsonb NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE carried_prompts (
    id uuid NOT NULL,
    batch_id uuid NOT NULL,
    "position" integer NOT NULL,
    prompt text NOT NULL,
    negative_prompt text,
    aspect_ratio aspect_ratio NOT NULL,
    clip_name text
);

CREATE TABLE collection_videos (
    collection_id uuid NOT NULL,
    video_id uuid NOT NULL,
    added_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE collections (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE credential_days (
    credential_id uuid NOT NULL,
    day date NOT NULL,
    orders integer DEFAULT 0 NOT NULL,
    delivered integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL
);

CREATE TABLE credentials (
    id uuid NOT NULL,
    kind text NOT NULL,
    account_scope text NOT NULL,
    secret_cipher bytea NOT NULL,
    fingerprint text NOT NULL,
    mask text NOT NULL,
    state credential_state DEFAULT 'ok'::credential_state NOT NULL,
    cool_until timestamp(3) with time zone,
    is_default boolean DEFAULT false NOT NULL,
    pool_position integer,
    last_assigned_at timestamp(6) with time zone,
    last_used_at timestamp(3) with time zone,
    last_error text,
    last_error_at timestamp(3) with time zone,
    successes integer DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    account text NOT NULL,
    cost_per_video numeric(12,4),
    death text,
    died_at timestamp(3) with time zone,
    is_placed boolean DEFAULT false NOT NULL,
    label text,
    last_four text,
    may_ask boolean DEFAULT true NOT NULL,
    note text,
    number integer NOT NULL,
    paid_until date,
    refusals integer DEFAULT 0 NOT NULL,
    refused_at timestamp(3) with time zone,
    refused_video_id uuid,
    removal_id uuid
);

CREATE SEQUENCE credentials_number_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE credentials_number_seq OWNED BY credentials.number;

CREATE TABLE customer_cards (
    user_id uuid NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    language text,
    contacted_at timestamp(3) with time zone,
    contacted_for text
);

CREATE TABLE draft_pictures (
    user_id uuid NOT NULL,
    name text NOT NULL,
    portrait_id uuid,
    landscape_id uuid,
    added_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE drafts (
    user_id uuid NOT NULL,
    kind draft_kind NOT NULL,
    text text NOT NULL,
    negative_prompt text NOT NULL,
    aspect_ratio aspect_ratio NOT NULL,
    version integer DEFAULT 1 NOT NULL
);

CREATE TABLE end_counts (
    starts_at timestamp(3) with time zone NOT NULL,
    slot smallint NOT NULL,
    delivered integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    times integer[] NOT NULL
);

CREATE TABLE events (
    id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    heard_by text[] DEFAULT ARRAY[]::text[] NOT NULL
);

CREATE TABLE film_clips (
    film_id uuid NOT NULL,
    place smallint NOT NULL,
    video_id uuid NOT NULL,
    prompt text NOT NULL
);

CREATE TABLE films (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    aspect_ratio aspect_ratio NOT NULL,
    state film_state DEFAULT 'waiting'::film_state NOT NULL,
    clips_done smallint DEFAULT 0 NOT NULL,
    run uuid,
    runs smallint DEFAULT 0 NOT NULL,
    touched_at timestamp(3) with time zone NOT NULL,
    file_key text,
    poster_key text,
    file_bytes integer,
    file_sha256 text,
    duration_ms integer,
    lost_sound boolean DEFAULT false NOT NULL,
    reason text,
    created_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone
);

CREATE TABLE galleries (
    user_id uuid NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    bumped_in bigint DEFAULT 0 NOT NULL,
    pending_portrait integer DEFAULT 0 NOT NULL,
    pending_landscape integer DEFAULT 0 NOT NULL,
    generating_portrait integer DEFAULT 0 NOT NULL,
    generating_landscape integer DEFAULT 0 NOT NULL,
    completed_portrait integer DEFAULT 0 NOT NULL,
    completed_landscape integer DEFAULT 0 NOT NULL,
    error_portrait integer DEFAULT 0 NOT NULL,
    error_landscape integer DEFAULT 0 NOT NULL,
    cancelled integer DEFAULT 0 NOT NULL,
    cancelled_landscape integer DEFAULT 0 NOT NULL
);

CREATE TABLE helper_requests (
    id uuid NOT NULL,
    helper_id uuid NOT NULL,
    helper_name text NOT NULL,
    customer_id uuid NOT NULL,
    count integer NOT NULL,
    asked_at timestamp(3) with time zone NOT NULL,
    decided_at timestamp(3) with time zone,
    is_approved boolean
);

CREATE TABLE helper_rights (
    user_id uuid NOT NULL,
    rights text[] NOT NULL,
    confirm_up_to integer,
    confirm_currency text,
    regenerate_per_day integer NOT NULL,
    used_on date,
    used integer DEFAULT 0 NOT NULL
);

CREATE TABLE idempotency_keys (
    user_id uuid NOT NULL,
    key text NOT NULL,
    request_hash text NOT NULL,
    result jsonb,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE invariant_checks (
    name text NOT NULL,
    violations integer NOT NULL,
    sample jsonb,
    checked_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE key_removals (
    id uuid NOT NULL,
    actor_id uuid NOT NULL,
    actor_name text NOT NULL,
    count integer NOT NULL,
    keys jsonb NOT NULL,
    removed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    undone_at timestamp(3) with time zone
);

CREATE TABLE known_devices (
    user_id uuid NOT NULL,
    device_id uuid NOT NULL,
    user_agent text,
    seen_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE line_entries (
    video_id uuid NOT NULL,
    generation integer NOT NULL,
    user_id uuid NOT NULL,
    lane smallint NOT NULL,
    turn bigint DEFAULT 0 NOT NULL,
    state line_state NOT NULL,
    hold_reason text,
    wake_at timestamp(3) with time zone,
    entered_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    batch_id uuid
);

CREATE TABLE load_peaks (
    starts_at timestamp(3) with time zone NOT NULL,
    online integer NOT NULL,
    waiting integer NOT NULL,
    held integer NOT NULL,
    sold integer DEFAULT 0 NOT NULL
);

CREATE TABLE lock_outs (
    key text NOT NULL,
    noted_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE mass_changes (
    id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    search text DEFAULT ''::text NOT NULL,
    actor_id uuid NOT NULL,
    actor_name text NOT NULL,
    total integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    turn integer DEFAULT 0 NOT NULL,
    cursor_at timestamp(3) with time zone NOT NULL,
    cursor_id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    finished_at timestamp(3) with time zone,
    stopped boolean DEFAULT false NOT NULL,
    filter jsonb,
    CONSTRAINT mass_changes_kind_check CHECK ((kind = ANY (ARRAY['delete'::text, 'restore'::text])))
);

CREATE TABLE notification_emails (
    user_id uuid NOT NULL,
    address text,
    asked_address text,
    token_hash bytea,
    token_until timestamp(3) with time zone
);

CREATE TABLE notification_webhooks (
    user_id uuid NOT NULL,
    url text NOT NULL,
    secret_cipher bytea NOT NULL,
    stopped_at timestamp(3) with time zone
);

CREATE TABLE notifications (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    channel notification_channel NOT NULL,
    batch_id uuid,
    title text NOT NULL,
    body text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    state notification_state NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    next_try_at timestamp(3) with time zone NOT NULL,
    sending_until timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    answer smallint,
    problem text,
    told uuid[] DEFAULT ARRAY[]::uuid[] NOT NULL
);

CREATE TABLE order_pictures (
    id uuid NOT NULL,
    file_key text NOT NULL,
    sha256 text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    name text,
    twin_id uuid
);

CREATE TABLE payment_pictures (
    payment_id uuid NOT NULL,
    bytes bytea NOT NULL,
    added_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE payments (
    id uuid NOT NULL,
    user_id uuid,
    username text NOT NULL,
    plan plan_name NOT NULL,
    amount integer NOT NULL,
    currency text NOT NULL,
    method text NOT NULL,
    reference text,
    reference_key text,
    received_at timestamp(3) with time zone NOT NULL,
    note text,
    picture_hash text,
    recorded_by text,
    state payment_state NOT NULL,
    reason text,
    decided_at timestamp(3) with time zone,
    decided_by text,
    change_id uuid,
    period_from timestamp(3) with time zone,
    period_to timestamp(3) with time zone,
    refunded integer DEFAULT 0 NOT NULL,
    is_repeat_seen boolean DEFAULT false NOT NULL,
    asked_by text,
    price integer,
    CONSTRAINT payments_money CHECK (((amount >= 0) AND ((refunded >= 0) AND (refunded <= amount)) AND (currency ~ '^[A-Z]{3}$'::text))),
    CONSTRAINT payments_state CHECK (
CASE state
    WHEN 'claimed'::payment_state THEN ((decided_at IS NULL) AND (change_id IS NULL) AND (refunded = 0))
    WHEN 'rejected'::payment_state THEN ((decided_at IS NOT NULL) AND (reason IS NOT NULL) AND (refunded = 0))
    ELSE ((decided_at IS NOT NULL) AND (user_id IS NOT NULL) AND (change_id IS NOT NULL) AND (period_from IS NOT NULL) AND ((state = 'refunded'::payment_state) = (refunded > 0)) AND ((state = 'confirmed'::payment_state) OR (reason IS NOT NULL)))
END)
);

CREATE TABLE pool_assignments (
    id bigint NOT NULL,
    user_id uuid NOT NULL,
    replaced_id uuid,
    credential_id uuid NOT NULL,
    passed_over integer NOT NULL,
    assigned_at timestamp(6) with time zone NOT NULL
);

CREATE SEQUENCE pool_assignments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE pool_assignments_id_seq OWNED BY pool_assignments.id;

CREATE TABLE prompt_choices (
    user_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    instead_of uuid NOT NULL,
    day date NOT NULL
);

CREATE TABLE prompt_uses (
    user_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    text text NOT NULL,
    used_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE prompts (
    id uuid NOT NULL,
    text text NOT NULL,
    copy_count integer DEFAULT 0 NOT NULL,
    skip_count integer DEFAULT 0 NOT NULL,
    is_current boolean DEFAULT false NOT NULL,
    is_pinned boolean DEFAULT false NOT NULL,
    current_on date,
    last_current_at timestamp(6) with time zone,
    created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT prompts_pin_check CHECK ((is_current OR (NOT is_pinned))),
    CONSTRAINT prompts_text_check CHECK ((text <> ''::text))
);

CREATE TABLE provider_failures (
    id bigint NOT NULL,
    kind text NOT NULL,
    credential_id uuid,
    failed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    line_passed boolean DEFAULT false NOT NULL,
    others_passed boolean DEFAULT false NOT NULL,
    scope text DEFAULT ''::text NOT NULL,
    subject text,
    tries integer DEFAULT 1 NOT NULL
);

CREATE SEQUENCE provider_failures_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE provider_failures_id_seq OWNED BY provider_failures.id;

CREATE TABLE provider_gates (
    scope text NOT NULL,
    reason text NOT NULL,
    closed_until timestamp(3) with time zone NOT NULL,
    probe_ms integer NOT NULL,
    strikes integer DEFAULT 1 NOT NULL,
    closed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    room integer DEFAULT 1 NOT NULL,
    seen text,
    for_nothing integer DEFAULT 0 NOT NULL
);

CREATE TABLE provider_settings (
    id integer DEFAULT 1 NOT NULL,
    digest text NOT NULL
);

CREATE TABLE push_keys (
    id uuid NOT NULL,
    public_key text NOT NULL,
    secret_cipher bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE push_subscriptions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    endpoint text NOT NULL,
    p256dh text NOT NULL,
    auth text NOT NULL,
    device text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    told_at timestamp(3) with time zone
);

CREATE TABLE quota_adjustments (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    day date NOT NULL,
    units integer NOT NULL,
    month_units integer NOT NULL,
    reason text NOT NULL,
    actor_name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE quota_charges (
    video_id uuid NOT NULL,
    generation integer NOT NULL,
    user_id uuid NOT NULL,
    day date NOT NULL,
    epoch integer NOT NULL,
    state charge_state DEFAULT 'reserved'::charge_state NOT NULL,
    reason text NOT NULL,
    label text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    settled_at timestamp(3) with time zone
);

CREATE TABLE quota_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    reserved integer DEFAULT 0 NOT NULL,
    charged integer DEFAULT 0 NOT NULL,
    granted_limit integer,
    gifted integer DEFAULT 0 NOT NULL,
    removed_returned integer DEFAULT 0 NOT NULL,
    returned integer DEFAULT 0 NOT NULL,
    CONSTRAINT quota_days_counts_check CHECK (((reserved >= 0) AND (charged >= 0))),
    CONSTRAINT quota_days_gifted_check CHECK ((gifted >= 0))
);

CREATE TABLE quota_months (
    user_id uuid NOT NULL,
    month date NOT NULL,
    used integer DEFAULT 0 NOT NULL
);

CREATE TABLE recovery_codes (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL
);

CREATE TABLE retention (
    name text NOT NULL,
    days integer,
    since timestamp(3) with time zone NOT NULL,
    removed bigint DEFAULT 0 NOT NULL,
    removed_at timestamp(3) with time zone
);

CREATE TABLE rounds (
    batch_id uuid NOT NULL,
    round_no integer NOT NULL,
    fired_at timestamp(6) with time zone NOT NULL,
    size integer NOT NULL
);

CREATE TABLE saved_wordings (
    user_id uuid NOT NULL,
    hash text NOT NULL,
    text text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE second_factors (
    user_id uuid NOT NULL,
    secret_cipher bytea NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    confirmed_at timestamp(3) with time zone,
    last_step integer NOT NULL
);

CREATE TABLE sessions (
    id_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    user_agent text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_seen_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    confirmed_at timestamp(3) with time zone,
    id uuid DEFAULT gen_random_uuid() NOT NULL
);

CREATE TABLE share_links (
    token text NOT NULL,
    video_id uuid,
    shows_prompt boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    downloads integer DEFAULT 0 NOT NULL,
    collection_id uuid
);

CREATE TABLE strange_words (
    word text NOT NULL,
    first_seen_at timestamp(3) with time zone NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE throttles (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);

CREATE TABLE token_deaths (
    id bigint NOT NULL,
    died_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE SEQUENCE token_deaths_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE token_deaths_id_seq OWNED BY token_deaths.id;

CREATE TABLE trail_entries (
    id uuid NOT NULL,
    at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    action text NOT NULL,
    subject_kind text,
    subject_id uuid,
    subject_name text,
    before jsonb,
    after jsonb,
    count integer DEFAULT 1 NOT NULL
);

CREATE TABLE trial_days (
    day date NOT NULL,
    network text NOT NULL,
    used integer NOT NULL
);

CREATE TABLE trials (
    user_id uuid NOT NULL,
    network text NOT NULL,
    video_limit integer NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE users (
    id uuid NOT NULL,
    username text NOT NULL,
    phone text,
    email text,
    password_hash text,
    role user_role DEFAULT 'user'::user_role NOT NULL,
    plan plan_name,
    video_limit integer NOT NULL,
    speed_limit integer NOT NULL,
    video_generation_speed integer NOT NULL,
    expiry_date timestamp(3) with time zone,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    deleted_at timestamp(3) with time zone,
    credential_id uuid,
    access_version integer DEFAULT 0 NOT NULL,
    api_allowed boolean DEFAULT false NOT NULL,
    CONSTRAINT users_limits_check CHECK (((video_limit >= 0) AND (speed_limit >= 1) AND ((video_generation_speed >= 0) AND (video_generation_speed <= 180))))
);

CREATE TABLE video_numbers (
    video_id uuid NOT NULL,
    user_id uuid NOT NULL,
    number integer NOT NULL
);

CREATE TABLE video_pictures (
    video_id uuid NOT NULL,
    picture_id uuid NOT NULL
);

CREATE TABLE videos (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    prompt text NOT NULL,
    negative_prompt text,
    aspect_ratio aspect_ratio NOT NULL,
    status video_status DEFAULT 'pending'::video_status NOT NULL,
    model text NOT NULL,
    seed integer NOT NULL,
    generation integer DEFAULT 1 NOT NULL,
    regenerate_count integer DEFAULT 0 NOT NULL,
    regenerated_by_admin boolean DEFAULT false NOT NULL,
    error_code text,
    error_message text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    completed_at timestamp(3) with time zone,
    deleted_at timestamp(3) with time zone,
    feed_version bigint DEFAULT 0 NOT NULL,
    file_key text,
    poster_key text,
    file_bytes bigint,
    file_sha256 text,
    file_crc32 bigint,
    duration_ms integer,
    awaits_round boolean DEFAULT false NOT NULL,
    batch_id uuid,
    batch_position integer,
    restored_at timestamp(3) with time zone,
    request_id text,
    home_batch_id uuid,
    home_position integer,
    starred boolean DEFAULT false NOT NULL,
    clip_name text,
    CONSTRAINT videos_completed_has_file_check CHECK (((status <> 'completed'::video_status) OR (file_key IS NOT NULL))),
    CONSTRAINT videos_file_key_check CHECK ((file_key ~ '^[0-9a-f]{2}/[0-9a-f-]{36}\.mp4$'::text)),
    CONSTRAINT videos_poster_key_check CHECK ((poster_key ~ '^[0-9a-f]{2}/[0-9a-f-]{36}\.jpg$'::text))
);

CREATE TABLE worker_processes (
    id uuid NOT NULL,
    host text NOT NULL,
    boot_id text NOT NULL,
    pid_namespace text NOT NULL,
    pid integer NOT NULL,
    pools text[] NOT NULL,
    started_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    beat_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

ALTER TABLE ONLY credentials ALTER COLUMN number SET DEFAULT nextval('credentials_number_seq'::regclass);

ALTER TABLE ONLY pool_assignments ALTER COLUMN id SET DEFAULT nextval('pool_assignments_id_seq'::regclass);

ALTER TABLE ONLY provider_failures ALTER COLUMN id SET DEFAULT nextval('provider_failures_id_seq'::regclass);

ALTER TABLE ONLY token_deaths ALTER COLUMN id SET DEFAULT nextval('token_deaths_id_seq'::regclass);

ALTER TABLE alarm_messages ADD CONSTRAINT alarm_messages_pkey PRIMARY KEY (id);

ALTER TABLE alarm_notices ADD CONSTRAINT alarm_notices_pkey PRIMARY KEY (id);

ALTER TABLE alarms ADD CONSTRAINT alarms_pkey PRIMARY KEY (name);

ALTER TABLE announcement_dismissals ADD CONSTRAINT announcement_dismissals_pkey PRIMARY KEY (user_id);

ALTER TABLE api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE attempts ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);

ALTER TABLE batches ADD CONSTRAINT batches_line_place_excl EXCLUDE USING btree (user_id WITH =, line_place WITH =) WHERE ((line_place IS NOT NULL)) DEFERRABLE;

ALTER TABLE batches ADD CONSTRAINT batches_pkey PRIMARY KEY (id);

ALTER TABLE bulk_change_users ADD CONSTRAINT bulk_change_users_pkey PRIMARY KEY (change_id, user_id);

ALTER TABLE bulk_changes ADD CONSTRAINT bulk_changes_pkey PRIMARY KEY (id);

ALTER TABLE business_settings ADD CONSTRAINT business_settings_pkey PRIMARY KEY (name);

ALTER TABLE carried_prompts ADD CONSTRAINT carried_prompts_pkey PRIMARY KEY (id);

ALTER TABLE collection_videos ADD CONSTRAINT collection_videos_pkey PRIMARY KEY (collection_id, video_id);

ALTER TABLE collections ADD CONSTRAINT collections_pkey PRIMARY KEY (id);

ALTER TABLE credential_days ADD CONSTRAINT credential_days_pkey PRIMARY KEY (credential_id, day);

ALTER TABLE credentials ADD CONSTRAINT credentials_pkey PRIMARY KEY (id);

ALTER TABLE customer_cards ADD CONSTRAINT customer_cards_pkey PRIMARY KEY (user_id);

ALTER TABLE draft_pictures ADD CONSTRAINT draft_pictures_pkey PRIMARY KEY (user_id, name);

ALTER TABLE drafts ADD CONSTRAINT drafts_pkey PRIMARY KEY (user_id, kind);

ALTER TABLE end_counts ADD CONSTRAINT end_counts_pkey PRIMARY KEY (starts_at, slot);

ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (id);

ALTER TABLE film_clips ADD CONSTRAINT film_clips_pkey PRIMARY KEY (film_id, place);

ALTER TABLE films ADD CONSTRAINT films_pkey PRIMARY KEY (id);

ALTER TABLE galleries ADD CONSTRAINT galleries_pkey PRIMARY KEY (user_id);

ALTER TABLE helper_requests ADD CONSTRAINT helper_requests_pkey PRIMARY KEY (id);

ALTER TABLE helper_rights ADD CONSTRAINT helper_rights_pkey PRIMARY KEY (user_id);

ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key);

ALTER TABLE invariant_checks ADD CONSTRAINT invariant_checks_pkey PRIMARY KEY (name);

ALTER TABLE key_removals ADD CONSTRAINT key_removals_pkey PRIMARY KEY (id);

ALTER TABLE known_devices ADD CONSTRAINT known_devices_pkey PRIMARY KEY (user_id, device_id);

ALTER TABLE line_entries ADD CONSTRAINT line_entries_pkey PRIMARY KEY (video_id);

ALTER TABLE load_peaks ADD CONSTRAINT load_peaks_pkey PRIMARY KEY (starts_at);

ALTER TABLE lock_outs ADD CONSTRAINT lock_outs_pkey PRIMARY KEY (key);

ALTER TABLE mass_changes ADD CONSTRAINT mass_changes_pkey PRIMARY KEY (id);

ALTER TABLE notification_emails ADD CONSTRAINT notification_emails_pkey PRIMARY KEY (user_id);

ALTER TABLE notification_webhooks ADD CONSTRAINT notification_webhooks_pkey PRIMARY KEY (user_id);

ALTER TABLE notifications ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);

ALTER TABLE order_pictures ADD CONSTRAINT order_pictures_pkey PRIMARY KEY (id);

ALTER TABLE payment_pictures ADD CONSTRAINT payment_pictures_pkey PRIMARY KEY (payment_id);

ALTER TABLE payments ADD CONSTRAINT payments_pkey PRIMARY KEY (id);

ALTER TABLE pool_assignments ADD CONSTRAINT pool_assignments_pkey PRIMARY KEY (id);

ALTER TABLE prompt_choices ADD CONSTRAINT prompt_choices_pkey PRIMARY KEY (user_id);

ALTER TABLE prompt_uses ADD CONSTRAINT prompt_uses_pkey PRIMARY KEY (user_id, prompt_id);

ALTER TABLE prompts ADD CONSTRAINT prompts_pkey PRIMARY KEY (id);

ALTER TABLE provider_failures ADD CONSTRAINT provider_failures_pkey PRIMARY KEY (id);

ALTER TABLE provider_gates ADD CONSTRAINT provider_gates_pkey PRIMARY KEY (scope);

ALTER TABLE provider_settings ADD CONSTRAINT provider_settings_pkey PRIMARY KEY (id);

ALTER TABLE push_keys ADD CONSTRAINT push_keys_pkey PRIMARY KEY (id);

ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id);

ALTER TABLE quota_adjustments ADD CONSTRAINT quota_adjustments_pkey PRIMARY KEY (id);

ALTER TABLE quota_charges ADD CONSTRAINT quota_charges_pkey PRIMARY KEY (video_id, generation);

ALTER TABLE quota_days ADD CONSTRAINT quota_days_pkey PRIMARY KEY (user_id, day);

ALTER TABLE quota_months ADD CONSTRAINT quota_months_pkey PRIMARY KEY (user_id, month);

ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);

ALTER TABLE retention ADD CONSTRAINT retention_pkey PRIMARY KEY (name);

ALTER TABLE rounds ADD CONSTRAINT rounds_pkey PRIMARY KEY (batch_id, round_no);

ALTER TABLE saved_wordings ADD CONSTRAINT saved_wordings_pkey PRIMARY KEY (user_id, hash);

ALTER TABLE second_factors ADD CONSTRAINT second_factors_pkey PRIMARY KEY (user_id);

ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (id_hash);

ALTER TABLE share_links ADD CONSTRAINT share_links_pkey PRIMARY KEY (token);

ALTER TABLE strange_words ADD CONSTRAINT strange_words_pkey PRIMARY KEY (word);

ALTER TABLE throttles ADD CONSTRAINT throttles_pkey PRIMARY KEY (key);

ALTER TABLE token_deaths ADD CONSTRAINT token_deaths_pkey PRIMARY KEY (id);

ALTER TABLE trail_entries ADD CONSTRAINT trail_entries_pkey PRIMARY KEY (id);

ALTER TABLE trial_days ADD CONSTRAINT trial_days_pkey PRIMARY KEY (day, network);

ALTER TABLE trials ADD CONSTRAINT trials_pkey PRIMARY KEY (user_id);

ALTER TABLE users ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE video_numbers ADD CONSTRAINT video_numbers_pkey PRIMARY KEY (video_id);

ALTER TABLE video_pictures ADD CONSTRAINT video_pictures_pkey PRIMARY KEY (video_id);

ALTER TABLE videos ADD CONSTRAINT videos_pkey PRIMARY KEY (id);

ALTER TABLE worker_processes ADD CONSTRAINT worker_processes_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys USING btree (key_hash);

CREATE UNIQUE INDEX api_keys_user_id_name_key ON api_keys USING btree (user_id, name);

CREATE INDEX attempts_account_scope_created_at_idx ON attempts USING btree (account_scope, created_at);

CREATE INDEX attempts_active_idx ON attempts USING btree (user_id, lane) WHERE (state = ANY (ARRAY['queued'::attempt_state, 'submitting'::attempt_state, 'submitted'::attempt_state, 'fetching'::attempt_state, 'unknown'::attempt_state]));

CREATE INDEX attempts_batch_sent_idx ON attempts USING btree (batch_id, sent_at DESC) WHERE (batch_id IS NOT NULL);

CREATE INDEX attempts_batch_unsettled_idx ON attempts USING btree (batch_id) WHERE ((state = ANY (ARRAY['queued'::attempt_state, 'submitting'::attempt_state, 'unknown'::attempt_state])) AND (batch_id IS NOT NULL));

CREATE INDEX attempts_credential_idx ON attempts USING btree (credential_id, created_at) WHERE (credential_id IS NOT NULL);

CREATE INDEX attempts_done_idx ON attempts USING btree (settled_at DESC) WHERE (state = 'done'::attempt_state);

CREATE INDEX attempts_due_idx ON attempts USING btree (due_at) WHERE (state = ANY (ARRAY['queued'::attempt_state, 'submitting'::attempt_state, 'submitted'::attempt_state, 'fetching'::attempt_state, 'unknown'::attempt_state]));

CREATE INDEX attempts_in_vain_idx ON attempts USING btree (settled_at) WHERE (state = ANY (ARRAY['failed'::attempt_state, 'abandoned'::attempt_state]));

CREATE UNIQUE INDEX attempts_order_key ON attempts USING btree (account_scope, ((ref ->> 'id'::text))) WHERE (ref IS NOT NULL);

CREATE INDEX attempts_orphaned_idx ON attempts USING btree (video_id, generation) WHERE (state = 'orphaned'::attempt_state);

CREATE UNIQUE INDEX attempts_video_id_generation_n_key ON attempts USING btree (video_id, generation, n);

CREATE INDEX batches_carries_at_idx ON batches USING btree (carries_at) WHERE (carries_at IS NOT NULL);

CREATE INDEX batches_due_idx ON batches USING btree (next_round_at) WHERE (status = 'processing'::batch_status);

CREATE UNIQUE INDEX batches_one_processing_idx ON batches USING btree (user_id) WHERE ((status = 'processing'::batch_status) AND (kind <> 'regeneration'::batch_kind));

CREATE INDEX batches_user_id_created_at_idx ON batches USING btree (user_id, created_at DESC);

CREATE INDEX bulk_change_users_user_id_idx ON bulk_change_users USING btree (user_id);

CREATE INDEX bulk_changes_created_at_idx ON bulk_changes USING btree (created_at DESC);

CREATE UNIQUE INDEX carried_prompts_batch_id_position_key ON carried_prompts USING btree (batch_id, "position");

CREATE INDEX collection_videos_collection_id_added_at_video_id_idx ON collection_videos USING btree (collection_id, added_at, video_id);

CREATE INDEX collection_videos_video_id_idx ON collection_videos USING btree (video_id);

CREATE INDEX collections_user_id_created_at_id_idx ON collections USING btree (user_id, created_at, id);

CREATE UNIQUE INDEX collections_user_id_name_key_key ON collections USING btree (user_id, name_key);

CREATE INDEX credentials_account_idx ON credentials USING btree (account);

CREATE UNIQUE INDEX credentials_default_key ON credentials USING btree (is_default) WHERE is_default;

CREATE UNIQUE INDEX credentials_fingerprint_key ON credentials USING btree (fingerprint);

CREATE INDEX credentials_pool_idx ON credentials USING btree (last_assigned_at NULLS FIRST, pool_position) WHERE (pool_position IS NOT NULL);

CREATE UNIQUE INDEX credentials_pool_position_key ON credentials USING btree (pool_position) WHERE (pool_position IS NOT NULL);

CREATE INDEX draft_pictures_added_at_idx ON draft_pictures USING btree (added_at);

CREATE INDEX draft_pictures_landscape_id_idx ON draft_pictures USING btree (landscape_id);

CREATE INDEX draft_pictures_portrait_id_idx ON draft_pictures USING btree (portrait_id);

CREATE INDEX films_ended_at_idx ON films USING btree (ended_at);

CREATE INDEX films_user_id_created_at_idx ON films USING btree (user_id, created_at DESC);

CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys USING btree (created_at);

CREATE INDEX key_removals_removed_at_idx ON key_removals USING btree (removed_at);

CREATE INDEX line_entries_batch_idx ON line_entries USING btree (batch_id) WHERE (batch_id IS NOT NULL);

CREATE INDEX line_entries_gated_idx ON line_entries USING btree (user_id, lane, entered_at, video_id) WHERE (state = 'gated'::line_state);

CREATE INDEX line_entries_moving_idx ON line_entries USING btree (user_id, lane, turn) WHERE (state <> 'gated'::line_state);

CREATE INDEX line_entries_next_idx ON line_entries USING btree (lane, turn, entered_at) WHERE (state = 'ready'::line_state);

CREATE INDEX line_entries_wake_idx ON line_entries USING btree (wake_at) WHERE (state = 'held'::line_state);

CREATE INDEX mass_changes_created_at_idx ON mass_changes USING btree (created_at DESC);

CREATE UNIQUE INDEX notification_emails_token_hash_key ON notification_emails USING btree (token_hash);

CREATE INDEX notifications_at_idx ON notifications USING btree (at);

CREATE UNIQUE INDEX notifications_batch_id_channel_key ON notifications USING btree (batch_id, channel);

CREATE INDEX notifications_user_id_at_idx ON notifications USING btree (user_id, at);

CREATE INDEX notifications_waiting_idx ON notifications USING btree (user_id, channel, next_try_at) WHERE (state = 'waiting'::notification_state);

CREATE INDEX order_pictures_created_at_idx ON order_pictures USING btree (created_at);

CREATE INDEX payment_pictures_added_at_idx ON payment_pictures USING btree (added_at);

CREATE UNIQUE INDEX payments_change_id_user_id_key ON payments USING btree (change_id, user_id);

CREATE INDEX payments_decided_at_idx ON payments USING btree (decided_at);

CREATE UNIQUE INDEX payments_open_claim_key ON payments USING btree (username, ((user_id IS NULL))) WHERE (state = 'claimed'::payment_state);

CREATE INDEX payments_picture_hash_idx ON payments USING btree (picture_hash);

CREATE UNIQUE INDEX payments_picture_once_key ON payments USING btree (picture_hash) WHERE ((state = ANY (ARRAY['confirmed'::payment_state, 'refunded'::payment_state])) AND (NOT is_repeat_seen));

CREATE INDEX payments_received_at_id_idx ON payments USING btree (received_at DESC, id DESC);

CREATE INDEX payments_reference_key_idx ON payments USING btree (reference_key);

CREATE UNIQUE INDEX payments_reference_once_key ON payments USING btree (reference_key) WHERE ((state = ANY (ARRAY['confirmed'::payment_state, 'refunded'::payment_state])) AND (NOT is_repeat_seen));

CREATE INDEX payments_state_received_at_id_idx ON payments USING btree (state, received_at DESC, id DESC);

CREATE INDEX payments_user_id_received_at_idx ON payments USING btree (user_id, received_at DESC);

CREATE INDEX payments_username_received_at_idx ON payments USING btree (username, received_at DESC);

CREATE INDEX pool_assignments_assigned_at_idx ON pool_assignments USING btree (assigned_at);

CREATE INDEX prompt_choices_prompt_id_idx ON prompt_choices USING btree (prompt_id);

CREATE INDEX prompt_uses_user_id_used_at_idx ON prompt_uses USING btree (user_id, used_at DESC);

CREATE UNIQUE INDEX prompts_current_key ON prompts USING btree (is_current) WHERE is_current;

CREATE INDEX prompts_turn_idx ON prompts USING btree (last_current_at NULLS FIRST, created_at, id);

CREATE INDEX provider_failures_failed_at_idx ON provider_failures USING btree (failed_at);

CREATE UNIQUE INDEX provider_failures_kind_scope_subject_key ON provider_failures USING btree (kind, scope, subject);

CREATE UNIQUE INDEX push_subscriptions_endpoint_key ON push_subscriptions USING btree (endpoint);

CREATE UNIQUE INDEX push_subscriptions_session_id_key ON push_subscriptions USING btree (session_id);

CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions USING btree (user_id);

CREATE INDEX quota_adjustments_user_id_day_idx ON quota_adjustments USING btree (user_id, day);

CREATE INDEX quota_charges_day_idx ON quota_charges USING btree (day);

CREATE INDEX quota_charges_user_id_day_idx ON quota_charges USING btree (user_id, day);

CREATE INDEX quota_days_day_idx ON quota_days USING btree (day);

CREATE INDEX quota_months_month_used_idx ON quota_months USING btree (month, used);

CREATE INDEX rounds_fired_at_idx ON rounds USING btree (fired_at);

CREATE INDEX sessions_expires_at_idx ON sessions USING btree (expires_at);

CREATE INDEX sessions_user_id_idx ON sessions USING btree (user_id);

CREATE INDEX share_links_collection_id_idx ON share_links USING btree (collection_id);

CREATE INDEX share_links_video_id_idx ON share_links USING btree (video_id);

CREATE INDEX token_deaths_died_at_idx ON token_deaths USING btree (died_at);

CREATE INDEX trail_entries_action_at_idx ON trail_entries USING btree (action, at DESC);

CREATE INDEX trail_entries_actor_id_at_idx ON trail_entries USING btree (actor_id, at DESC);

CREATE INDEX trail_entries_at_id_idx ON trail_entries USING btree (at DESC, id DESC);

CREATE INDEX trail_entries_subject_id_at_idx ON trail_entries USING btree (subject_id, at DESC);

CREATE INDEX users_created_at_idx ON users USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX users_credential_id_idx ON users USING btree (credential_id);

CREATE INDEX users_expiry_idx ON users USING btree (expiry_date) WHERE (deleted_at IS NULL);

CREATE INDEX users_role_active_idx ON users USING btree (role, is_active) WHERE (deleted_at IS NULL);

CREATE INDEX users_search_idx ON users USING gin ((((((username || ' '::text) || COALESCE(phone, ''::text)) || ' '::text) || COALESCE(email, ''::text))) gin_trgm_ops) WHERE (deleted_at IS NULL);

CREATE INDEX users_trash_idx ON users USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX users_username_key ON users USING btree (username) WHERE (deleted_at IS NULL);

CREATE INDEX users_username_trgm_idx ON users USING gin (username gin_trgm_ops);

CREATE UNIQUE INDEX video_numbers_user_id_number_key ON video_numbers USING btree (user_id, number);

CREATE INDEX video_pictures_picture_id_idx ON video_pictures USING btree (picture_id);

CREATE INDEX videos_active_idx ON videos USING btree (status, user_id) WHERE (status = ANY (ARRAY['pending'::video_status, 'generating'::video_status]));

CREATE INDEX videos_batch_failed_idx ON videos USING btree (batch_id) WHERE ((batch_id IS NOT NULL) AND (status = 'error'::video_status));

CREATE INDEX videos_batch_place_idx ON videos USING btree (batch_id, batch_position) WHERE (batch_id IS NOT NULL);

CREATE INDEX videos_completed_without_file_idx ON videos USING btree (id) WHERE ((status = 'completed'::video_status) AND ((file_key IS NULL) OR (file_sha256 IS NULL) OR (file_bytes IS NULL)));

CREATE INDEX videos_failed_for_idx ON videos USING btree (created_at DESC, id DESC) INCLUDE (error_code, user_id) WHERE ((deleted_at IS NULL) AND (status = 'error'::video_status));

CREATE INDEX videos_gallery_idx ON videos USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX videos_home_idx ON videos USING btree (home_batch_id, home_position) WHERE (home_batch_id IS NOT NULL);

CREATE INDEX videos_kept_idx ON videos USING btree (GREATEST(created_at, completed_at, restored_at)) WHERE ((deleted_at IS NULL) AND (status = ANY (ARRAY['completed'::video_status, 'error'::video_status])));

CREATE INDEX videos_ratio_idx ON videos USING btree (aspect_ratio, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX videos_round_idx ON videos USING btree (batch_id, batch_position) WHERE awaits_round;

CREATE INDEX videos_starred_idx ON videos USING btree (user_id, created_at DESC, id DESC) WHERE (starred AND (deleted_at IS NULL));

CREATE INDEX videos_trash_idx ON videos USING btree (deleted_at DESC, id DESC) WHERE (deleted_at IS NOT NULL);

CREATE INDEX videos_user_gallery_idx ON videos USING btree (user_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX videos_user_id_feed_version_idx ON videos USING btree (user_id, feed_version);

CREATE INDEX videos_working_idx ON videos USING btree (created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (status = ANY (ARRAY['pending'::video_status, 'generating'::video_status])));

CREATE TRIGGER batches_note_end AFTER UPDATE OF status ON batches FOR EACH ROW WHEN (((old.status <> ALL (ARRAY['completed'::batch_status, 'cancelled'::batch_status])) AND (new.status = ANY (ARRAY['completed'::batch_status, 'cancelled'::batch_status])))) EXECUTE FUNCTION note_event('batch.ended');

CREATE TRIGGER credentials_account BEFORE INSERT ON credentials FOR EACH ROW EXECUTE FUNCTION default_key_account();

CREATE TRIGGER credentials_note_death AFTER UPDATE OF state ON credentials FOR EACH ROW WHEN (((old.state <> 'dead'::credential_state) AND (new.state = 'dead'::credential_state))) EXECUTE FUNCTION note_token_death();

CREATE TRIGGER credentials_note_lost AFTER UPDATE OF state ON credentials FOR EACH ROW WHEN (((old.state <> 'dead'::credential_state) AND (new.state = 'dead'::credential_state))) EXECUTE FUNCTION note_event('key.lost');

CREATE TRIGGER payments_note_claim AFTER INSERT ON payments FOR EACH ROW WHEN ((new.state = 'claimed'::payment_state)) EXECUTE FUNCTION note_event('claim.waiting');

CREATE TRIGGER quota_charges_count_returned AFTER UPDATE ON quota_charges REFERENCING OLD TABLE AS was NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION count_returned();

CREATE TRIGGER quota_days_sum_month AFTER INSERT OR DELETE ON quota_days FOR EACH ROW EXECUTE FUNCTION add_to_quota_month();

CREATE TRIGGER quota_days_sum_month_changed AFTER UPDATE ON quota_days FOR EACH ROW WHEN (((old.reserved + old.charged) <> (new.reserved + new.charged))) EXECUTE FUNCTION add_to_quota_month();

CREATE TRIGGER users_create_gallery AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION create_gallery();

CREATE TRIGGER users_end_helper_rights AFTER UPDATE OF role ON users FOR EACH ROW WHEN ((old.role <> new.role)) EXECUTE FUNCTION end_helper_rights();

CREATE TRIGGER videos_count_added AFTER INSERT ON videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_videos();

CREATE TRIGGER videos_count_changed AFTER UPDATE ON videos REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_videos();

CREATE TRIGGER videos_count_removed AFTER DELETE ON videos REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_videos();

CREATE TRIGGER videos_stamp BEFORE INSERT OR UPDATE ON videos FOR EACH ROW EXECUTE FUNCTION stamp_video();

ALTER TABLE announcement_dismissals ADD CONSTRAINT announcement_dismissals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE api_keys ADD CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE attempts ADD CONSTRAINT attempts_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE batches ADD CONSTRAINT batches_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE bulk_change_users ADD CONSTRAINT bulk_change_users_change_id_fkey FOREIGN KEY (change_id) REFERENCES bulk_changes(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE carried_prompts ADD CONSTRAINT carried_prompts_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE collection_videos ADD CONSTRAINT collection_videos_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE collection_videos ADD CONSTRAINT collection_videos_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE collections ADD CONSTRAINT collections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE customer_cards ADD CONSTRAINT customer_cards_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE draft_pictures ADD CONSTRAINT draft_pictures_landscape_id_fkey FOREIGN KEY (landscape_id) REFERENCES order_pictures(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE draft_pictures ADD CONSTRAINT draft_pictures_portrait_id_fkey FOREIGN KEY (portrait_id) REFERENCES order_pictures(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE draft_pictures ADD CONSTRAINT draft_pictures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE drafts ADD CONSTRAINT drafts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE film_clips ADD CONSTRAINT film_clips_film_id_fkey FOREIGN KEY (film_id) REFERENCES films(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE films ADD CONSTRAINT films_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE galleries ADD CONSTRAINT galleries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE helper_rights ADD CONSTRAINT helper_rights_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE known_devices ADD CONSTRAINT known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE line_entries ADD CONSTRAINT line_entries_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE notification_emails ADD CONSTRAINT notification_emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE notification_webhooks ADD CONSTRAINT notification_webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE notifications ADD CONSTRAINT notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE payment_pictures ADD CONSTRAINT payment_pictures_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE prompt_choices ADD CONSTRAINT prompt_choices_prompt_id_fkey FOREIGN KEY (prompt_id) REFERENCES prompts(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE prompt_choices ADD CONSTRAINT prompt_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE prompt_uses ADD CONSTRAINT prompt_uses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors(user_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE rounds ADD CONSTRAINT rounds_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE saved_wordings ADD CONSTRAINT saved_wordings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE second_factors ADD CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE share_links ADD CONSTRAINT share_links_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE share_links ADD CONSTRAINT share_links_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE trials ADD CONSTRAINT trials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE users ADD CONSTRAINT users_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES credentials(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE video_numbers ADD CONSTRAINT video_numbers_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE video_pictures ADD CONSTRAINT video_pictures_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES order_pictures(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE videos ADD CONSTRAINT videos_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

RESET check_function_bodies;
