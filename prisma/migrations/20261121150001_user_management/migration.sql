-- AlterTable
ALTER TABLE "quota_days" ADD COLUMN     "gifted" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "quota_months" (
    "user_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "quota_months_pkey" PRIMARY KEY ("user_id","month")
);

-- CreateTable
CREATE TABLE "bulk_changes" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "actor_name" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bulk_change_users" (
    "change_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,

    CONSTRAINT "bulk_change_users_pkey" PRIMARY KEY ("change_id","user_id")
);

-- CreateIndex
CREATE INDEX "quota_days_day_idx" ON "quota_days"("day");

-- CreateIndex
CREATE INDEX "quota_months_month_used_idx" ON "quota_months"("month", "used");

-- CreateIndex
CREATE INDEX "bulk_changes_created_at_idx" ON "bulk_changes"("created_at" DESC);

-- AddForeignKey
ALTER TABLE "bulk_change_users" ADD CONSTRAINT "bulk_change_users_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "bulk_changes"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- From here on: what the schema language cannot say.

-- Searching users by any part of a name or number, however many there are.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX "users_search_idx" ON "users"
  USING gin (("username" || ' ' || coalesce("phone", '') || ' ' || coalesce("email", '')) gin_trgm_ops)
  WHERE "deleted_at" IS NULL;
CREATE INDEX "users_expiry_idx" ON "users" ("expiry_date") WHERE "deleted_at" IS NULL;
CREATE INDEX "users_trash_idx" ON "users" ("deleted_at") WHERE "deleted_at" IS NOT NULL;

ALTER TABLE "quota_days" ADD CONSTRAINT "quota_days_gifted_check" CHECK ("gifted" >= 0);

-- What a user used in a month, kept with every change of one of its days: the administrator's lists
-- sort and sum by it over all users.
CREATE FUNCTION add_to_quota_month() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid := coalesce(NEW.user_id, OLD.user_id);
  of_month date := date_trunc('month', coalesce(NEW.day, OLD.day))::date;
  change int := coalesce(NEW.reserved + NEW.charged, 0) - coalesce(OLD.reserved + OLD.charged, 0);
BEGIN
  IF change <> 0 THEN
    INSERT INTO quota_months AS m (user_id, month, used) VALUES (owner, of_month, change)
    ON CONFLICT (user_id, month) DO UPDATE SET used = m.used + excluded.used;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER quota_days_sum_month AFTER INSERT OR UPDATE OR DELETE ON quota_days
  FOR EACH ROW EXECUTE FUNCTION add_to_quota_month();
INSERT INTO quota_months (user_id, month, used)
  SELECT user_id, date_trunc('month', day)::date, sum(reserved + charged) FROM quota_days GROUP BY 1, 2;
