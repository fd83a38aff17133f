import { useLocation } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { readPulse, type Pulse } from '~/domain/videos/gallery/pulse'
import { paths } from '~/lib/paths'
import { useTellQuota } from '../layout/live-quota'
import { usePolling } from '../ui/use-polling'
import {
  isNews,
  loadedAnew,
  startOf,
  withAnswer,
  withPulse,
  type FeedAnswer,
  type LiveState,
  type Moment,
} from './live-state'

/** Lists are asked about this often while something is in progress (specification §9). */
const POLL_MS = 5000

export type LiveGallery = Moment & {
  /** The last question about news was not answered. */
  isFailing: boolean
  /** Asks for news now; after something was changed. */
  refresh: () => Promise<void>
  /** Asks for news now because another poll saw some; not again while it is being asked. */
  catchUp: () => void
  /** Takes in what another poll of the page was told. */
  notice: (pulse: Pulse | null) => void
}

/**
 * What a page shows of the user's videos, and everything on it that goes with them: one state, of one
 * moment, that the change feed moves on as a whole. While something is in progress it is asked every
 * 5 s; other polls of the page only notice that there is news, which is then asked for here.
 */
export function useLiveGallery(made: Moment): LiveGallery {
  const { search } = useLocation()
  const { page: loaded } = made
  const [state, setState] = useState(() => startOf(made))
  if (state.loaded !== loaded) setState(loadedAnew(state, made))
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
    onHeaders: (headers) => notice(readPulse(headers)),
    onAnswer: (answer) => {
      const about = askedOf.current
      // The page was made anew meanwhile: the answer is about the one before.
      if (latest.current.loaded !== about) void ask('fresh')
      setState((now) => (now.loaded === about ? withAnswer(now, answer) : now))
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
  const refresh = useCallback(() => ask('fresh'), [ask])
  useTellQuota(state.quota)
  return { ...state, refresh, catchUp, notice }
}

/** What a gallery's address says of its list. */
const OF_LIST = ['page', 'limit', 'status', 'aspectRatio', 'search', 'inOrder']

/** The question about what has changed since, and about what the page follows. */
function feedAddress({ page, work, wants, follows }: LiveState, search: string): string {
  const own = new URLSearchParams(search)
  const asked = new URLSearchParams({ since: String(page.version) })
  if (wants === 'list') {
    asked.set('list', 'whole')
    for (const name of OF_LIST) if (own.has(name)) asked.set(name, own.get(name) ?? '')
  }
  asked.set('screen', work ? 'create' : 'videos')
  if (work) {
    const watch = follows ?? own.get('watch') ?? work.watched?.id ?? null
    const batch = work.progress?.batch.id ?? own.get('batch')
    if (watch !== null) asked.set('watch', watch)
    if (batch !== null) asked.set('batch', batch)
  }
  return `${paths.api.changes}?${asked}`
}
