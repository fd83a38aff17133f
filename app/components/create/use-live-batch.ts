import { useRevalidator } from '@remix-run/react'
import { useEffect, useState } from 'react'
import type { BatchProgress, BatchView } from '~/domain/batches/types'
import { paths } from '~/lib/paths'
import { usePolling } from '../ui/use-polling'

const POLL_MS = 3000

/**
 * Follows a batch while it is processing: its figures every three seconds, the page's data when a
 * round goes out and when it has ended. Nothing is asked while the tab is hidden.
 */
export function useLiveBatch(
  given: BatchProgress | null,
  onHeaders: (headers: Headers) => void,
): BatchProgress | null {
  const [polled, setPolled] = useState<BatchView | null>(null)
  const { revalidate } = useRevalidator()
  // The page's own data is newer whenever it was loaded after the poll.
  useEffect(() => setPolled(null), [given])
  const batch = given?.batch.status === 'processing' ? given.batch : undefined
  usePolling<BatchView[]>({
    url: () => paths.api.batches,
    everyMs: POLL_MS,
    isActive: batch !== undefined,
    onHeaders,
    onAnswer: (batches) => {
      const news = batches.find(({ id }) => id === batch?.id)
      const isNext = news?.status === 'processing' && news.nextRoundAt === batch?.nextRoundAt
      if (isNext) setPolled(news)
      else revalidate()
    },
  })
  return given && polled?.id === given.batch.id ? moveOn(given, polled) : given
}

const endedOf = (batch: BatchView) => batch.completedVideos + batch.failedVideos

/** Between two rounds the waiting ones stay the same, so what ended was in progress. */
function moveOn(progress: BatchProgress, polled: BatchView): BatchProgress {
  const ended = endedOf(polled) - endedOf(progress.batch)
  return { ...progress, batch: polled, moving: Math.max(0, progress.moving - ended) }
}
