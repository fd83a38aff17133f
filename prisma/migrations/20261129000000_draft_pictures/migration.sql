-- AlterTable
ALTER TABLE "order_pictures" ADD COLUMN     "name" TEXT,
ADD COLUMN     "twin_id" UUID;

-- CreateTable
CREATE TABLE "draft_pictures" (
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "portrait_id" UUID,
    "landscape_id" UUID,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "draft_pictures_pkey" PRIMARY KEY ("user_id","name")
);

-- CreateIndex
CREATE INDEX "draft_pictures_portrait_id_idx" ON "draft_pictures"("portrait_id");

-- CreateIndex
CREATE INDEX "draft_pictures_landscape_id_idx" ON "draft_pictures"("landscape_id");

-- CreateIndex
CREATE INDEX "draft_pictures_added_at_idx" ON "draft_pictures"("added_at");

-- AddForeignKey
ALTER TABLE "draft_pictures" ADD CONSTRAINT "draft_pictures_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "draft_pictures" ADD CONSTRAINT "draft_pictures_portrait_id_fkey" FOREIGN KEY ("portrait_id") REFERENCES "order_pictures"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "draft_pictures" ADD CONSTRAINT "draft_pictures_landscape_id_fkey" FOREIGN KEY ("landscape_id") REFERENCES "order_pictures"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
