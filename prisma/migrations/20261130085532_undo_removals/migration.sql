ALTER TABLE "batches" ADD COLUMN "left_before" UUID;

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

-- Triggers videos_count_added, videos_count_removed and videos_count_changed, after each statement:
-- update the gallery's version and its counts by status and format, and of the cancelled ones, from the
-- rows that the statement removed and added. Videos in the trash are not counted. Planned once per connection: on
-- its own, PostgreSQL would plan the update again for each statement, which takes as long as the
-- update.
CREATE OR REPLACE FUNCTION count_videos() RETURNS trigger LANGUAGE plpgsql
  SET plan_cache_mode = 'force_generic_plan' SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  this_transaction bigint := pg_current_xact_id()::text::bigint;
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
    -- Of rows that were in the trash before, clients know.
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
    version = version + CASE WHEN bumped_in <> this_transaction THEN 1 ELSE 0 END,
    bumped_in = this_transaction,
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
