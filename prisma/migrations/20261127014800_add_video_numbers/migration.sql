-- CreateTable
CREATE TABLE "video_numbers" (
    "video_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,

    CONSTRAINT "video_numbers_pkey" PRIMARY KEY ("video_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "video_numbers_user_id_number_key" ON "video_numbers"("user_id", "number");

-- AddForeignKey
ALTER TABLE "video_numbers" ADD CONSTRAINT "video_numbers_video_id_fkey" FOREIGN KEY ("video_id") REFERENCES "videos"("id") ON DELETE CASCADE ON UPDATE CASCADE;
