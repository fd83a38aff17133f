import { useRevalidator } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { HOLDS_HEADER, type Hold } from '~/domain/videos/holds'

/**
 * What keeps the work from going on: as the page was loaded with, then as the answers to the polled
 * calls tell, so that it shows, and goes away, with the very next poll. The page is loaded anew after
 * a change, since a batch tells how many of its videos are held.
 */
export function useLiveHolds(loaded: readonly Hold[]): {
  holds: readonly Hold[]
  readHolds: (headers: Headers) => void
} {
  const [live, setLive] = useState({ loaded, holds: loaded })
  // A new page from the server replaces what was polled.
  if (live.loaded !== loaded) setLive({ loaded, holds: loaded })
  const { revalidate } = useRevalidator()
  const latest = useRef({ holds: live.holds, revalidate })
  useEffect(() => {
    latest.current = { holds: live.holds, revalidate }
  })
  const readHolds = useCallback((headers: Headers) => {
    const holds = parse(headers.get(HOLDS_HEADER))
    if (!holds || isSame(latest.current.holds, holds)) return
    setLive((before) => ({ ...before, holds }))
    latest.current.revalidate()
  }, [])
  return { holds: live.holds, readHolds }
}

const isSame = (left: readonly Hold[], right: readonly Hold[]): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

function parse(header: string | null): Hold[] | null {
  const value: unknown = JSON.parse(header ?? 'null')
  return Array.isArray(value) ? value.filter(isHold) : null
}

function isHold(value: unknown): value is Hold {
  return typeof value === 'object' && value !== null && 'reason' in value && 'videos' in value
}
