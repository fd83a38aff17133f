import { useSearchParams } from '@remix-run/react'
import type { BatchSummary } from '~/domain/batches/types'
import { readDialog } from '~/lib/dialog-address'
import { figure, plural } from '~/lib/figures'
import { ConfirmDialog } from '../ui/confirm'
import { RETRY_BATCH } from './batch-actions'
import { costText } from './cost-text'

type Props = {
  batches: readonly BatchSummary[]
  formKey: string
  /** Units that are left today. */
  remaining: number
}

/** Asks before the failed videos of a batch are retried, and says what it costs. */
export function RetryDialog({ batches, formKey, remaining }: Props) {
  const { name, on } = readDialog(useSearchParams()[0])
  const batch = name === RETRY_BATCH ? batches.find(({ id }) => id === on) : undefined
  if (!batch || batch.failed === 0) return null
  const { failed } = batch
  return (
    <ConfirmDialog
      title={`Retry ${plural(failed, 'failed video')}?`}
      text={
        <>
          <p className="text-ink">{batch.name}</p>
          <p>{costText(failed, remaining)}</p>
        </>
      }
      intent="retry-batch"
      fields={{ on: batch.id, formKey }}
      confirmLabel={`Retry ${figure(failed)}`}
      isDangerous={false}
    />
  )
}
