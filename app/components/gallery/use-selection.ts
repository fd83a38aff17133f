import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import type { CardView, GalleryPage } from '~/domain/videos/types'
import { keep, NONE, readKept, sizeOf, withoutGone, withTicks, type Selection } from './selection'

export type SelectionValue = {
  selection: Selection
  count: number
  /** Ticks or unticks a card, with `isRange` also all cards between it and the one before. */
  tick: (card: CardView, isOn: boolean, isRange?: boolean) => void
  tickPage: (isOn: boolean) => void
  /** Selects all that match the filters now. */
  tickAll: (until: string) => void
  clear: () => void
}

type Args = {
  page: GalleryPage
  form: RefObject<HTMLFormElement>
  /** The account and the list. */
  owner: string
  /** What the server rendered as ticked. */
  first: Selection
}

/**
 * Keeps the ticks of a gallery in this tab: over pages, filters, Back and reload, until an action has
 * used them up or they are cleared. Without scripts the checkboxes themselves are the selection, and
 * what was ticked before the scripts ran is taken over.
 */
export function useSelection({ page, form, owner, first }: Args): SelectionValue {
  const [selection, set] = useState(first)
  const latest = useRef({ page, selection })
  useEffect(() => {
    latest.current = { page, selection }
  })
  const change = useCallback(
    (next: Selection) => {
      latest.current = { ...latest.current, selection: next }
      set(next)
      keep(owner, next)
    },
    [owner],
  )
  useEffect(() => {
    const { videos, filters } = latest.current.page
    const ticked = tickedIn(form.current)
    const cards = videos.filter(({ id }) => ticked.has(id))
    change(withTicks(readKept(owner), cards, { isOn: true, filters }))
  }, [owner, form, change])
  useForgotten(page, (gone) => change(withoutGone(latest.current.selection, gone)))

  const anchor = useRef<string>()
  const tick = useCallback(
    (card: CardView, isOn: boolean, isRange = false) => {
      const { page, selection } = latest.current
      const cards = isRange ? between(page.videos, anchor.current, card) : [card]
      anchor.current = card.id
      change(withTicks(selection, cards, { isOn, filters: page.filters }))
    },
    [change],
  )
  const tickPage = useCallback(
    (isOn: boolean) => {
      const { page, selection } = latest.current
      change(withTicks(selection, page.videos, { isOn, filters: page.filters }))
    },
    [change],
  )
  const tickAll = useCallback(
    (until: string) => {
      const { filters, pagination } = latest.current.page
      change({ kind: 'all', until, count: pagination.totalCount, filters, except: [] })
    },
    [change],
  )
  const clear = useCallback(() => change(NONE), [change])
  const count = sizeOf(selection)
  return useMemo(
    () => ({ selection, count, tick, tickPage, tickAll, clear }),
    [selection, count, tick, tickPage, tickAll, clear],
  )
}

/** Returns the ids whose checkboxes are ticked. */
const tickedIn = (form: HTMLFormElement | null): ReadonlySet<string> =>
  new Set(
    Array.from(form?.querySelectorAll<HTMLInputElement>('input[name="ids"]:checked') ?? []).map(
      ({ value }) => value,
    ),
  )

/** Returns the cards from one to another, whichever comes first. */
function between(
  videos: readonly CardView[],
  anchor: string | undefined,
  card: CardView,
): readonly CardView[] {
  const [one, other] = [anchor, card.id].map((id) => videos.findIndex((video) => video.id === id))
  if (one === undefined || other === undefined || one < 0) return [card]
  return videos.slice(Math.min(one, other), Math.max(one, other) + 1)
}

/** Reports the cards that have left a list which is shorter now: they were deleted. */
function useForgotten(page: GalleryPage, forget: (gone: ReadonlySet<string>) => void): void {
  const before = useRef(page)
  const latest = useRef(forget)
  useEffect(() => {
    latest.current = forget
  })
  useEffect(() => {
    const was = before.current
    before.current = page
    const isSameList = JSON.stringify(was.filters) === JSON.stringify(page.filters)
    if (!isSameList || was.pagination.page !== page.pagination.page) return
    if (page.pagination.totalCount >= was.pagination.totalCount) return
    const here = new Set(page.videos.map(({ id }) => id))
    latest.current(new Set(was.videos.flatMap(({ id }) => (here.has(id) ? [] : [id]))))
  }, [page])
}
