import { useRevalidator } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { paths } from '~/lib/paths'

const POLL_MS = 3000

type Props = { version: number; isWorking: boolean }

/**
 * While work is in progress, asks whether anything changed since `version` and loads the page's
 * data anew when it did. Nothing is asked while the tab is hidden.
 */
export function useLiveGallery({ version, isWorking }: Props): void {
  const { revalidate } = useRevalidator()
  const latest = useRef(revalidate)
  latest.current = revalidate
  useEffect(() => {
    if (!isWorking) return
    const timer = setInterval(async () => {
      if (document.hidden) return
      const response = await fetch(paths.api.changes(version), {
        headers: { 'If-None-Match': `W/"${version}"` },
      }).catch(() => undefined)
      if (response && response.status !== 304) latest.current()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [version, isWorking])
}
