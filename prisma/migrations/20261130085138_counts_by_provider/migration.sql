-- locks: it has a few rows for each quarter of an hour of two months.
ALTER TABLE "end_counts" DROP CONSTRAINT "end_counts_pkey",
ADD COLUMN "provider" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "end_counts_pkey" PRIMARY KEY ("starts_at", "slot", "provider");

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
    UPDATE end_counts SET delivered = delivered + 1, times[step] = times[step] + 1
      WHERE starts_at = quarter AND slot = own_slot AND provider = ended.provider;
  ELSE
    UPDATE end_counts SET failed = failed + 1
      WHERE starts_at = quarter AND slot = own_slot AND provider = ended.provider;
  END IF;
END $$;
