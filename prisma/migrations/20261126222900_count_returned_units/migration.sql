-- Settling a charge waits until this migration ends, so that no returned unit is missed or counted
-- twice. A settlement that is waiting finds the trigger.
LOCK TABLE "quota_charges" IN SHARE ROW EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "quota_days" ADD COLUMN     "returned" INTEGER NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION count_returned() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER quota_charges_count_returned AFTER UPDATE ON quota_charges
  REFERENCING OLD TABLE AS was NEW TABLE AS now_is
  FOR EACH STATEMENT EXECUTE FUNCTION count_returned();

-- locks: only the days with returned units are changed, and a million charges are read in a second
UPDATE quota_days AS days SET returned = units.n + days.removed_returned
FROM (
  SELECT user_id, day, sum(n)::int AS n FROM (
    SELECT user_id, day, count(*) AS n FROM quota_charges WHERE state = 'returned' GROUP BY 1, 2
    UNION ALL
    SELECT user_id, day, 0 FROM quota_days WHERE removed_returned > 0
  ) AS known GROUP BY 1, 2
) AS units
WHERE days.user_id = units.user_id AND days.day = units.day;
