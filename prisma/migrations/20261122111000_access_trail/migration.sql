-- Who fails to sign in is nobody that is known.
ALTER TABLE "trail_entries" ALTER COLUMN "actor_id" DROP NOT NULL;
