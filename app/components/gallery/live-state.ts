import { trackedOf, type Work } from '~/domain/batches/work'
import type { QuotaView } from '~/domain/quota/types'
import type { Pulse, UnderWay } from '~/domain/videos/gallery/pulse'
import { isInProgress } from '~/domain/videos/rules'
import type { GalleryPage } from '~/domain/videos/types'
import { applyChanges, type GalleryChanges } from './apply-changes'

/** Everything on a page that work changes, as it was at one moment. */
export type Moment = UnderWay & {
  page: GalleryPage
  quota: QuotaView
  /** What the create screen follows; null on other pages. */
  work: Work | null
}

export type LiveState = Moment & {
  /** The gallery that the server made the page with: another one is another page. */
  loaded: GalleryPage
  /** What has to be asked for at once: news, or news with the whole list. */
  wants: 'nothing' | 'news' | 'list'
  /** The video whose end is waited for, until an answer has told of it. */
  follows: string | null
  /** The last question about news was not answered. */
  isFailing: boolean
}

/** An answer of the change feed. */
export type FeedAnswer = GalleryChanges & {
  /** There is more than one answer holds. */
  isShort: boolean
  quota: QuotaView
  underWay: UnderWay
  work?: Work
  gallery?: GalleryPage
}

export const startOf = (moment: Moment): LiveState => ({
  ...moment,
  loaded: moment.page,
  wants: 'nothing',
  follows: runningIn(moment.work),
  isFailing: false,
})

function runningIn(work: Work | null): string | null {
  const tracked = work && trackedOf(work)
  return tracked && isInProgress(tracked) ? tracked.id : null
}

/**
 * The page has been made anew. What is shown never goes back: a page that was on its way while news
 * came is asked about again, and of the same list what is known already stays. Nor is a followed video
 * lost that the new page does not tell of.
 */
export function loadedAnew(state: LiveState, made: Moment): LiveState {
  const isOlder = made.page.version < state.page.version && !made.page.isMissing
  const shown = isOlder && isSameList(made.page, state.page) ? state : made
  const next = { ...startOf(shown), loaded: made.page }
  const told = [shown.work?.watched?.id, shown.work?.single?.id]
  const isLost = shown.work !== null && state.follows !== null && !told.includes(state.follows)
  if (!isOlder && !isLost) return next
  return { ...next, wants: 'news', follows: isLost ? state.follows : next.follows }
}

/** All of an answer at once, or nothing of it where the list has to come with it. */
export function withAnswer(state: LiveState, answer: FeedAnswer): LiveState {
  const { gallery, quota, underWay, work = state.work } = answer
  if (!gallery && answer.version < state.page.version) return { ...state, wants: 'news' }
  const { page, needsReload } = gallery
    ? { page: gallery, needsReload: false }
    : applyChanges(state.page, answer)
  if (needsReload || (answer.isShort && !gallery)) return { ...state, wants: 'list' }
  const follows = runningIn(work)
  return { ...state, ...underWay, page, quota, work, follows, wants: 'nothing', isFailing: false }
}

/** Whether a pulse tells of something that only an answer of the feed can bring. */
export const isNews = ({ page, holds }: Moment, pulse: Pulse): boolean =>
  pulse.version > page.version || (pulse.version === page.version && !isSame(pulse.holds, holds))

/** What a pulse itself brings: how far the videos are that are being made. */
export function withPulse(state: LiveState, { version, making }: Pulse): LiveState {
  if (version !== state.page.version || isSame(making, state.making)) return state
  return { ...state, making }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

function isSameList(a: GalleryPage, b: GalleryPage): boolean {
  const place = ({ filters, pagination: { page, limit } }: GalleryPage) => ({
    filters,
    page,
    limit,
  })
  return isSame(place(a), place(b))
}
