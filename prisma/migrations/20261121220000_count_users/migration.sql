-- How many accounts of each role there are, and how many are active, is read from this alone.
CREATE INDEX "users_role_active_idx" ON "users" ("role", "is_active") WHERE "deleted_at" IS NULL;
