import { stripsSince } from '~/domain/videos/rules'
import type { BatchHead, CardView, GalleryPage } from '~/domain/videos/types'

/** What stands in a gallery's grid: cards, and rows of the full width that tell what follows. */
export type GalleryRow =
  | { kind: 'card'; key: string; card: CardView }
  | { kind: 'batch'; key: string; batch: BatchHead }
  | { kind: 'singles'; key: string }

type Listed = Pick<GalleryPage, 'videos' | 'batches' | 'filters' | 'pagination'>

/**
 * Puts the strips of batches between the cards of a page. The videos of a batch were created at once, so
 * they are neighbours below its strip. A batch without a card has its place by its time, the running one above all.
 */
export function galleryRows(page: Listed): GalleryRow[] {
  const { videos, batches = [] } = page
  const known = new Map(batches.map((batch) => [batch.id, batch]))
  const rows: GalleryRow[] = []
  const told = new Set<string>()
  const tell = (batch: BatchHead, card?: CardView) => {
    // One that goes on for days has cards in several places.
    const key = told.has(batch.id) && card ? `${batch.id} ${card.id}` : batch.id
    told.add(batch.id)
    rows.push({ kind: 'batch', key: `${key} strip`, batch })
  }
  const apart = withoutCards(page)
  let last: BatchHead | undefined
  for (const card of videos) {
    for (let [next] = apart; next && isAbove(next, card); [next] = apart) {
      tell(next)
      last = next
      apart.shift()
    }
    const batch = card.batchId === null ? undefined : known.get(card.batchId)
    if (batch !== last) {
      if (batch) tell(batch, card)
      else rows.push({ kind: 'singles', key: `${card.id} head` })
    }
    rows.push({ kind: 'card', key: card.id, card })
    last = batch
  }
  for (const batch of apart) tell(batch)
  return rows
}

const isAbove = ({ isRunning, createdAt }: BatchHead, card: CardView): boolean =>
  isRunning || createdAt > card.createdAt

/** The batches that have no card on the page and yet belong there, in their order. */
function withoutCards(page: Listed): BatchHead[] {
  const carded = new Set(page.videos.map(({ batchId }) => batchId))
  const { batches = [], filters } = page
  const { inOrder } = filters
  if (inOrder !== undefined) return batches.filter(({ id }) => id === inOrder && !carded.has(id))
  const since = stripsSince(page)
  if (since === null) return []
  return batches
    .filter(
      ({ id, isRunning, createdAt, waiting, cancelled }) =>
        !carded.has(id) && (isRunning || (waiting + cancelled > 0 && createdAt >= since)),
    )
    .sort((one, other) =>
      one.isRunning === other.isRunning
        ? other.createdAt.localeCompare(one.createdAt)
        : Number(other.isRunning) - Number(one.isRunning),
    )
}
