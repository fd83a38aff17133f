-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "user_role" AS ENUM ('admin', 'editor', 'user');

-- CreateEnum
CREATE TYPE "plan_name" AS ENUM ('Starter', 'Professional', 'Business', 'Enterprise');

-- CreateEnum
CREATE TYPE "aspect_ratio" AS ENUM ('portrait', 'landscape');

-- CreateEnum
CREATE TYPE "video_status" AS ENUM ('pending', 'generating', 'completed', 'error');

-- CreateEnum
CREATE TYPE "attempt_state" AS ENUM ('queued', 'submitting', 'submitted', 'fetching', 'unknown', 'done', 'failed', 'orphaned', 'abandoned');

-- CreateEnum
CREATE TYPE "line_state" AS ENUM ('gated', 'ready', 'held');

-- CreateEnum
CREATE TYPE "charge_state" AS ENUM ('reserved', 'charged', 'returned');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "username" TEXT NOT NULL,
    "phone" TEXT,
    "email" TEXT,
    "password_hash" TEXT,
    "role" "user_role" NOT NULL DEFAULT 'user',
    "plan" "plan_name",
    "video_limit" INTEGER NOT NULL,
    "speed_limit" INTEGER NOT NULL,
    "video_generation_speed" INTEGER NOT NULL,
    "expiry_date" TIMESTAMPTZ(3),
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id_hash")
);

-- CreateTable
CREATE TABLE "throttles" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "throttles_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "galleries" (
    "user_id" UUID NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 0,
    "bumped_in" BIGINT NOT NULL DEFAULT 0,
    "pending_portrait" INTEGER NOT NULL DEFAULT 0,
    "pending_landscape" INTEGER NOT NULL DEFAULT 0,
    "generating_portrait" INTEGER NOT NULL DEFAULT 0,
    "generating_landscape" INTEGER NOT NULL DEFAULT 0,
    "completed_portrait" INTEGER NOT NULL DEFAULT 0,
    "completed_landscape" INTEGER NOT NULL DEFAULT 0,
    "error_portrait" INTEGER NOT NULL DEFAULT 0,
    "error_landscape" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "galleries_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "videos" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "prompt" TEXT NOT NULL,
    "negative_prompt" TEXT,
    "aspect_ratio" "aspect_ratio" NOT NULL,
    "status" "video_status" NOT NULL DEFAULT 'pending',
    "model" TEXT NOT NULL,
    "seed" INTEGER NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "regenerate_count" INTEGER NOT NULL DEFAULT 0,
    "regenerated_by_admin" BOOLEAN NOT NULL DEFAULT false,
    "error_code" TEXT,
    "error_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "feed_version" BIGINT NOT NULL DEFAULT 0,
    "file_key" TEXT,
    "poster_key" TEXT,
    "file_bytes" BIGINT,
    "file_sha256" TEXT,
    "file_crc32" BIGINT,
    "duration_ms" INTEGER,

    CONSTRAINT "videos_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "id" UUID NOT NULL,
    "video_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "n" INTEGER NOT NULL,
    "user_id" UUID NOT NULL,
    "lane" SMALLINT NOT NULL,
    "state" "attempt_state" NOT NULL DEFAULT 'queued',
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "account_scope" TEXT NOT NULL,
    "lease_token" UUID,
    "lease_pool" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "ref" JSONB,
    "asset" JSONB,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "step_tries" INTEGER NOT NULL DEFAULT 0,
    "fault" TEXT,
    "acceptance" TEXT,
    "evidence" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "line_entries" (
    "video_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "user_id" UUID NOT NULL,
    "lane" SMALLINT NOT NULL,
    "turn" BIGINT NOT NULL DEFAULT 0,
    "state" "line_state" NOT NULL,
    "hold_reason" TEXT,
    "wake_at" TIMESTAMPTZ(3),
    "entered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "line_entries_pkey" PRIMARY KEY ("video_id")
);

-- CreateTable
CREATE TABLE "quota_days" (
    "user_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "reserved" INTEGER NOT NULL DEFAULT 0,
    "charged" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "quota_days_pkey" PRIMARY KEY ("user_id","day")
);

-- CreateTable
CREATE TABLE "quota_charges" (
    "video_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "user_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "epoch" INTEGER NOT NULL,
    "state" "charge_state" NOT NULL DEFAULT 'reserved',
    "reason" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "quota_charges_pkey" PRIMARY KEY ("video_id","generation")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "user_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "result" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("user_id","key")
);

-- CreateTable
CREATE TABLE "worker_leases" (
    "pool_id" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "beat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_leases_pkey" PRIMARY KEY ("pool_id")
);

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "videos_user_id_feed_version_idx" ON "videos"("user_id", "feed_version");

-- CreateIndex
CREATE UNIQUE INDEX "attempts_video_id_generation_n_key" ON "attempts"("video_id", "generation", "n");

-- CreateIndex
CREATE INDEX "line_entries_user_id_state_lane_entered_at_idx" ON "line_entries"("user_id", "state", "lane", "entered_at");

-- CreateIndex
CREATE INDEX "quota_charges_user_id_day_idx" ON "quota_charges"("user_id", "day");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "galleries" ADD CONSTRAINT "galleries_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "videos" ADD CONSTRAINT "videos_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_video_id_fkey" FOREIGN KEY ("video_id") REFERENCES "videos"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- From here on: what the schema language cannot say.

-- The engine's clock. Every decision about time is made in the database, by this one function, so
-- that no machine's own clock matters. Stable, so that an index can be searched with it.
CREATE FUNCTION engine_now() RETURNS timestamptz
  LANGUAGE sql STABLE PARALLEL SAFE
  AS 'SELECT statement_timestamp()';

-- A username is taken only while its owner is not in the trash.
CREATE UNIQUE INDEX "users_username_key" ON "users" ("username") WHERE "deleted_at" IS NULL;
CREATE INDEX "users_created_at_idx" ON "users" ("created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
ALTER TABLE "users"
  ADD CONSTRAINT "users_limits_check" CHECK ("video_limit" >= 0 AND "speed_limit" >= 1 AND "video_generation_speed" BETWEEN 0 AND 180);

-- Galleries: one user's, and everybody's, newest first.
CREATE INDEX "videos_user_gallery_idx" ON "videos" ("user_id", "created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "videos_gallery_idx" ON "videos" ("created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "videos_trash_idx" ON "videos" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "videos_active_idx" ON "videos" ("status", "user_id") WHERE "status" IN ('pending', 'generating');

-- Storage keys are made by the server; nothing else ever reaches a path.
ALTER TABLE "videos"
  ADD CONSTRAINT "videos_file_key_check" CHECK ("file_key" ~ '^[0-9a-f]{2}/[0-9a-f-]{36}\.mp4$'),
  ADD CONSTRAINT "videos_poster_key_check" CHECK ("poster_key" ~ '^[0-9a-f]{2}/[0-9a-f-]{36}\.jpg$'),
  ADD CONSTRAINT "videos_completed_has_file_check" CHECK ("status" <> 'completed' OR "file_key" IS NOT NULL);

-- Attempts under way are few however many have ended.
CREATE INDEX "attempts_active_idx" ON "attempts" ("user_id", "lane")
  WHERE "state" IN ('queued', 'submitting', 'submitted', 'fetching', 'unknown');

-- The line: who is next, who is held until when.
CREATE INDEX "line_entries_next_idx" ON "line_entries" ("lane", "turn", "entered_at") WHERE "state" = 'ready';
CREATE INDEX "line_entries_wake_idx" ON "line_entries" ("wake_at") WHERE "state" = 'held';

ALTER TABLE "quota_days"
  ADD CONSTRAINT "quota_days_counts_check" CHECK ("reserved" >= 0 AND "charged" >= 0);

-- Every user has a gallery from the start.
CREATE FUNCTION create_gallery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO galleries (user_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER users_create_gallery AFTER INSERT ON users
  FOR EACH ROW EXECUTE FUNCTION create_gallery();

-- The gallery's version rises once in each transaction that changes one of its videos. The row
-- stays locked until that transaction ends, so versions become visible in their order: whoever
-- has seen version v will find every later change above v.
CREATE FUNCTION raise_gallery_version(owner uuid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  this_transaction bigint := pg_current_xact_id()::text::bigint;
  raised bigint;
BEGIN
  UPDATE galleries SET version = version + 1, bumped_in = this_transaction
    WHERE user_id = owner AND bumped_in <> this_transaction
    RETURNING version INTO raised;
  IF raised IS NULL THEN
    SELECT version INTO raised FROM galleries WHERE user_id = owner;
  END IF;
  RETURN raised;
END $$;

CREATE FUNCTION stamp_video() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.feed_version := raise_gallery_version(NEW.user_id);
  RETURN NEW;
END $$;
CREATE TRIGGER videos_stamp BEFORE INSERT OR UPDATE ON videos
  FOR EACH ROW EXECUTE FUNCTION stamp_video();

-- The gallery's counts, from what one statement removed and added.
CREATE FUNCTION count_videos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM apply_video_counts(array_agg(user_id), array_agg(status), array_agg(aspect_ratio), array_agg(n))
      FROM (SELECT user_id, status, aspect_ratio, count(*)::int AS n
              FROM added WHERE deleted_at IS NULL GROUP BY 1, 2, 3) AS change;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM apply_video_counts(array_agg(user_id), array_agg(status), array_agg(aspect_ratio), array_agg(n))
      FROM (SELECT user_id, status, aspect_ratio, -count(*)::int AS n
              FROM removed WHERE deleted_at IS NULL GROUP BY 1, 2, 3) AS change;
  ELSE
    PERFORM apply_video_counts(array_agg(user_id), array_agg(status), array_agg(aspect_ratio), array_agg(n))
      FROM (SELECT user_id, status, aspect_ratio, sum(one)::int AS n
              FROM (SELECT user_id, status, aspect_ratio, 1 AS one FROM added WHERE deleted_at IS NULL
                    UNION ALL
                    SELECT user_id, status, aspect_ratio, -1 FROM removed WHERE deleted_at IS NULL) AS rows
             GROUP BY 1, 2, 3 HAVING sum(one) <> 0) AS change;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION apply_video_counts(owners uuid[], statuses video_status[], ratios aspect_ratio[], changes int[]) RETURNS void
LANGUAGE sql AS $$
  UPDATE galleries SET
    pending_portrait = pending_portrait + coalesce(pp, 0),
    pending_landscape = pending_landscape + coalesce(pl, 0),
    generating_portrait = generating_portrait + coalesce(gp, 0),
    generating_landscape = generating_landscape + coalesce(gl, 0),
    completed_portrait = completed_portrait + coalesce(cp, 0),
    completed_landscape = completed_landscape + coalesce(cl, 0),
    error_portrait = error_portrait + coalesce(ep, 0),
    error_landscape = error_landscape + coalesce(el, 0)
  FROM (
    SELECT owner,
      sum(n) FILTER (WHERE s = 'pending' AND r = 'portrait') AS pp,
      sum(n) FILTER (WHERE s = 'pending' AND r = 'landscape') AS pl,
      sum(n) FILTER (WHERE s = 'generating' AND r = 'portrait') AS gp,
      sum(n) FILTER (WHERE s = 'generating' AND r = 'landscape') AS gl,
      sum(n) FILTER (WHERE s = 'completed' AND r = 'portrait') AS cp,
      sum(n) FILTER (WHERE s = 'completed' AND r = 'landscape') AS cl,
      sum(n) FILTER (WHERE s = 'error' AND r = 'portrait') AS ep,
      sum(n) FILTER (WHERE s = 'error' AND r = 'landscape') AS el
    FROM unnest(owners, statuses, ratios, changes) AS change(owner, s, r, n)
    GROUP BY owner
  ) AS sums
  WHERE user_id = owner
$$;

CREATE TRIGGER videos_count_added AFTER INSERT ON videos
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_videos();
CREATE TRIGGER videos_count_removed AFTER DELETE ON videos
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_videos();
CREATE TRIGGER videos_count_changed AFTER UPDATE ON videos
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_videos();
