-- CreateTable
CREATE TABLE "share_links" (
    "token" TEXT NOT NULL,
    "video_id" UUID NOT NULL,
    "shows_prompt" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "downloads" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "share_links_pkey" PRIMARY KEY ("token")
);

-- CreateIndex
CREATE INDEX "share_links_video_id_idx" ON "share_links"("video_id");

-- AddForeignKey
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_video_id_fkey" FOREIGN KEY ("video_id") REFERENCES "videos"("id") ON DELETE CASCADE ON UPDATE CASCADE;
