-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- Ends a batch, unless it has ended already, and returns whether it did. Whatever ends a batch calls
-- this.
CREATE OR REPLACE FUNCTION end_batch(batch uuid, outcome batch_status) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batches SET status = outcome, next_round_at = NULL, gathered_to = NULL, finished_at = engine_now()
  WHERE id = batch AND status = 'processing';
  RETURN FOUND;
END $$;

-- Ends a batch if all its videos have ended: as cancelled if it was stopped, whichever of its videos
-- ends last.
CREATE OR REPLACE FUNCTION end_batch_if_done(batch uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM end_batch(id, CASE WHEN stopped_at IS NULL THEN 'completed' ELSE 'cancelled' END::batch_status)
  FROM batches WHERE id = batch AND status = 'processing' AND gathered_to IS NULL
    AND completed_videos + failed_videos + cancelled_videos >= total_videos;
END $$;

-- Counts ended videos in their batch, and ends the batch with its last one.
CREATE OR REPLACE FUNCTION tally_in_batch(batch uuid, completed int, failed int, cancelled int) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batches SET completed_videos = completed_videos + completed,
    failed_videos = failed_videos + failed, cancelled_videos = cancelled_videos + cancelled
  WHERE id = batch;
  PERFORM end_batch_if_done(batch);
END $$;

-- Records an event and adds the job in which app/domain/events hears it. The trigger of each kind
-- names the kind.
CREATE OR REPLACE FUNCTION note_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event uuid := gen_random_uuid();
BEGIN
  INSERT INTO events (id, kind, subject_id, at) VALUES (event, TG_ARGV[0], NEW.id, engine_now());
  PERFORM add_wake_ups(json_build_array(json_build_object('name', 'events.hear',
    'payload', json_build_object('eventId', event), 'key', 'event ' || event)));
  RETURN NULL;
END $$;

-- A batch leaves 'processing' once, so it has one event, whoever ends it: the previous version, which
-- runs beside this one during an upgrade, included. The end of a video has no event, because nobody
-- listens and there are thousands a day; whoever needs it adds a trigger like this one.
CREATE TRIGGER batches_note_end AFTER UPDATE OF status ON batches FOR EACH ROW
  WHEN (OLD.status = 'processing' AND NEW.status <> 'processing') EXECUTE FUNCTION note_event('batch.ended');
