-- CreateTable
CREATE TABLE "order_pictures" (
    "id" UUID NOT NULL,
    "file_key" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "order_pictures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "video_pictures" (
    "video_id" UUID NOT NULL,
    "picture_id" UUID NOT NULL,

    CONSTRAINT "video_pictures_pkey" PRIMARY KEY ("video_id")
);

-- CreateIndex
CREATE INDEX "order_pictures_created_at_idx" ON "order_pictures"("created_at");

-- CreateIndex
CREATE INDEX "video_pictures_picture_id_idx" ON "video_pictures"("picture_id");

-- AddForeignKey
ALTER TABLE "video_pictures" ADD CONSTRAINT "video_pictures_picture_id_fkey" FOREIGN KEY ("picture_id") REFERENCES "order_pictures"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
