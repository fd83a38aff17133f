-- A picture of a video that is being made. It is removed when the attempt ends.
ALTER TABLE "attempts" ADD COLUMN "still" BYTEA;
