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

export type GalleryScope = 'mine' | 'all'

export type GalleryValue = {
  page: GalleryPage
  scope: GalleryScope
  /** Which videos go soon; null where they are kept, and in everybody's gallery. */
  keeping: Keeping | null
  /** The query of the address, for links that keep its filters. */
  search: string
  /** Brings the cards up to date after something was done to them. */
  refresh: () => Promise<void> | void
  form: RefObject<HTMLFormElement>
  /** Ids of the ticked cards. The boxes themselves hold the choice, as they do without scripts. */
  selected: readonly string[]
  /** Reads the boxes again. */
  readSelection: () => void
  select: (isSelected: boolean) => void
}

const GalleryContext = createContext<GalleryValue | null>(null)

/** The gallery around a card, a button or a dialog. */
export function useGallery(): GalleryValue {
  const value = useContext(GalleryContext)
  if (!value) throw new Error('useGallery is used outside a gallery')
  return value
}

type Props = Pick<GalleryValue, 'page' | 'scope' | 'refresh'> & {
  keeping?: Keeping | null
  children: ReactNode
}

/** Shares a page of videos, and which of them are ticked, with everything that belongs to it. */
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
  // Cards come and go, and a browser may bring ticks back with a page of its history.
  useEffect(readSelection, [page.videos, readSelection])
  const value = useMemo(
    () => ({ page, scope, keeping, search, refresh, form, selected, readSelection, select }),
    [page, scope, keeping, search, refresh, selected, readSelection, select],
  )
  return <GalleryContext.Provider value={value}>{children}</GalleryContext.Provider>
}

/** Without scripts everything is ticked by an address (`?select=page`). */
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
