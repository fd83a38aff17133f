-- CreateTable
CREATE TABLE "customer_cards" (
    "user_id" UUID NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "language" TEXT,
    "contacted_at" TIMESTAMPTZ(3),
    "contacted_for" TEXT,

    CONSTRAINT "customer_cards_pkey" PRIMARY KEY ("user_id")
);

-- AddForeignKey
ALTER TABLE "customer_cards" ADD CONSTRAINT "customer_cards_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
