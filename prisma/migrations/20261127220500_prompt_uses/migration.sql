-- CreateTable
CREATE TABLE "prompt_uses" (
    "user_id" UUID NOT NULL,
    "prompt_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prompt_uses_pkey" PRIMARY KEY ("user_id","prompt_id")
);

-- CreateIndex
CREATE INDEX "prompt_uses_user_id_used_at_idx" ON "prompt_uses"("user_id", "used_at" DESC);

-- AddForeignKey
ALTER TABLE "prompt_uses" ADD CONSTRAINT "prompt_uses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
