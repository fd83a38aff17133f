ALTER TABLE "helper_rights" ADD COLUMN "codes_up_to" INTEGER;

CREATE TABLE "prepaid_codes" (
    "id" UUID NOT NULL,
    "lot_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "plan" plan_name NOT NULL,
    "days" INTEGER NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "sold_to" TEXT,
    "note" TEXT,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "counts_sold" BOOLEAN NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "made_by_id" UUID NOT NULL,
    "made_by" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "changed_at" TIMESTAMPTZ(3),
    "change_id" UUID,

    CONSTRAINT "prepaid_codes_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "prepaid_codes_state" CHECK (state IN ('open', 'used', 'blocked')
      AND (state = 'open') = (changed_at IS NULL) AND (state = 'used') = (change_id IS NOT NULL)),
    CONSTRAINT "prepaid_codes_money" CHECK (amount > 0 AND days > 0 AND currency ~ '^[A-Z]{3}$')
);

CREATE UNIQUE INDEX "prepaid_codes_hash_key" ON "prepaid_codes"("hash");
CREATE UNIQUE INDEX "prepaid_codes_change_id_key" ON "prepaid_codes"("change_id");
CREATE UNIQUE INDEX "prepaid_codes_lot_id_number_key" ON "prepaid_codes"("lot_id", "number");
CREATE INDEX "prepaid_codes_state_ends_at_id_idx" ON "prepaid_codes"("state", "ends_at", "id");
CREATE INDEX "prepaid_codes_state_changed_at_id_idx" ON "prepaid_codes"("state", "changed_at" DESC, "id" DESC);
CREATE INDEX "prepaid_codes_made_by_id_made_at_idx" ON "prepaid_codes"("made_by_id", "made_at");

-- Income of unused codes by month and week.
CREATE INDEX "prepaid_codes_counted_idx" ON "prepaid_codes"("made_at") WHERE counts_sold AND state = 'open';
