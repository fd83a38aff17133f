-- A session keeps its id when its token changes: forms prove the session, not the token.
ALTER TABLE "sessions" ADD COLUMN "id" UUID NOT NULL DEFAULT gen_random_uuid();
