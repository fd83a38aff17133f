ALTER TABLE "known_devices" ADD COLUMN "ended_at" TIMESTAMPTZ(3);

ALTER TABLE "sessions" ADD COLUMN "device_id" UUID;
