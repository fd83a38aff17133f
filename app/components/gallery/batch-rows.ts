import { isCancelled, isInProgress } from '~/domain/videos/rules'
import type { BatchHead, CardView } from '~/domain/videos/types'

/** What stands in a gallery's grid: cards, and rows of the full width that tell what follows. */
export type GalleryRow =
  | { kind: 'card'; key: string; card: CardView }
  | { kind: 'batch'; key: string; batch: BatchHead }
  | { kind: 'singles'; key: string }
  | { kind: 'cancelled'; key: string; batchId: string; cards: CardView[] }

/**
 * Groups a page of cards by batch. The videos of a batch were created at once, so they are neighbours;
 * those that were cancelled before they were sent are one row.
 */
export function galleryRows(
  cards: readonly CardView[],
  batches: readonly BatchHead[] = [],
): GalleryRow[] {
  const rows: GalleryRow[] = []
  const runs = runsOf(cards, new Map(batches.map((batch) => [batch.id, batch])))
  runs.forEach(({ batch, cards: run }, index) => {
    const [first] = run
    if (batch) rows.push({ kind: 'batch', key: `${batch.id} head`, batch: asOfNow(batch, run) })
    else if (index > 0 && first) rows.push({ kind: 'singles', key: `${first.id} head` })
    const cancelled = batch ? run.filter(isCancelled) : []
    for (const card of run)
      if (!cancelled.includes(card)) rows.push({ kind: 'card', key: card.id, card })
    if (batch && cancelled.length > 0)
      rows.push({
        kind: 'cancelled',
        key: `${batch.id} cancelled`,
        batchId: batch.id,
        cards: cancelled,
      })
  })
  return rows
}

type Run = { batch: BatchHead | undefined; cards: CardView[] }

function runsOf(cards: readonly CardView[], known: ReadonlyMap<string, BatchHead>): Run[] {
  const runs: Run[] = []
  for (const card of cards) {
    const batch = card.batchId === null ? undefined : known.get(card.batchId)
    const last = runs.at(-1)
    if (last && last.batch === batch) last.cards.push(card)
    else runs.push({ batch, cards: [card] })
  }
  return runs
}

/** The page's cards are newer than its figures. If all videos of a batch are on it, they count. */
function asOfNow(batch: BatchHead, cards: readonly CardView[]): BatchHead {
  const { ready, inProgress, failed, cancelled } = batch
  if (cards.length !== ready + inProgress + failed + cancelled) return batch
  const count = (is: (card: CardView) => boolean) => cards.filter(is).length
  return {
    ...batch,
    ready: count(({ status }) => status === 'completed'),
    inProgress: count(isInProgress),
    failed: count((card) => card.status === 'error' && !isCancelled(card)),
    cancelled: count(isCancelled),
  }
}
