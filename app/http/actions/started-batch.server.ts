import { startedOverDaysText } from '~/domain/batches/rules'
import type { BatchReceipt } from '~/domain/batches/schemas'
import { paths } from '~/lib/paths'
import { redirectWithToast } from '../session/toast.server'

/** Redirects to the create screen, which follows the batch that was started. */
export const toStartedBatch = (receipt: BatchReceipt) =>
  redirectWithToast(paths.batch(receipt.batchId), {
    kind: 'success',
    title: 'Bulk Generation Started! 🚀',
    description: startedOverDaysText({ ...receipt, carried: receipt.carried ?? 0 }),
  })
