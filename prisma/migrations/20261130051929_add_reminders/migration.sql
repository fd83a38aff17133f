ALTER TABLE "notifications" ADD COLUMN "reminder" TEXT, ADD COLUMN "of_end" TIMESTAMPTZ(3);

-- A reminder is sent once by each channel. One that was dropped may be written again.
-- locks: it contains no row of the old version, and reads the messages of 30 days.
CREATE UNIQUE INDEX "notifications_reminder_key" ON "notifications" ("user_id", "reminder", "of_end", "channel")
  WHERE reminder IS NOT NULL AND state <> 'dropped';

CREATE TABLE "reminder_settings" (
    "user_id" UUID NOT NULL,
    "plan_end" BOOLEAN NOT NULL,
    "nearly_used" BOOLEAN NOT NULL,
    "quiet_from" TEXT,
    "quiet_until" TEXT,

    CONSTRAINT "reminder_settings_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "reminder_settings_quiet" CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
);

ALTER TABLE "reminder_settings" ADD CONSTRAINT "reminder_settings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
