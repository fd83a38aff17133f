import { useLocation } from '@remix-run/react'
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  type ReactNode,
  type RefObject,
} from 'react'
import type { GalleryPage, Keeping } from '~/domain/videos/types'
import { paths } from '~/lib/paths'
import { useAccountName } from '../ui/use-root-data'
import { listenForStayed } from '../ui/staying-forms'
import { NONE, withTicks, type Selection } from './selection'
import { NOTHING_HELD, type Held } from './use-held-page'
import { useSelection, type SelectionValue } from './use-selection'

export type GalleryScope = 'mine' | 'all'

export type GalleryValue = {
  page: GalleryPage
  scope: GalleryScope
  /**
   * Which videos will be removed soon. Null if videos are kept, and in the gallery of all users.
   */
  keeping: Keeping | null
  /**
   * The server's clock at the moment of the page. Null where all that match cannot be selected: for all
   * users' videos there are own actions.
   */
  now: string | null
  /** New cards that wait. */
  held: Held
  /** The query string of the URL, for links that keep its filters. */
  search: string
  /** Reads the cards again. Called after each form that stays. */
  refresh: () => Promise<void> | void
  form: RefObject<HTMLFormElement>
}

const GalleryContext = createContext<GalleryValue | null>(null)
// Separate, so that a tick renders only what shows it.
const SelectionContext = createContext<SelectionValue | null>(null)

/** Returns the gallery that surrounds a card, a button or a dialog. Throws outside a gallery. */
export function useGallery(): GalleryValue {
  const value = useContext(GalleryContext)
  if (!value) throw new Error('useGallery is used outside a gallery')
  return value
}

/** Returns what is ticked in the gallery that surrounds a card, a button or a dialog. */
export function useTicks(): SelectionValue {
  const value = useContext(SelectionContext)
  if (!value) throw new Error('useTicks is used outside a gallery')
  return value
}

type Props = Pick<GalleryValue, 'page' | 'scope' | 'refresh'> & {
  keeping?: Keeping | null
  now?: string | null
  held?: Held
  children: ReactNode
}

/** Provides a page of videos and the selection to everything inside the gallery. */
export function GalleryProvider(props: Props) {
  const { page, scope, refresh, keeping = null, now = null, children } = props
  const { held = NOTHING_HELD } = props
  const { pathname, search } = useLocation()
  const form = useRef<HTMLFormElement>(null)
  // What is ticked in another list is not shown on a collection's page, so nothing there may act on it.
  const list = pathname.startsWith(`${paths.collections}/`) ? pathname : scope
  const owner = `${useAccountName()} ${list}`
  const first = firstSelection(page, search)
  const ticks = useSelection({ page, form, owner, first })
  const { clear } = ticks
  useEffect(
    () =>
      listenForStayed(({ intent, isDone }) => {
        if (isDone && intent.endsWith('-selected')) clear()
        void whileStale(form.current, refresh)
      }),
    [refresh, clear],
  )
  const value = useMemo(
    () => ({ page, scope, keeping, now, held, search, refresh, form }),
    [page, scope, keeping, now, held, search, refresh],
  )
  return (
    <GalleryContext.Provider value={value}>
      <SelectionContext.Provider value={ticks}>{children}</SelectionContext.Provider>
    </GalleryContext.Provider>
  )
}

/**
 * Marks the gallery until its cards are read again, or cannot be. Until then some may be of videos that are gone.
 */
async function whileStale(form: HTMLFormElement | null, refresh: GalleryValue['refresh']) {
  form?.toggleAttribute('data-stale', true)
  try {
    await refresh()
  } finally {
    form?.removeAttribute('data-stale')
  }
}

/**
 * Without scripts the URL says what is ticked: the page (`?select=page`), or all that matched at a moment
 * (`?select=2026-11-27T00:00:00.000Z`).
 */
export const selectedBy = (search: string): string | null =>
  new URLSearchParams(search).get('select')

function firstSelection(page: GalleryPage, search: string): Selection {
  const { filters, pagination, videos } = page
  const asked = selectedBy(search)
  if (asked === null) return NONE
  if (asked === 'page') return withTicks(NONE, videos, { isOn: true, filters })
  return { kind: 'all', until: asked, count: pagination.totalCount, filters, except: [] }
}
