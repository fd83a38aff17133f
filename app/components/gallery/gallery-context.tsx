import { useLocation } from '@remix-run/react'
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import type { CardView, GalleryPage, Keeping } from '~/domain/videos/types'
import { listenForStayed } from '../ui/staying-forms'

export type GalleryScope = 'mine' | 'all'

export type GalleryValue = {
  page: GalleryPage
  scope: GalleryScope
  /**
   * Which videos will be removed soon. Null if videos are kept, and in the gallery of all users.
   */
  keeping: Keeping | null
  /** The query string of the URL, for links that keep its filters. */
  search: string
  /** Reads the cards again. Called after each form that stays. */
  refresh: () => Promise<void> | void
  form: RefObject<HTMLFormElement>
  /**
   * Ids of the ticked cards. The checkboxes themselves store the selection, as they do without
   * scripts.
   */
  selected: readonly string[]
  /** Reads the checkboxes again. */
  readSelection: () => void
  select: (isSelected: boolean) => void
}

const GalleryContext = createContext<GalleryValue | null>(null)

/** Returns the gallery that surrounds a card, a button or a dialog. Throws outside a gallery. */
export function useGallery(): GalleryValue {
  const value = useContext(GalleryContext)
  if (!value) throw new Error('useGallery is used outside a gallery')
  return value
}

type Props = Pick<GalleryValue, 'page' | 'scope' | 'refresh'> & {
  keeping?: Keeping | null
  children: ReactNode
}

/** Provides a page of videos and the selection to everything inside the gallery. */
export function GalleryProvider({ page, scope, refresh, keeping = null, children }: Props) {
  const { search } = useLocation()
  const form = useRef<HTMLFormElement>(null)
  const [selected, setSelected] = useState<readonly string[]>(() =>
    initialSelection(search, page.videos),
  )
  const readSelection = useCallback(() => setSelected(tickedIds(form.current)), [])
  const select = useCallback((isSelected: boolean) => {
    for (const box of boxesOf(form.current)) box.checked = isSelected
    setSelected(tickedIds(form.current))
  }, [])
  // Cards are added and removed, and a browser may restore ticks when the user goes back to the
  // page.
  useEffect(readSelection, [page.videos, readSelection])
  useEffect(
    () =>
      listenForStayed(({ intent, isDone }) => {
        if (isDone && intent.endsWith('-selected')) select(false)
        void refresh()
      }),
    [refresh, select],
  )
  const value = useMemo(
    () => ({ page, scope, keeping, search, refresh, form, selected, readSelection, select }),
    [page, scope, keeping, search, refresh, selected, readSelection, select],
  )
  return <GalleryContext.Provider value={value}>{children}</GalleryContext.Provider>
}

/** Without scripts a URL ticks all cards (`?select=page`). */
export const isAllSelected = (search: string): boolean =>
  new URLSearchParams(search).get('select') === 'page'

const initialSelection = (search: string, videos: readonly CardView[]): string[] =>
  isAllSelected(search) ? videos.map(({ id }) => id) : []

const boxesOf = (form: HTMLFormElement | null): HTMLInputElement[] =>
  Array.from(form?.querySelectorAll<HTMLInputElement>('input[name="ids"]') ?? [])

const tickedIds = (form: HTMLFormElement | null): string[] =>
  boxesOf(form)
    .filter(({ checked }) => checked)
    .map(({ value }) => value)
