import { useRevalidator } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { BatchProgress, BatchView } from '~/domain/batches/types'
import { paths } from '~/lib/paths'

const POLL_MS = 3000

/**
 * Follows a batch while it is processing: its figures every three seconds, the page's data when it
 * has ended. Nothing is asked while the tab is hidden.
 */
export function useLiveBatch(given: BatchProgress | null): BatchProgress | null {
  const [polled, setPolled] = useState<BatchView | null>(null)
  const { revalidate } = useRevalidator()
  const reload = useRef(revalidate)
  reload.current = revalidate
  const id = given?.batch.status === 'processing' ? given.batch.id : undefined
  // The page's own data is newer whenever it was loaded after the poll.
  useEffect(() => setPolled(null), [given])
  useEffect(() => {
    if (id === undefined) return
    let etag = ''
    const timer = setInterval(async () => {
      if (document.hidden) return
      const headers = { 'If-None-Match': etag }
      const response = await fetch(paths.api.batches, { headers }).catch(() => null)
      if (response?.status !== 200) return
      etag = response.headers.get('ETag') ?? ''
      const batch = findBatch(await response.json(), id)
      if (batch?.status === 'processing') setPolled(batch)
      else reload.current()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [id])
  return given && polled?.id === given.batch.id ? { ...given, batch: polled } : given
}

/** The batch with this id in an answer of `GET /api/batches`. */
function findBatch(answer: unknown, id: string): BatchView | undefined {
  return Array.isArray(answer) ? answer.filter(isBatch).find((batch) => batch.id === id) : undefined
}

function isBatch(value: unknown): value is BatchView {
  return typeof value === 'object' && value !== null && 'id' in value && 'totalVideos' in value
}
