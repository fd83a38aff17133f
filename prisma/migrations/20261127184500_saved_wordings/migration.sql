-- CreateTable
CREATE TABLE "saved_wordings" (
    "user_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_wordings_pkey" PRIMARY KEY ("user_id","hash")
);

-- AddForeignKey
ALTER TABLE "saved_wordings" ADD CONSTRAINT "saved_wordings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
