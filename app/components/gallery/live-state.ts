import { trackedOf, type Work } from '~/domain/batches/work'
import type { QuotaView } from '~/domain/quota/types'
import type { Pulse, UnderWay } from '~/domain/videos/gallery/pulse'
import { isInProgress, toCard } from '~/domain/videos/rules'
import type { CardView, GalleryPage } from '~/domain/videos/types'
import { applyChanges, type GalleryChanges } from './apply-changes'
import { inPlace, isSameList } from './in-place'

/** Everything on a page that changes while work is under way, read at one moment. */
export type LiveData = UnderWay & {
  page: GalleryPage
  quota: QuotaView
  /** The work that the create screen follows. Null on other pages. */
  work: Work | null
}

export type LiveState = LiveData & {
  /** The gallery that the loader returned. If it changes, the page was loaded again. */
  loaded: GalleryPage
  /** The cards on the screen, if newer ones wait until the user is not busy with these any more. */
  shown: CardView[] | null
  /** What must be requested at once: news, or news with the whole list. */
  wants: 'nothing' | 'news' | 'list'
  /** The followed video, until a response has reported its end. */
  follows: string | null
  /** The last poll failed. */
  isFailing: boolean
}

/** A response of the change feed. */
export type FeedAnswer = GalleryChanges & {
  /** There are more changes than this response contains. */
  isShort: boolean
  quota: QuotaView
  underWay: UnderWay
  work?: Work
  gallery?: GalleryPage
}

export const startOf = (data: LiveData): LiveState => ({
  ...data,
  loaded: data.page,
  shown: null,
  wants: 'nothing',
  follows: runningIn(data.work),
  isFailing: false,
})

function runningIn(work: Work | null): string | null {
  const tracked = work && trackedOf(work)
  return tracked && isInProgress(tracked) ? tracked.id : null
}

/**
 * Merges a page that was loaded again into the state. What is shown never goes back in time: if the
 * page is older than the state, news is requested, and for the same list the newer state stays. A
 * followed video that the new page does not include is still followed.
 */
export function afterReload(state: LiveState, made: LiveData, isBusy = false): LiveState {
  const isOlder = made.page.version < state.page.version && !made.page.isMissing
  const shown = isOlder && isSameList(made.page, state.page) ? state : made
  const isHeld = isBusy && isSameList(made.page, state.page)
  const cards = isHeld ? inPlace(cardsOf(state), shown.page) : null
  const next = { ...startOf(shown), loaded: made.page, shown: cards }
  const told = [shown.work?.watched?.id, shown.work?.single?.id]
  const isLost = shown.work !== null && state.follows !== null && !told.includes(state.follows)
  if (!isOlder && !isLost) return next
  return { ...next, wants: 'news', follows: isLost ? state.follows : next.follows }
}

/** The cards on the screen. */
const cardsOf = ({ shown, page }: LiveState): CardView[] => shown ?? page.videos

/**
 * Applies a response as a whole, or not at all if the list must be loaded with it. While the user is busy
 * with the cards they stay in their places. A batch in the order of its prompts does so always.
 */
export function withAnswer(state: LiveState, answer: FeedAnswer, isBusy = false): LiveState {
  const { gallery, quota, underWay } = answer
  const work = withSheet(answer.work ?? state.work, state.work)
  if (!gallery && answer.version < state.page.version) return { ...state, wants: 'news' }
  const { page, needsReload } = gallery
    ? { page: gallery, needsReload: false }
    : applyChanges(state.page, answer)
  if (needsReload || (answer.isShort && !gallery)) return { ...state, wants: 'list' }
  const follows = runningIn(work)
  const news = { gone: answer.deletedIds, changed: answer.videos.map(toCard) }
  const isHeld = isBusy && page.filters.inOrder === undefined
  const shown = isHeld ? inPlace(cardsOf(state), page, news) : null
  const settled = { wants: 'nothing', isFailing: false } as const
  return { ...state, ...underWay, page, shown, quota, work, follows, ...settled }
}

/** A response leaves out the sheet of the batch if the page has it. */
function withSheet(work: Work | null, before: Work | null): Work | null {
  const [next, known] = [work?.progress, before?.progress]
  if (!work || !next || !known?.sheet || next.sheet || next.batch.id !== known.batch.id) return work
  return { ...work, progress: { ...next, sheet: known.sheet } }
}

/** Ends a failure: a response came, though it may only say that nothing has changed. */
export const answered = (state: LiveState): LiveState =>
  state.isFailing ? { ...state, isFailing: false } : state

/** Returns whether a pulse reports a change that only a response of the feed contains. */
export const isNews = ({ page, holds }: LiveData, pulse: Pulse): boolean =>
  pulse.version > page.version || (pulse.version === page.version && !isSame(pulse.holds, holds))

/** Applies the data of the pulse itself: the progress of videos that are being made. */
export function withPulse(state: LiveState, { version, making }: Pulse): LiveState {
  if (version !== state.page.version || isSame(making, state.making)) return state
  return { ...state, making }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
