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

-- Triggers quota_days_sum_month and quota_days_sum_month_changed: keep what each user used in a
-- month, by which the administrators' lists sort and sum over all users.
CREATE OR REPLACE FUNCTION add_to_quota_month() RETURNS trigger LANGUAGE plpgsql AS $$
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
