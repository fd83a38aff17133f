import { figure } from '~/lib/figures'
import {
  STATUS_FILTERS,
  type CardView,
  type FailureClass,
  type FilterValues,
  type GalleryCounts,
  type GalleryPage,
  type Keeping,
  type VideoCounts,
  type VideoView,
  type WaitingCounts,
  type RatioFilter,
  type StatusFilter,
} from './types'

export const VIDEO_LIMITS = {
  promptCharacters: 10_000,
  /** Maximum page size of the list call. */
  pageSize: 10_000,
  /** Maximum length of a search text. */
  searchCharacters: 100,
  /** Maximum length of a prompt on a gallery's card. */
  cardPromptCharacters: 160,
} as const

/** How many videos "3 more like this" makes. */
export const MORE_VIDEOS = 3

/** With more ticked videos, an administrator types their number. */
export const MOST_UNCOUNTED = 100

/**
 * Cards per page: the first response has the narrow size; wide screens request the wide one
 * (decision Q-26).
 */
export const PAGE_SIZES = { narrow: 20, wide: 50 } as const

/** Returns the card of a video, with the prompt cut. */
export function toCard({ model: _m, errorCode: _e, ...video }: VideoView): CardView {
  const characters = Array.from(video.prompt)
  const prompt = characters.slice(0, VIDEO_LIMITS.cardPromptCharacters).join('')
  return { ...video, prompt, isCut: prompt !== video.prompt }
}

const COUNTER = {
  all: 'total',
  completed: 'completed',
  pending: 'inProgress',
  error: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<StatusFilter, keyof VideoCounts>

/** Returns how many videos match a pair of filters. */
export function countFor(
  counts: GalleryCounts,
  { status, aspectRatio }: { status: StatusFilter; aspectRatio: RatioFilter },
): number {
  return (aspectRatio === 'all' ? counts : counts[aspectRatio])[COUNTER[status]]
}

/** Returns how many cards match a pair of filters: without what waits in a batch, and what was cancelled. */
export function cardsFor(
  counts: GalleryCounts,
  waiting: WaitingCounts,
  filters: { status: StatusFilter; aspectRatio: RatioFilter },
): number {
  const { status, aspectRatio } = filters
  const { portrait, landscape } = waiting
  const matching = countFor(counts, filters)
  const unsent = aspectRatio === 'all' ? portrait + landscape : waiting[aspectRatio]
  if (status === 'pending') return matching - unsent
  if (status !== 'all') return matching
  return matching - unsent - countFor(counts, { status: 'cancelled', aspectRatio })
}

/**
 * Returns since when the strips of batches without a card belong on a page of a gallery: on the first one,
 * if what waits and what was cancelled matches its filters. Null: none do.
 */
export function stripsSince({
  videos,
  filters,
  pagination,
}: Pick<GalleryPage, 'videos' | 'filters' | 'pagination'>): string | null {
  const isOpen = filters.status === 'all' || filters.status === 'pending'
  if (pagination.page > 1 || !isOpen || isSought(filters)) return null
  const last = pagination.totalPages > 1 ? videos.at(-1) : undefined
  return last?.createdAt ?? new Date(0).toISOString()
}

/** Returns the status filters to choose from: the cancelled ones only where there are any. */
export const shownFilters = ({ cancelled }: VideoCounts, chosen: StatusFilter) =>
  STATUS_FILTERS.filter((one) => one !== 'cancelled' || cancelled > 0 || one === chosen)

/**
 * Returns whether filters need the videos themselves. The stored counters know only states and aspect
 * ratios.
 */
export const isSought = ({
  search,
  words = '',
  inOrder,
  collection,
  days,
  first,
  last,
  since,
  reason,
  starred,
}: Omit<FilterValues, 'status' | 'aspectRatio' | 'user'>): boolean =>
  search !== '' ||
  words !== '' ||
  [inOrder, collection, days, first, last, since, reason, starred].some((one) => one !== undefined)

/** Returns whether a video is still in progress. */
export const isInProgress = ({ status }: Pick<VideoView, 'status'>): boolean =>
  status === 'pending' || status === 'generating'

/** Says how many single videos wait in line before the next one (decision Q-8). */
export const aheadText = (waiting: number): string =>
  waiting === 0
    ? 'The next video starts by itself when this one is ready.'
    : `${figure(waiting)} ${waiting === 1 ? 'waits' : 'wait'} before it. It starts by itself.`

/**
 * Returns the day on which a video will be deleted if that is soon, otherwise null. A clip that
 * arrived later has its own retention period.
 */
export function keptUntil(
  keeping: Keeping | null,
  video: Pick<VideoView, 'id' | 'status' | 'completedAt'>,
): string | null {
  if (isInProgress(video)) return null
  return keeping?.dayOf[`${video.id} ${video.completedAt ?? ''}`] ?? null
}

/** The owner's message for a failed video: what happened, what was charged, what to do next. */
export const FAILURE_TEXT = {
  input:
    'The video model does not accept these settings. Nothing was charged. Change the prompt and try again.',
  policy:
    'The prompt was refused by the safety rules of the video model. Nothing was charged. Change the wording and try again.',
  busy: 'The video service was too busy for too long. Nothing was charged. Try again later.',
  down: 'The video service could not be reached. Nothing was charged. Try again later.',
  token:
    'No access to the video service was available for this video. Nothing was charged. Contact us.',
  'time-out': 'The video took too long and was given up. Nothing was charged. Try again.',
  unknown: 'The video service lost this video. Nothing was charged. Try again.',
  cancelled: 'Cancelled',
} as const satisfies Record<FailureClass, string>

/** The same for a video that begins with a picture: the provider does not say which of the two it refused. */
const FAILURE_WITH_PICTURE = {
  input:
    'The video model does not accept this prompt or its picture or its settings. Nothing was charged. Change one of them and try again.',
  policy:
    'The prompt or its picture was refused by the safety rules of the video model. Nothing was charged. Change the wording or the picture and try again.',
} as const satisfies Partial<Record<FailureClass, string>>

/** Returns the sentence of a failure, also for a video that begins with a picture. */
export const failureText = (as: FailureClass): { plain: string; withPicture: string } => ({
  plain: FAILURE_TEXT[as],
  withPicture: as === 'input' || as === 'policy' ? FAILURE_WITH_PICTURE[as] : FAILURE_TEXT[as],
})

type Told = Pick<VideoView, 'status' | 'errorMessage'>

const isFailedAs = ({ status, errorMessage }: Told, ...texts: readonly string[]): boolean =>
  status === 'error' && errorMessage !== null && texts.includes(errorMessage)

/** Returns whether a video was cancelled before it was sent. */
export const isCancelled = (video: Told): boolean => isFailedAs(video, FAILURE_TEXT.cancelled)

/**
 * Returns whether a video is a prompt of a batch that was never sent. It has no card: the strip of its batch
 * counts it. What is made again keeps its card.
 */
export const isWaitingPrompt = ({
  status,
  batchId,
  regenerateCount,
}: Pick<VideoView, 'status' | 'batchId' | 'regenerateCount'>): boolean =>
  status === 'pending' && batchId !== null && regenerateCount === 0

/** Returns whether the same prompt would be refused again, so that it has to be changed first. */
export const isRefused = (video: Told): boolean =>
  isFailedAs(video, FAILURE_TEXT.policy, FAILURE_TEXT.input) || mayBePicture(video)

/** Returns whether a video was refused whose picture may be the reason. By few words, for the browser. */
export const mayBePicture = ({ status, errorMessage }: Told): boolean =>
  status === 'error' && (errorMessage ?? '').includes(' its picture ')

/** The owner's message for a finished video whose regeneration was stopped before it was sent. */
export const REGENERATION_STOPPED = 'Regeneration stopped. Nothing was charged.'

/** Returns whether a video's message is about a failure. */
export const tellsFailure = ({ errorMessage }: Pick<VideoView, 'errorMessage'>): boolean =>
  errorMessage !== null && errorMessage !== REGENERATION_STOPPED

/** The model of the built-in renderer. It draws the prompt into the picture as a caption. */
export const PREVIEW_MODEL = 'local-preview'

/**
 * Returns the display name of a video model: its version for commercial models, a name for the
 * built-in one.
 */
export function modelLabel(model: string): string {
  if (model === PREVIEW_MODEL) return 'Preview renderer'
  const version = /veo-?(\d+\.\d+)/.exec(model)?.[1]
  return version ? `Model ${version}` : model
}

/**
 * Returns one entry of the prompts file: numbered, with a blank line before all but the first
 * (specification §9). In the file of all users' videos a line below names the owner.
 */
export const promptEntry = (
  { prompt, owner }: { prompt: string; owner: string | null },
  number: number,
): string =>
  `${number === 1 ? '' : '\n'}${number}. ${prompt}\n${owner === null ? '' : `(${owner})\n`}`
