-- CreateTable
CREATE TABLE "business_settings" (
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "business_settings_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "announcement_dismissals" (
    "user_id" UUID NOT NULL,
    "announcement_id" UUID NOT NULL,

    CONSTRAINT "announcement_dismissals_pkey" PRIMARY KEY ("user_id")
);

-- AddForeignKey
ALTER TABLE "announcement_dismissals" ADD CONSTRAINT "announcement_dismissals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
