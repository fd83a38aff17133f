-- What a day's units were granted under: lets a statement tell, afterwards and for every user, that
-- no quota was ever exceeded (a limit may be lowered below what is used already).
ALTER TABLE "quota_days" ADD COLUMN "granted_limit" INTEGER;
