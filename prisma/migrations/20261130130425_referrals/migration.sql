-- CreateTable
CREATE TABLE "referrals" (
    "invited_id" UUID NOT NULL,
    "inviter_id" UUID NOT NULL,
    "registered_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "decided_at" TIMESTAMPTZ(3),
    "paid_change_id" UUID,
    "change_id" UUID,
    "days" INTEGER NOT NULL DEFAULT 0,
    "videos" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "referrals_pkey" PRIMARY KEY ("invited_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "referrals_change_id_key" ON "referrals"("change_id");

-- CreateIndex
CREATE INDEX "referrals_inviter_id_idx" ON "referrals"("inviter_id");

-- CreateIndex
CREATE INDEX "referrals_paid_change_id_idx" ON "referrals"("paid_change_id");
