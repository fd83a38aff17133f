ALTER TABLE "video_pictures" ADD COLUMN     "end_picture_id" UUID;

-- locks: only videos that begin with a picture have a row, and a row is small.
CREATE INDEX "video_pictures_end_picture_id_idx" ON "video_pictures"("end_picture_id");

-- locks: as above.
ALTER TABLE "video_pictures" ADD CONSTRAINT "video_pictures_end_picture_id_fkey" FOREIGN KEY ("end_picture_id") REFERENCES "order_pictures"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
