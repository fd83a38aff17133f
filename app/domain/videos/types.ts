import type { OrderTexts } from '~/platform/providers/port'

export type VideoStatus = 'pending' | 'generating' | 'completed' | 'error'

export const ASPECT_RATIOS = ['portrait', 'landscape'] as const
export type AspectRatio = (typeof ASPECT_RATIOS)[number]

/** What the user orders beside the prompt. Every call, form and statement handles all of it. */
export type SharedFields = OrderTexts & { aspectRatio: AspectRatio }

/**
 * The same with what only one video has: its name, which is shown above its prompt and begins the names of
 * its files. The provider does not get it. Null: it has none.
 */
export type OrderFields = SharedFields & { name: string | null }

/** States of an attempt in progress. The SQL equivalent is `ACTIVE` (engine/attempts.server.ts). */
export const ACTIVE_STATES = ['queued', 'submitting', 'submitted', 'fetching', 'unknown'] as const
export type AttemptState =
  (typeof ACTIVE_STATES)[number] | 'done' | 'failed' | 'orphaned' | 'abandoned'

/** Priority of waiting videos. The number is stored. */
export const LANES = { single: 0, batch: 1, adminRegeneration: 2 } as const
export type Lane = (typeof LANES)[keyof typeof LANES]

/**
 * The seven reasons for a failed video, as reported to its owner, and `cancelled` for unsent
 * videos.
 */
export type FailureClass =
  'input' | 'policy' | 'busy' | 'down' | 'token' | 'time-out' | 'unknown' | 'cancelled'

/** A video as shown on pages and returned by calls. Made from a row by video-columns.server.ts. */
export type VideoView = OrderFields & {
  id: string
  prompt: string
  status: VideoStatus
  model: string
  videoUrl: string | null
  thumbnailUrl: string | null
  errorMessage: string | null
  errorCode: string | null
  regenerateCount: number
  regeneratedByAdmin: boolean
  /** The batch of its prompt, whichever has ordered it last. */
  batchId: string | null
  /** Its owner keeps it: deleting many leaves it, and so does its age. */
  starred: boolean
  createdAt: string
  completedAt: string | null
  user: { username: string }
}

/** Why a gate is closed that belongs to the provider. */
export type GateReason =
  | 'rate-limited'
  | 'quota'
  | 'forbidden'
  | 'model-gone'
  | 'down'
  | 'token'
  /** Orders were sent, and no acceptance came back that can be read. */
  | 'unreadable'
  /** Orders are accepted and end without a clip and without a reason. */
  | 'no-clips'
  /** Finished clips cannot be downloaded. */
  | 'clips'

/** Why clips cannot be stored: the disk is full, or the storage is unavailable. */
export type StorageTrouble = 'space' | 'storage'

/** Why videos are held in the line: a closed gate, no free place, or a try that has just failed. */
export type HoldReason = GateReason | StorageTrouble | 'busy' | 'transient'

/**
 * The counters of the screens. `failed` were tried, by refusal of the prompt too; `cancelled` were never
 * sent. The total contains both.
 */
export type VideoCounts = Record<
  'total' | 'completed' | 'inProgress' | 'failed' | 'cancelled',
  number
>

/**
 * The counters of all videos and of each aspect ratio: the number of matches for each gallery
 * filter.
 */
export type GalleryCounts = VideoCounts & Record<AspectRatio, VideoCounts>

/** Prompts of batches that were never sent: part of those in progress, and no cards. */
export type WaitingCounts = Record<AspectRatio, number>

/** A video as shown on a gallery's card. A long prompt is cut. */
export type CardView = Omit<VideoView, 'model' | 'errorCode'> & { isCut: boolean }

/** A batch whose strip is on a page of a gallery, with the states of all its videos. */
export type BatchHead = {
  id: string
  name: string
  createdAt: string
  isRunning: boolean
  isPaused: boolean
  /** When the last video of a running one is expected; null if that is not known. */
  finishEstimate: string | null
  ready: number
  inProgress: number
  /** Part of those in progress: not sent yet. */
  waiting: number
  /** Prompts that wait for a later day. They are no videos yet. */
  carried: number
  failed: number
  cancelled: number
  gone: number
}

/**
 * How long videos are kept, and which of a user's videos will be deleted soon. Days are YYYY-MM-DD.
 */
export type Keeping = {
  days: number
  goingCount: number
  /** When the first of them will be deleted. */
  firstDay: string | null
  /**
   * When each of the shown videos will be deleted, keyed by its current clip: see `keptUntil`
   * (rules.ts).
   */
  dayOf: Record<string, string>
}

export type Pagination = { page: number; limit: number; totalPages: number; totalCount: number }

/** The filters of lists and galleries. 'pending' means in progress (decision Q-25), 'error' tried and failed. */
export const STATUS_FILTERS = ['all', 'completed', 'pending', 'error', 'cancelled'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]
export type RatioFilter = 'all' | AspectRatio

/**
 * Days in the platform's time zone: today, yesterday, the last seven with today, this week from Monday,
 * or this month.
 */
export const SPANS = ['today', 'yesterday', '7-days', 'week', 'month'] as const
export type Span = (typeof SPANS)[number]

/** When a video was created. All that is given must hold. */
export type CreatedFilter = {
  days?: Span | undefined
  /** The first and the last day, as YYYY-MM-DD. */
  first?: string | undefined
  last?: string | undefined
  /** The first moment. */
  since?: string | undefined
}

/** Why videos failed: a class, or any that their owners did not cause. */
export const REASONS = [
  'service',
  'input',
  'policy',
  'busy',
  'down',
  'token',
  'time-out',
  'unknown',
] as const satisfies readonly (FailureClass | 'service')[]
export type Reason = (typeof REASONS)[number]

/** The filters in a gallery's address. `user` restricts all users' videos to one owner. */
export type FilterValues = CreatedFilter & {
  status: StatusFilter
  aspectRatio: RatioFilter
  search: string
  /** Part of a prompt, among all users' videos. */
  words?: string | undefined
  user?: string | undefined
  /** Why they failed, among all users' videos. */
  reason?: Reason | undefined
  /** Lists only this batch's videos, in the order of its prompts. */
  inOrder?: string | undefined
  /** Lists only the clips of this collection. */
  collection?: string | undefined
  /** Lists only starred videos. */
  starred?: 'yes' | undefined
}

/** One page of a gallery with the data for its controls. */
export type GalleryPage = {
  videos: CardView[]
  /** The batches of these cards, and on the first page those that have none but work or prompts to put back. */
  batches?: BatchHead[]
  pagination: Pagination
  counts: GalleryCounts
  /** The gallery version of this page. The change feed reports later changes. */
  version: number
  filters: FilterValues
  /** Whether the list could not be read. The rest of the screen still works. */
  isMissing: boolean
}
