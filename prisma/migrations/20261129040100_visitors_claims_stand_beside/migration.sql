-- A claim without an account was reported by somebody who was not signed in: it stands beside that of the
-- number's owner. The name stays, by which the previous version knows a second claim.
-- locks: only claims that wait are in this index, a few
DROP INDEX "payments_open_claim_key";
-- locks: the book has one row per payment, and building the index reads it in a fraction of a second
CREATE UNIQUE INDEX "payments_open_claim_key" ON "payments" ("username", ("user_id" IS NULL)) WHERE "state" = 'claimed';
