-- As before, but a batch that was stopped ends as cancelled, whichever of its videos ends last. The
-- last one that was sent could end between two steps of taking back the others; the batch was then
-- called completed.
CREATE OR REPLACE FUNCTION tally_in_batch(batch uuid, completed int, failed int, cancelled int) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batches SET completed_videos = completed_videos + completed,
    failed_videos = failed_videos + failed, cancelled_videos = cancelled_videos + cancelled
  WHERE id = batch;
  UPDATE batches SET next_round_at = NULL, finished_at = coalesce(finished_at, engine_now()),
    status = CASE WHEN status <> 'processing' THEN status
      WHEN stopped_at IS NULL THEN 'completed' ELSE 'cancelled' END
  WHERE id = batch AND gathered_to IS NULL
    AND completed_videos + failed_videos + cancelled_videos >= total_videos;
END $$;
