-- AlterEnum
ALTER TYPE "batch_status" ADD VALUE 'queued';

-- AlterTable
ALTER TABLE "batches" ADD COLUMN     "line_place" SMALLINT
  CONSTRAINT "batches_line_place_check" CHECK ("line_place" BETWEEN 1 AND 5);

-- So at most five of a user wait in line, whoever adds them. One statement may move several: it is checked
-- at the end of each.
-- locks: no row has a place yet, and batches are few.
ALTER TABLE "batches" ADD CONSTRAINT "batches_line_place_excl"
  EXCLUDE USING btree ("user_id" WITH =, "line_place" WITH =) WHERE ("line_place" IS NOT NULL) DEFERRABLE;

-- One that is cancelled in line has ended as well. A batch has one event.
CREATE OR REPLACE TRIGGER batches_note_end AFTER UPDATE OF status ON batches FOR EACH ROW
  WHEN (OLD.status NOT IN ('completed', 'cancelled') AND NEW.status IN ('completed', 'cancelled'))
  EXECUTE FUNCTION note_event('batch.ended');

-- Closes the gaps in a user's line, and starts its first batch unless one is running: its prompts get
-- units at once. Whoever calls this, or adds to the line, has locked the user's gallery, so that no batch
-- waits behind none.
CREATE OR REPLACE FUNCTION move_up_line(orderer uuid) RETURNS void LANGUAGE plpgsql AS $$
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

-- Ends a batch, unless it has ended already, and returns whether it did. The line behind it moves up.
-- Whatever ends a batch calls this.
CREATE OR REPLACE FUNCTION end_batch(batch uuid, outcome batch_status) RETURNS boolean LANGUAGE plpgsql AS $$
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

-- Ends a batch if all its videos have ended: as cancelled if it was stopped, whichever of its videos
-- ends last.
CREATE OR REPLACE FUNCTION end_batch_if_done(batch uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM end_batch(id, CASE WHEN stopped_at IS NULL THEN 'completed' ELSE 'cancelled' END::batch_status)
  FROM batches WHERE id = batch AND status IN ('queued', 'processing') AND gathered_to IS NULL
    AND completed_videos + failed_videos + cancelled_videos >= total_videos;
END $$;
