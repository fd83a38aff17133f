-- CreateTable
CREATE TABLE "collections" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "collections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "collection_videos" (
    "collection_id" UUID NOT NULL,
    "video_id" UUID NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "collection_videos_pkey" PRIMARY KEY ("collection_id","video_id")
);

-- AlterTable
-- The version before reads links only together with their video, so it does not see those of collections.
ALTER TABLE "share_links" ADD COLUMN     "collection_id" UUID,
ALTER COLUMN "video_id" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "collections_user_id_created_at_id_idx" ON "collections"("user_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "collections_user_id_name_key_key" ON "collections"("user_id", "name_key");

-- CreateIndex
CREATE INDEX "collection_videos_collection_id_added_at_video_id_idx" ON "collection_videos"("collection_id", "added_at", "video_id");

-- CreateIndex
CREATE INDEX "collection_videos_video_id_idx" ON "collection_videos"("video_id");

-- CreateIndex
-- locks: few users have links, so the table is small
CREATE INDEX "share_links_collection_id_idx" ON "share_links"("collection_id");

-- AddForeignKey
ALTER TABLE "collections" ADD CONSTRAINT "collections_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_videos" ADD CONSTRAINT "collection_videos_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_videos" ADD CONSTRAINT "collection_videos_video_id_fkey" FOREIGN KEY ("video_id") REFERENCES "videos"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
-- locks: few users have links, so the table is small
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
