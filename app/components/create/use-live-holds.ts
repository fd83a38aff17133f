import { useCallback, useState } from 'react'
import { HOLDS_HEADER, type Hold } from '~/domain/videos/holds'

/**
 * What keeps the work from going on: as the page was loaded with, then as the answers to the polled
 * calls tell, so that it shows, and goes away, with the very next poll.
 */
export function useLiveHolds(loaded: readonly Hold[]): {
  holds: readonly Hold[]
  readHolds: (headers: Headers) => void
} {
  const [live, setLive] = useState({ loaded, holds: loaded })
  // A new page from the server replaces what was polled.
  if (live.loaded !== loaded) setLive({ loaded, holds: loaded })
  const readHolds = useCallback((headers: Headers) => {
    const holds = parse(headers.get(HOLDS_HEADER))
    if (holds) setLive((before) => (isSame(before.holds, holds) ? before : { ...before, holds }))
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
