import type { BatchSummary, BatchVideo } from '~/domain/batches/types'
import { plural } from '~/lib/figures'
import { BackInLine, PutBack } from '~/components/batches/batch-actions'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'

type Props = {
  batch: BatchSummary
  videos: readonly BatchVideo[]
  /** What is left of today's quota. */
  remaining: number
}

/** The prompts that were cancelled, one by one or with their batch: one row, which opens to the list. */
export function CancelledPrompts({ batch, videos, remaining }: Props) {
  const { id: batchId, cancelled, status } = batch
  const isOpen = status === 'queued' || status === 'processing'
  const needUnits = isOpen && videos.some(({ hadUnit }) => hadUnit)
  return (
    <div className="space-y-2 rounded-lg border border-dashed border-edge px-4 py-3">
      <p className="text-sm">
        {plural(cancelled, 'prompt')} cancelled before being sent. Nothing was charged.
      </p>
      <BackInLine batch={batch} />
      <PutBack batchId={batchId} cancelled={cancelled} />
      <details className="text-sm">
        <summary className="min-h-11 cursor-pointer py-3 text-soft">Show the prompts</summary>
        {needUnits && (
          <p className="pb-2 text-soft">
            {remaining > 0
              ? 'A prompt that comes back counts as one of today’s videos again, unless it waited for a later day.'
              : 'No videos are left today. Only prompts that waited for a later day can come back before tomorrow.'}
          </p>
        )}
        <ol className="space-y-1">
          {videos.map(({ id, place, prompt, hadUnit }) => (
            <li key={id} value={place} dir="auto" className="ml-8 list-decimal break-words">
              {prompt}
              {isOpen && (remaining > 0 || !hadUnit) && (
                <ActionForm intent="undo-prompt">
                  <HiddenFields fields={{ on: id }} />
                  <Button look="plain">Back to place {place}</Button>
                </ActionForm>
              )}
            </li>
          ))}
        </ol>
      </details>
    </div>
  )
}
