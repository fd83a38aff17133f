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
    SELECT video_id, lane, route, entered_at FROM line_entries
    WHERE user_id = orderer AND state = 'gated' AND lane = 0
    ORDER BY entered_at, video_id LIMIT greatest(0, least(free, free_singles)) FOR UPDATE SKIP LOCKED
  ), others AS MATERIALIZED (
    SELECT video_id, lane, route, entered_at FROM line_entries
    WHERE user_id = orderer AND state = 'gated' AND lane > 0
    ORDER BY lane, entered_at, video_id LIMIT greatest(0, free - (SELECT count(*) FROM singles))
    FOR UPDATE SKIP LOCKED
  ), chosen AS (
    SELECT video_id, lane, route,
      row_number() OVER (PARTITION BY lane, route ORDER BY entered_at, video_id) - 1 AS place
    FROM (SELECT * FROM singles UNION ALL SELECT * FROM others) AS both_kinds
  ), starts AS MATERIALIZED (
    -- After the user's own last entry, and not before the entry of the route that is first now.
    SELECT lane, route, greatest(
      coalesce((SELECT own.turn + 1 FROM line_entries AS own
        WHERE own.user_id = orderer AND own.lane = lanes.lane AND own.route = lanes.route AND own.state = 'ready'
        ORDER BY own.turn DESC LIMIT 1), 0),
      coalesce((SELECT first.turn FROM line_entries AS first
        WHERE first.state = 'ready' AND first.lane = lanes.lane AND first.route = lanes.route
        ORDER BY first.turn, first.entered_at LIMIT 1), 0)) AS turn
    FROM (SELECT DISTINCT lane, route FROM chosen) AS lanes
  )
  UPDATE line_entries SET state = 'ready', turn = starts.turn + chosen.place
  FROM chosen JOIN starts ON starts.lane = chosen.lane AND starts.route = chosen.route
  WHERE line_entries.video_id = chosen.video_id;
  GET DIAGNOSTICS admitted = ROW_COUNT;
  RETURN admitted;
END $$;

-- Returns the route of a video that enters the line: that of its batch, or of its owner. An administrator's
-- regeneration is of videos of several owners and has none.
CREATE OR REPLACE FUNCTION route_of(orderer uuid, batch uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT route FROM batches WHERE id = batch AND kind <> 'regeneration'),
    (SELECT route FROM users WHERE id = orderer), 'first');
END $$;

-- Returns the route with which a plan is sold now.
CREATE OR REPLACE FUNCTION route_of_plan(sold plan_name) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT value->>'route' FROM business_settings WHERE name = 'plan.' || sold::text), 'first');
END $$;

-- Returns how many units a video uses with which a plan is sold now.
CREATE OR REPLACE FUNCTION clip_units_of_plan(sold plan_name) RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT (value->>'clipUnits')::int FROM business_settings WHERE name = 'plan.' || sold::text), 1);
END $$;

-- Returns whether an entry is next in the line.
CREATE OR REPLACE FUNCTION someone_is_next() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM line_entries WHERE state = 'ready' LIMIT 1;
  RETURN FOUND;
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
