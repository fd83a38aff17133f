-- Counts what ended the sessions of a user: a new password, role or second factor.
ALTER TABLE "users" ADD COLUMN "access_version" INTEGER NOT NULL DEFAULT 0;
