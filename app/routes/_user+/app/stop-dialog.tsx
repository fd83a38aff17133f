import { useLocation, useSearchParams } from '@remix-run/react'
import type { BatchProgress } from '~/domain/batches/types'
import { closedAddress } from '~/lib/dialog-address'
import { paths, safeRedirect } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { ConfirmDialog } from '~/components/ui/confirm'
import { CANCEL_FAILED } from '~/components/create/create-form'
import { readTab } from './tabs'

/**
 * Asks for confirmation before a batch is stopped, and tells which videos will be cancelled, which will
 * be finished, and what starts in its place. It leads back to the page from which it was asked.
 */
export function StopDialog({ progress: { batch, sent, inLine } }: { progress: BatchProgress }) {
  const [search] = useSearchParams()
  const here = closedAddress(useLocation().search)
  const from = search.get('from')
  const { totalVideos, completedVideos, failedVideos } = batch
  const later = batch.carried?.prompts ?? 0
  const [next] = inLine
  const rest = Math.max(0, totalVideos - completedVideos - failedVideos - sent - later)
  return (
    <ConfirmDialog
      title="Stop this batch?"
      text={
        <ul className="list-disc space-y-1 pl-5">
          <li>
            {rest === 0 && later === 0
              ? 'Every video has been sent, so stopping cancels nothing.'
              : `${plural(rest, 'video')} not sent yet: cancelled, and the quota comes back.`}
          </li>
          {later > 0 && (
            <li>{plural(later, 'prompt')} for later days: cancelled. Waiting has cost nothing.</li>
          )}
          {sent > 0 && (
            <li>
              {plural(sent, 'video')} already sent: those that have started will be finished,
              delivered and charged; the rest are cancelled.
            </li>
          )}
          {next && <li>Then the next batch in line starts: {plural(next.prompts, 'prompt')}.</li>}
        </ul>
      }
      intent="stop-batch"
      failed={CANCEL_FAILED}
      action={paths.create('bulk')}
      fields={{ batchId: batch.id, tab: readTab(search), ...(from !== null && { from }) }}
      cancelTo={safeRedirect(from, here)}
      confirmLabel="Stop All Process"
    />
  )
}
