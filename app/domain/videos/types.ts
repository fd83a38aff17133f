export type VideoStatus = 'pending' | 'generating' | 'completed' | 'error'

export const ASPECT_RATIOS = ['portrait', 'landscape'] as const
export type AspectRatio = (typeof ASPECT_RATIOS)[number]

/** An attempt that is under way; statements say the same with `ACTIVE` (engine/attempts.server.ts). */
export const ACTIVE_STATES = ['queued', 'submitting', 'submitted', 'fetching', 'unknown'] as const
export type AttemptState =
  (typeof ACTIVE_STATES)[number] | 'done' | 'failed' | 'orphaned' | 'abandoned'

/** Which waiting work goes first; the number is stored. */
export const LANES = { single: 0, batch: 1, adminRegeneration: 2 } as const
export type Lane = (typeof LANES)[keyof typeof LANES]

/** The seven ways a video can fail, as its owner is told, and what became of unsent work. */
export type FailureClass =
  'input' | 'policy' | 'busy' | 'down' | 'token' | 'time-out' | 'unknown' | 'cancelled'

/** A video as pages and calls show it. Built by PostgreSQL: see video-json.server.ts. */
export type VideoView = {
  id: string
  prompt: string
  negativePrompt: string | null
  aspectRatio: AspectRatio
  status: VideoStatus
  model: string
  videoUrl: string | null
  thumbnailUrl: string | null
  errorMessage: string | null
  errorCode: string | null
  regenerateCount: number
  regeneratedByAdmin: boolean
  batchId: string | null
  createdAt: string
  completedAt: string | null
  user: { username: string }
}

/** The four counters of the screens. */
export type VideoCounts = { total: number; completed: number; inProgress: number; failed: number }

/** The counters of all videos and of each ratio: what every filter of a gallery would find. */
export type GalleryCounts = VideoCounts & Record<AspectRatio, VideoCounts>

/** What a card of a gallery shows of a video; the prompt is cut when it is long. */
export type CardView = Omit<VideoView, 'model' | 'errorCode' | 'batchId'> & { isCut: boolean }

/** For how long videos are kept, and which of somebody's go soon. Days are YYYY-MM-DD. */
export type Keeping = {
  days: number
  goingCount: number
  /** When the first of them goes. */
  firstDay: string | null
  /** When each of the shown ones goes, by the clip that it has now: see `keptUntil` (rules.ts). */
  dayOf: Record<string, string>
}

export type Pagination = { page: number; limit: number; totalPages: number; totalCount: number }
export type VideoPage = { videos: VideoView[]; pagination: Pagination }

/** The filters that a gallery's address names. `user` narrows everybody's videos to one owner's. */
export type GalleryFilters = {
  status: 'all' | 'completed' | 'pending' | 'error'
  aspectRatio: 'all' | AspectRatio
  search: string
  user?: string | undefined
  /** Only this batch's videos, the first prompt first. */
  inOrder?: string | undefined
}

/** One page of a gallery with what its controls say. */
export type GalleryPage = {
  videos: CardView[]
  pagination: Pagination
  counts: GalleryCounts
  /** What changed after it is what the change feed tells. */
  version: number
  filters: GalleryFilters
  /** The list could not be read; the rest of the screen works. */
  isMissing: boolean
}
