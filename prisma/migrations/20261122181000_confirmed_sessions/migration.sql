-- When the password was last given again in a session: some actions of administrators ask for it.
ALTER TABLE "sessions" ADD COLUMN "confirmed_at" TIMESTAMPTZ(3);
