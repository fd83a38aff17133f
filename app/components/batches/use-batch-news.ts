import { useNavigation, useRevalidator } from '@remix-run/react'
import { paths } from '~/lib/paths'
import { usePolling } from '../ui/use-polling'

/** Interval of the poll while a batch is running (specification §9). */
const BATCHES_MS = 3000

/** Loads the page again when a batch has changed, as long as one is running. */
export function useBatchNews(isRunning: boolean): void {
  const { revalidate } = useRevalidator()
  const { state } = useNavigation()
  usePolling({
    url: () => paths.api.batches,
    everyMs: BATCHES_MS,
    isActive: isRunning,
    // A form under way loads the page itself. Loading it twice would lose the form's toast.
    onAnswer: () => state === 'idle' && revalidate(),
  })
}
