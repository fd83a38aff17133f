-- CreateTable
CREATE TABLE "mass_changes" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "search" TEXT NOT NULL DEFAULT '',
    "actor_id" UUID NOT NULL,
    "actor_name" TEXT NOT NULL,
    "total" INTEGER NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "turn" INTEGER NOT NULL DEFAULT 0,
    "cursor_at" TIMESTAMPTZ(3) NOT NULL,
    "cursor_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "stopped" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "mass_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "token_deaths" (
    "id" BIGSERIAL NOT NULL,
    "died_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "token_deaths_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mass_changes_created_at_idx" ON "mass_changes"("created_at" DESC);

-- CreateIndex
CREATE INDEX "token_deaths_died_at_idx" ON "token_deaths"("died_at");

-- From here on: what the schema language cannot say.

ALTER TABLE "mass_changes"
  ADD CONSTRAINT "mass_changes_kind_check" CHECK ("kind" IN ('delete', 'restore'));

-- Everybody's videos by filter, newest first: the rare states and either ratio are found without
-- walking past the others.
CREATE INDEX "videos_failed_idx" ON "videos" ("created_at" DESC, "id" DESC)
  WHERE "deleted_at" IS NULL AND "status" = 'error';
CREATE INDEX "videos_working_idx" ON "videos" ("created_at" DESC, "id" DESC)
  WHERE "deleted_at" IS NULL AND "status" IN ('pending', 'generating');
CREATE INDEX "videos_ratio_idx" ON "videos" ("aspect_ratio", "created_at" DESC, "id" DESC)
  WHERE "deleted_at" IS NULL;

-- The trash, latest first, with its tie-break.
DROP INDEX "videos_trash_idx";
CREATE INDEX "videos_trash_idx" ON "videos" ("deleted_at" DESC, "id" DESC) WHERE "deleted_at" IS NOT NULL;

-- How a token has done lately.
CREATE INDEX "attempts_credential_idx" ON "attempts" ("credential_id", "created_at")
  WHERE "credential_id" IS NOT NULL;

-- Every token that dies is counted, whoever found it dead and whatever becomes of its row.
CREATE FUNCTION note_token_death() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO token_deaths (died_at) VALUES (engine_now());
  RETURN NULL;
END $$;
CREATE TRIGGER credentials_note_death AFTER UPDATE OF state ON credentials
  FOR EACH ROW WHEN (OLD.state <> 'dead' AND NEW.state = 'dead') EXECUTE FUNCTION note_token_death();

-- Part of a name: trigrams where the server has them (docs/decisions/0028-search-by-part-of-a-name.md).
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX IF NOT EXISTS "users_username_trgm_idx" ON "users" USING gin ("username" gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file THEN
  RAISE NOTICE 'pg_trgm is not available: names are searched row by row';
END $$;
