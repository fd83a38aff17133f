-- One row for each lock-out of the last quarter of an hour: it decides which of many requests notes it.
CREATE TABLE "lock_outs" (
    "key" TEXT NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lock_outs_pkey" PRIMARY KEY ("key")
);
