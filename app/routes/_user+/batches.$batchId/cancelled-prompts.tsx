import type { BatchVideo } from '~/domain/batches/types'
import { plural } from '~/lib/figures'
import { PutBack } from '~/components/batches/batch-actions'

type Props = { batchId: string; videos: readonly BatchVideo[]; cancelled: number }

/** The prompts that were cancelled, one by one or with their batch: one row, which opens to the list. */
export function CancelledPrompts({ batchId, videos, cancelled }: Props) {
  return (
    <div className="space-y-2 rounded-lg border border-dashed border-edge px-4 py-3">
      <p className="text-sm">
        {plural(cancelled, 'prompt')} cancelled before being sent. Nothing was charged.
      </p>
      <PutBack batchId={batchId} cancelled={cancelled} />
      <details className="text-sm">
        <summary className="min-h-11 cursor-pointer py-3 text-soft">Show the prompts</summary>
        <ol className="space-y-1">
          {videos.map(({ id, place, prompt }) => (
            <li key={id} value={place} dir="auto" className="ml-8 list-decimal break-words">
              {prompt}
            </li>
          ))}
        </ol>
      </details>
    </div>
  )
}
