import { startedOverDaysText } from '~/domain/batches/rules'
import type { BatchReceipt } from '~/domain/batches/schemas'
import { paths } from '~/lib/paths'
import { redirectWithToast } from '../session/toast.server'

/**
 * Redirects to the create screen, which follows the batch that was started, or to the page of one that
 * waits in line.
 */
export const toStartedBatch = (receipt: BatchReceipt) =>
  receipt.place === undefined ? toRunning(receipt) : toLine(receipt.batchId, receipt.place)

const toLine = (batchId: string, place: number) =>
  redirectWithToast(paths.batchPage(batchId), {
    kind: 'success',
    title: 'Added to the line',
    description: lineText(place),
  })

/** Says when a batch starts that waits in line. */
export const lineText = (place: number): string =>
  place === 1 ? 'It starts when the running batch has ended.' : `Place ${place} in line.`

const toRunning = (receipt: BatchReceipt) =>
  redirectWithToast(paths.batch(receipt.batchId), {
    kind: 'success',
    title: 'Bulk Generation Started! 🚀',
    description: startedOverDaysText({ ...receipt, carried: receipt.carried ?? 0 }),
  })
