import { NO_PROMPTS, startedOverDaysText, TOO_MANY_PROMPTS } from '~/domain/batches/rules'
import type { BatchReceipt } from '~/domain/batches/schemas'
import type { AppError } from '~/domain/errors'
import { paths } from '~/lib/paths'
import type { Success } from '../forms/forms.server'

/**
 * Returns the toast title for a batch that must fit today. Null if it does not: nothing failed, and the page
 * asks what to start.
 */
export const askOrTitle = (failure: AppError): string | null =>
  failure.code === 'QUOTA_EXCEEDED' ? null : bulkTitle(failure)

/** Returns the toast title for a batch that was refused. The specification names the problem in it. */
export function bulkTitle({ message }: AppError): string {
  if (message === NO_PROMPTS) return 'No Prompts Found'
  return message === TOO_MANY_PROMPTS ? 'Too Many Prompts' : 'Bulk Generation Failed'
}

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
