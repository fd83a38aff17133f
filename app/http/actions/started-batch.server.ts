import { startedOverDaysText } from '~/domain/batches/rules'
import type { BatchReceipt } from '~/domain/batches/schemas'
import { paths } from '~/lib/paths'
import type { Success } from '../forms/forms.server'

/**
 * Leads to the create screen, which follows the batch that was started, or to the page of one that waits
 * in line.
 */
export const startedBatch = (receipt: BatchReceipt): Success =>
  receipt.place === undefined ? running(receipt) : inLine(receipt.batchId, receipt.place)

const inLine = (batchId: string, place: number): Success => ({
  to: paths.batchPage(batchId),
  toast: { kind: 'success', title: 'Added to the line', description: lineText(place) },
})

/** Says when a batch starts that waits in line. */
export const lineText = (place: number): string =>
  place === 1 ? 'It starts when the running batch has ended.' : `Place ${place} in line.`

const running = (receipt: BatchReceipt): Success => ({
  to: paths.batch(receipt.batchId),
  toast: {
    kind: 'success',
    title: 'Bulk Generation Started! 🚀',
    description: startedOverDaysText({ ...receipt, carried: receipt.carried ?? 0 }),
  },
})
