import { useLocation } from '@remix-run/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { readPulse, type Pulse } from '~/domain/videos/gallery/pulse'
import { paths } from '~/lib/paths'
import { useTellQuota } from '../layout/live-quota'
import { usePolling } from '../ui/use-polling'
import { isBusyWithCards, isInTheMiddle } from './busy-with-cards'
import {
  answered,
  isNews,
  afterReload,
  startOf,
  withAnswer,
  withPulse,
  type FeedAnswer,
  type LiveState,
  type LiveData,
} from './live-state'
import { heldPage, type Held } from './use-held-page'

/** Interval of the list's poll while videos are in progress (specification §9). */
const POLL_MS = 5000

export type LiveGallery = LiveData & {
  /** New cards that wait while the user is busy with the others. */
  held: Held
  /** The last poll failed. */
  isFailing: boolean
  /** Requests news now, after something was changed. */
  refresh: () => Promise<void>
  /**
   * Requests news now because another poll reported some. Does nothing while such a request is
   * under way.
   */
  catchUp: () => void
  /** Applies the pulse of another poll of the page. */
  notice: (pulse: Pulse | null) => void
}

/**
 * Returns what a page shows of the user's videos, together with everything that belongs to it. It
 * is one state of one moment, which the change feed replaces as a whole. While videos are in
 * progress the feed is polled every 5 s, and otherwise when the page gets the focus. Other polls of the page only report that there is news,
 * which is then requested here.
 */
export function useLiveGallery(made: LiveData): LiveGallery {
  const { search } = useLocation()
  const { page: loaded } = made
  const [state, setState] = useState(() => startOf(made))
  if (state.loaded !== loaded) setState(afterReload(state, made, isBusyWithCards()))
  const latest = useRef(state)
  latest.current = state
  const askedOf = useRef(loaded)
  const ask = usePolling<FeedAnswer>({
    url: () => {
      askedOf.current = latest.current.loaded
      return feedAddress(latest.current, search)
    },
    everyMs: POLL_MS,
    isActive: state.page.counts.inProgress > 0 || state.wants !== 'nothing',
    asksOnFocus: true,
    onHeaders: (headers) => {
      setState(answered)
      notice(readPulse(headers))
    },
    onAnswer: (answer) => {
      const about = askedOf.current
      // The page was loaded again in the meantime, so the response is about the previous one.
      if (latest.current.loaded !== about) void ask('fresh')
      const isBusy = isBusyWithCards()
      setState((now) => (now.loaded === about ? withAnswer(now, answer, isBusy) : now))
    },
    onFailure: () => setState((now) => ({ ...now, isFailing: true })),
  })
  useEffect(() => {
    if (state.wants !== 'nothing') void ask('fresh')
  }, [state.wants, state.loaded, ask])

  const isAsking = useRef(false)
  const catchUp = useCallback(() => {
    if (isAsking.current) return
    isAsking.current = true
    void ask('fresh').finally(() => (isAsking.current = false))
  }, [ask])
  const notice = useCallback(
    (pulse: Pulse | null) => {
      if (!pulse) return
      setState((now) => withPulse(now, pulse))
      if (isNews(latest.current, pulse)) catchUp()
    },
    [catchUp],
  )
  const release = useCallback(() => setState((now) => ({ ...now, shown: null })), [])
  const refresh = useCallback(async () => {
    await ask('fresh')
    // What users have ordered themselves they see at once, if its place is in view.
    if (!isInTheMiddle()) release()
  }, [ask, release])
  useTellQuota(state.quota)
  const { page, shown } = state
  const list = useMemo(() => heldPage(page, shown, release), [page, shown, release])
  return { ...state, ...list, refresh, catchUp, notice }
}

/**
 * Returns the URL of the feed, which requests the changes since the current version and what the
 * page follows.
 */
function feedAddress({ page, work, wants, follows }: LiveState, search: string): string {
  const own = new URLSearchParams(search)
  const asked = new URLSearchParams({ since: String(page.version) })
  if (wants === 'list') {
    asked.set('list', 'whole')
    for (const [name, value] of Object.entries(page.filters)) if (value) asked.set(name, value)
    for (const name of ['page', 'limit']) if (own.has(name)) asked.set(name, own.get(name) ?? '')
  }
  asked.set('screen', work ? 'create' : 'videos')
  if (work) {
    const watch = follows ?? own.get('watch') ?? work.watched?.id ?? null
    const batch = work.progress?.batch.id ?? own.get('batch')
    if (watch !== null) asked.set('watch', watch)
    if (batch !== null) asked.set('batch', batch)
    if (work.progress?.sheet) asked.set('has', work.progress.batch.id)
  }
  return `${paths.api.changes}?${asked}`
}
