-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "price" INTEGER;

-- A helper may ask the administrators to give a plan without a payment: a claim of 0.
-- locks: payments are few, some a day, and every row passes the wider check
ALTER TABLE "payments" DROP CONSTRAINT "payments_money",
  ADD CONSTRAINT "payments_money" CHECK ("amount" >= 0 AND "refunded" BETWEEN 0 AND "amount" AND "currency" ~ '^[A-Z]{3}$');
