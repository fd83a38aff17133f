import type { CardView, GalleryPage } from '~/domain/videos/types'

/** What is known of the cards that a new list lacks. */
type News = { gone: readonly string[]; changed: readonly CardView[] }

const NO_NEWS: News = { gone: [], changed: [] }

/**
 * Returns the cards to show while the user is busy with them, after their list has changed: each in its
 * place as it is now, without the deleted ones, and with what has moved up at the end. Cards that come
 * before the first one wait. Returns null if that is the list as it is.
 */
export function inPlace(
  shown: readonly CardView[],
  next: GalleryPage,
  { gone, changed }: News = NO_NEWS,
): CardView[] | null {
  const { limit } = next.pagination
  const now = new Map([...changed, ...next.videos].map((card) => [card.id, card]))
  const last = next.videos.at(-1)
  const isPushedOut = (card: CardView) =>
    last !== undefined && next.videos.length === limit && newestFirst(card, last) > 0
  const kept = shown.flatMap((card) => {
    if (gone.includes(card.id)) return []
    const as = now.get(card.id) ?? (isPushedOut(card) ? card : undefined)
    return as ?? []
  })
  const end = kept.at(-1)
  if (!end) return null
  const here = new Set(kept.map(({ id }) => id))
  const movedUp = next.videos.filter((card) => !here.has(card.id) && newestFirst(card, end) > 0)
  const cards = [...kept, ...movedUp].slice(0, limit)
  const isAsListed = cards.map(({ id }) => id).join() === next.videos.map(({ id }) => id).join()
  return isAsListed ? null : cards
}

/** Returns how many cards of a list wait, because they come before the first one that is shown. */
export function waitingBefore(shown: readonly CardView[], next: GalleryPage): number {
  const [first] = shown
  return first ? next.videos.filter((card) => newestFirst(card, first) < 0).length : 0
}

/** Returns whether two pages are the same page of the same list. */
export function isSameList(a: GalleryPage, b: GalleryPage): boolean {
  const place = ({ filters, pagination: { page, limit } }: GalleryPage) =>
    JSON.stringify([filters, page, limit])
  return place(a) === place(b)
}

type Place = Pick<CardView, 'id' | 'createdAt'>

/** The sort order of lists: by creation, then by id. */
export function newestFirst(a: Place, b: Place): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  if (a.id === b.id) return 0
  return a.id < b.id ? 1 : -1
}
