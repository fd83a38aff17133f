import type {
  AspectRatio,
  CardView,
  FailureClass,
  GalleryCounts,
  Keeping,
  VideoCounts,
  VideoView,
} from './types'

export const VIDEO_LIMITS = {
  promptCharacters: 10_000,
  negativePromptCharacters: 300,
  /** Largest page of the list call. */
  pageSize: 10_000,
  /** Longest text that a list is searched for. */
  searchCharacters: 100,
  /** How much of a prompt a gallery's card holds. */
  cardPromptCharacters: 160,
} as const

/** Cards on a page: few first, more where the screen is wide (decision Q-26). */
export const PAGE_SIZES = { narrow: 20, wide: 50 } as const

/** A video as a gallery's card holds it. */
export function toCard({ model: _m, errorCode: _e, batchId: _b, ...video }: VideoView): CardView {
  const characters = Array.from(video.prompt)
  const prompt = characters.slice(0, VIDEO_LIMITS.cardPromptCharacters).join('')
  return { ...video, prompt, isCut: prompt !== video.prompt }
}

/** The filters of lists and galleries; 'pending' means in progress (decision Q-25). */
export const STATUS_FILTERS = ['all', 'completed', 'pending', 'error'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]
export type RatioFilter = 'all' | AspectRatio

const COUNTER = {
  all: 'total',
  completed: 'completed',
  pending: 'inProgress',
  error: 'failed',
} as const satisfies Record<StatusFilter, keyof VideoCounts>

/** How many videos a pair of filters finds. */
export function countFor(
  counts: GalleryCounts,
  { status, aspectRatio }: { status: StatusFilter; aspectRatio: RatioFilter },
): number {
  return (aspectRatio === 'all' ? counts : counts[aspectRatio])[COUNTER[status]]
}

/** Whether a video is still on its way. */
export const isInProgress = ({ status }: Pick<VideoView, 'status'>): boolean =>
  status === 'pending' || status === 'generating'

/** The day on which a video goes, if that is soon. A clip that came later has its own days. */
export function keptUntil(
  keeping: Keeping | null,
  video: Pick<VideoView, 'id' | 'status' | 'completedAt'>,
): string | null {
  if (isInProgress(video)) return null
  return keeping?.dayOf[`${video.id} ${video.completedAt ?? ''}`] ?? null
}

/** What the owner reads when a video failed: what happened, what is safe, what to do next. */
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

/** What the owner reads of a finished video whose regeneration was stopped before it was sent. */
export const REGENERATION_STOPPED = 'Regeneration stopped. Nothing was charged.'

/** Whether a video's message tells of a failure. */
export const tellsFailure = ({ errorMessage }: Pick<VideoView, 'errorMessage'>): boolean =>
  errorMessage !== null && errorMessage !== REGENERATION_STOPPED

/** Words for a video model: its version for the models we sell, plain words for the built-in one. */
export function modelLabel(model: string): string {
  if (model === 'local-preview') return 'Preview renderer'
  const version = /veo-?(\d+\.\d+)/.exec(model)?.[1]
  return version ? `Model ${version}` : model
}

/** One entry of the prompts file: numbered, a blank line before all but the first (specification §9). */
export const promptEntry = (prompt: string, number: number): string =>
  `${number === 1 ? '' : '\n'}${number}. ${prompt}\n`
