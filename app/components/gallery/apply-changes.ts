import {
  cardsFor,
  isCancelled,
  isInProgress,
  isSought,
  isWaitingPrompt,
  toCard,
} from '~/domain/videos/rules'
import type {
  BatchHead,
  CardView,
  GalleryCounts,
  FilterValues,
  GalleryPage,
  StatusFilter,
  VideoView,
  WaitingCounts,
} from '~/domain/videos/types'
import { newestFirst } from './in-place'

/** The changes of videos in a response of the change feed. */
export type GalleryChanges = {
  version: number
  videos: readonly VideoView[]
  deletedIds: readonly string[]
  counts: GalleryCounts
  waiting: WaitingCounts
  /** The batches of what changed. */
  batches: readonly BatchHead[]
}

type Outcome = {
  page: GalleryPage
  /** Cards have moved in from other pages, so the list must be loaded again. */
  needsReload: boolean
}

/**
 * Applies a response of the change feed to a gallery's page, if possible without loading the page
 * again.
 */
export function applyChanges(page: GalleryPage, changes: GalleryChanges): Outcome {
  if (page.filters.inOrder !== undefined) return applyInOrder(page, changes)
  const { filters, pagination } = page
  const cards = new Map(changes.videos.map((video) => [video.id, toCard(video)]))
  const gone = new Set(changes.deletedIds)
  const kept = page.videos.flatMap((card) => {
    const now = cards.get(card.id) ?? card
    return gone.has(card.id) || !fits(now, filters) ? [] : [now]
  })
  const known = new Set(page.videos.map(({ id }) => id))
  const added = [...cards.values()].filter((card) => !known.has(card.id) && fits(card, filters))
  const videos = [...added, ...kept].sort(newestFirst).slice(0, pagination.limit)
  const isRead = isSought(filters)
  const total = isRead ? pagination.totalCount : cardsFor(changes.counts, changes.waiting, filters)
  const offset = (pagination.page - 1) * pagination.limit
  const hasMoved = pagination.page > 1 && total !== pagination.totalCount
  const isNews = isRead && changes.videos.length + gone.size > 0
  return {
    page: {
      ...page,
      videos,
      batches: newest(page, changes),
      counts: changes.counts,
      version: changes.version,
      pagination: {
        ...pagination,
        totalCount: total,
        totalPages: Math.max(1, Math.ceil(total / pagination.limit)),
      },
    },
    needsReload:
      hasMoved ||
      isNews ||
      videos.length !== Math.min(pagination.limit, Math.max(0, total - offset)),
  }
}

/** Each batch as it is now. Those that have no strip on the page are left out by its rows. */
function newest({ batches = [] }: GalleryPage, changes: GalleryChanges): BatchHead[] {
  return [...new Map([...batches, ...changes.batches].map((one) => [one.id, one])).values()]
}

/**
 * Does the same for a batch in the order of its prompts: its videos keep their places. If a video
 * is deleted or gets a card, only the server knows which videos move up.
 */
function applyInOrder(page: GalleryPage, changes: GalleryChanges): Outcome {
  const { filters } = page
  const now = new Map(changes.videos.map((video) => [video.id, toCard(video)]))
  const videos = page.videos.map((card) => now.get(card.id) ?? card)
  const known = new Set(videos.map(({ id }) => id))
  const comes = changes.videos.some(
    (video) => video.batchId === filters.inOrder && !known.has(video.id) && fits(video, filters),
  )
  return {
    page: {
      ...page,
      videos,
      batches: newest(page, changes),
      counts: changes.counts,
      version: changes.version,
    },
    needsReload:
      changes.deletedIds.length > 0 || comes || videos.some((card) => !fits(card, filters)),
  }
}

type Filtered = Pick<
  CardView,
  'status' | 'errorMessage' | 'batchId' | 'regenerateCount' | 'aspectRatio' | 'starred'
>

/** Which videos have a card. The SQL equivalent is `HAS_CARD` (states.server.ts). */
const MATCHES: Record<StatusFilter, (video: Filtered) => boolean> = {
  all: (video) => !isWaitingPrompt(video) && !isCancelled(video),
  completed: ({ status }) => status === 'completed',
  pending: (video) => isInProgress(video) && !isWaitingPrompt(video),
  error: (video) => video.status === 'error' && !isCancelled(video),
  cancelled: isCancelled,
}

const fits = (video: Filtered, { status, aspectRatio, starred }: FilterValues): boolean =>
  MATCHES[status](video) &&
  (aspectRatio === 'all' || aspectRatio === video.aspectRatio) &&
  (starred === undefined || video.starred)
