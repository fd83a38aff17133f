import { NO_TEXTS } from '~/domain/videos/order-fields'
import type { VideoView } from '~/domain/videos/types'

export const NO_VIDEOS = { total: 0, completed: 0, inProgress: 0, failed: 0, cancelled: 0 }

/** A video for tests that have no database. */
export const testVideo = (
  id: string,
  status: VideoView['status'],
  columns: Partial<VideoView> = {},
): VideoView => ({
  id,
  status,
  prompt: id,
  ...NO_TEXTS,
  name: null,
  aspectRatio: 'portrait',
  model: 'm',
  batchId: null,
  videoUrl: null,
  thumbnailUrl: null,
  errorMessage: null,
  errorCode: null,
  regenerateCount: 0,
  regeneratedByAdmin: false,
  starred: false,
  completedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  user: { username: 'u' },
  ...columns,
})
