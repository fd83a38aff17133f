-- How far the provider says an order is, for whoever waits for it. Null: the provider does not tell.
ALTER TABLE "attempts" ADD COLUMN "percent" SMALLINT;
