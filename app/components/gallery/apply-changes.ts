import { countFor, isCancelled, isInProgress, isSought, toCard } from '~/domain/videos/rules'
import type {
  CardView,
  GalleryCounts,
  FilterValues,
  GalleryPage,
  StatusFilter,
  VideoView,
} from '~/domain/videos/types'
import { newestFirst } from './in-place'

/** The changes of videos in a response of the change feed. */
export type GalleryChanges = {
  version: number
  videos: readonly VideoView[]
  deletedIds: readonly string[]
  counts: GalleryCounts
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
  const total = isRead ? pagination.totalCount : countFor(changes.counts, filters)
  const offset = (pagination.page - 1) * pagination.limit
  const hasMoved = pagination.page > 1 && total !== pagination.totalCount
  const isNews = isRead && changes.videos.length + gone.size > 0
  return {
    page: {
      ...page,
      videos,
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

/**
 * Does the same for a batch in the order of its prompts: its videos keep their places. If a video
 * is deleted or starts to match a filter, only the server knows which videos move up.
 */
function applyInOrder(page: GalleryPage, changes: GalleryChanges): Outcome {
  const { filters } = page
  const now = new Map(changes.videos.map((video) => [video.id, toCard(video)]))
  const videos = page.videos.map((card) => now.get(card.id) ?? card)
  const known = new Set(videos.map(({ id }) => id))
  const comes = changes.videos.some(
    (video) => video.batchId === filters.inOrder && !known.has(video.id) && fits(video, filters),
  )
  const isNarrowed =
    filters.status !== 'all' ||
    filters.aspectRatio !== 'all' ||
    isSought({ ...filters, inOrder: undefined })
  return {
    page: { ...page, videos, counts: changes.counts, version: changes.version },
    needsReload:
      changes.deletedIds.length > 0 ||
      (isNarrowed && comes) ||
      videos.some((card) => !fits(card, filters)),
  }
}

type Filtered = Pick<CardView, 'status' | 'errorMessage' | 'aspectRatio' | 'starred'>

const MATCHES: Record<StatusFilter, (video: Filtered) => boolean> = {
  all: () => true,
  completed: ({ status }) => status === 'completed',
  pending: isInProgress,
  error: (video) => video.status === 'error' && !isCancelled(video),
  cancelled: isCancelled,
}

const fits = (video: Filtered, { status, aspectRatio, starred }: FilterValues): boolean =>
  MATCHES[status](video) &&
  (aspectRatio === 'all' || aspectRatio === video.aspectRatio) &&
  (starred === undefined || video.starred)
