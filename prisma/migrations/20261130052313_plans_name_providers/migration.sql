ALTER TABLE "batches" ADD COLUMN "route" TEXT NOT NULL DEFAULT 'first';

ALTER TABLE "line_entries" ADD COLUMN "route" TEXT NOT NULL DEFAULT 'first';

ALTER TABLE "provider_settings" ADD COLUMN "is_aside" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "name" TEXT NOT NULL DEFAULT 'first',
ADD COLUMN "out_since" TIMESTAMPTZ(3);

ALTER TABLE "users" ADD COLUMN "route" TEXT NOT NULL DEFAULT 'first';

-- locks: it has one row.
CREATE UNIQUE INDEX "provider_settings_name_key" ON "provider_settings"("name");

-- locks: the line is short. The previous version sorts it while both run.
DROP INDEX "line_entries_next_idx";
-- locks: as above.
CREATE INDEX "line_entries_next_idx" ON "line_entries"("route", "lane", "turn", "entered_at") WHERE state = 'ready';

-- locks: each provider has a default token of its own. There are few tokens.
DROP INDEX "credentials_default_key";
-- locks: as above.
CREATE UNIQUE INDEX "credentials_default_key" ON "credentials"(coalesce("provider", '')) WHERE is_default;

-- Closes the gaps in a user's line, and starts its first batch unless one is running: its prompts get
-- units at once. Whoever calls this, or adds to the line, has locked the user's gallery, so that no batch
-- waits behind none.
CREATE OR REPLACE FUNCTION move_up_line(orderer uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  started uuid;
BEGIN
  UPDATE batches SET status = 'processing', line_place = NULL, carries_at = engine_now(),
    speed_limit = users.speed_limit, delay_seconds = users.video_generation_speed, route = users.route
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
        route_of(ended.user_id, ended.batch_id), 'held', reason,
        engine_now() + after_ms * interval '1 millisecond', engine_now());
  END IF;
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

-- Returns the route of a video that enters the line: that of its batch, or of the user whose turn it uses.
CREATE OR REPLACE FUNCTION route_of(orderer uuid, batch uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT route FROM batches WHERE id = batch), (SELECT route FROM users WHERE id = orderer), 'first');
END $$;

-- Returns the route with which a plan is sold now.
CREATE OR REPLACE FUNCTION route_of_plan(sold plan_name) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT value->>'route' FROM business_settings WHERE name = 'plan.' || sold::text), 'first');
END $$;

-- Returns whether an entry is next in the line.
CREATE OR REPLACE FUNCTION someone_is_next() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM line_entries WHERE state = 'ready' LIMIT 1;
  RETURN FOUND;
END $$;
