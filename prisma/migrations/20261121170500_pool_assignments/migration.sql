-- CreateTable
CREATE TABLE "pool_assignments" (
    "id" BIGSERIAL NOT NULL,
    "user_id" UUID NOT NULL,
    "replaced_id" UUID,
    "credential_id" UUID NOT NULL,
    "passed_over" INTEGER NOT NULL,
    "assigned_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "pool_assignments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "pool_assignments_assigned_at_idx" ON "pool_assignments"("assigned_at");
