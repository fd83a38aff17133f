import { useRevalidator } from '@remix-run/react'
import { useState } from 'react'
import type { QuotaView } from '~/domain/quota/types'
import type { GalleryPage } from '~/domain/videos/types'
import { paths } from '~/lib/paths'
import { usePolling } from '../ui/use-polling'
import { applyChanges, type GalleryChanges } from './apply-changes'

/** Lists are asked about this often while something is in progress (specification §9). */
const POLL_MS = 5000

type Feed = GalleryChanges & { quota: QuotaView }
type Live = { loaded: GalleryPage; page: GalleryPage; quota: QuotaView; isFailing: boolean }

export type LiveGallery = {
  page: GalleryPage
  quota: QuotaView
  /** The last question about news was not answered. */
  isFailing: boolean
  /** Asks for news now; after something was changed. */
  refresh: () => Promise<void>
}

/**
 * A page of the user's own gallery that follows what happens to his videos: while something is in
 * progress it asks every 5 s what changed and mends cards, counts and quota in place.
 */
export function useLiveGallery(loaded: GalleryPage, quota: QuotaView): LiveGallery {
  const { revalidate } = useRevalidator()
  const [live, setLive] = useState<Live>({ loaded, page: loaded, quota, isFailing: false })
  // A new page from the server replaces what was mended.
  if (live.loaded !== loaded) setLive({ loaded, page: loaded, quota, isFailing: false })
  const { page } = live
  const refresh = usePolling<Feed>({
    url: () => paths.api.changes(page.version),
    everyMs: POLL_MS,
    isActive: page.counts.inProgress > 0,
    onAnswer: (feed) => {
      const { page: next, needsReload } = applyChanges(page, feed)
      setLive((before) => ({ ...before, page: next, quota: feed.quota, isFailing: false }))
      if (needsReload) revalidate()
    },
    onFailure: () => setLive((before) => ({ ...before, isFailing: true })),
  })
  return { page, quota: live.quota, isFailing: live.isFailing, refresh }
}
