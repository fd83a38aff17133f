-- CreateTable
CREATE TABLE "alarms" (
    "name" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3),
    "is_owed" BOOLEAN NOT NULL,

    CONSTRAINT "alarms_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "alarm_notices" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "told_at" TIMESTAMPTZ(3),

    CONSTRAINT "alarm_notices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alarm_messages" (
    "id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,

    CONSTRAINT "alarm_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "known_devices" (
    "user_id" UUID NOT NULL,
    "device_id" UUID NOT NULL,
    "user_agent" TEXT,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_devices_pkey" PRIMARY KEY ("user_id","device_id")
);

-- AddForeignKey
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Records an event and adds the job in which app/domain/events hears it.
CREATE OR REPLACE FUNCTION write_event(kind text, subject uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event uuid := gen_random_uuid();
BEGIN
  INSERT INTO events (id, kind, subject_id, at) VALUES (event, write_event.kind, subject, engine_now());
  PERFORM add_wake_ups(json_build_array(json_build_object('name', 'events.hear',
    'payload', json_build_object('eventId', event), 'key', 'event ' || event)));
END $$;

-- The same as a trigger. Each trigger names its kind.
CREATE OR REPLACE FUNCTION note_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_event(TG_ARGV[0], NEW.id);
  RETURN NULL;
END $$;

-- Whatever finds a key dead, administrators are told (app/domain/alarms).
CREATE TRIGGER credentials_note_lost AFTER UPDATE OF state ON credentials FOR EACH ROW
  WHEN (OLD.state <> 'dead' AND NEW.state = 'dead') EXECUTE FUNCTION note_event('key.lost');
