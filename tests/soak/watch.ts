import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { usedBy, type Customer } from './customers'
import type { Product } from './product'

/** A video that made no progress for STANDSTILL_MS although there was no outage. */
export type Standstill = { videoId: string; prompt: string; what: string; seconds: number }

export type Watch = {
  stuck: ReadonlyMap<string, Standstill>
  /** Readings of a counter that exceeded its limit. */
  overQuota: readonly string[]
  stop: () => Promise<void>
}

/** The longest that a video may make no progress outside an outage. */
export const STANDSTILL_MS = 180_000
const LOOK_EVERY_MS = 5_000
const READ_EVERY_MS = 25_000

type Row = { id: string; prompt: string; what: string; state: string }
type Seen = { state: string; stillMs: number }

/**
 * One row per unended video, with everything that changes while it makes progress: its own latest
 * attempt and line entry or, while it waits for its round or turn, how many attempts its owner has. A
 * lost order is left out for as long as users are told that it is being checked, and what is not ordered
 * while the service is paused because orders were paid for nothing (R9): that may last longer.
 */
const UNENDED = `
  select videos.id, videos.prompt, coalesce(attempts.state::text, line_entries.state::text, 'waits') as what,
    case when attempts.state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown')
      then to_jsonb(attempts)::text
      else coalesce(line_entries.state::text, '') || (
        select count(*)::text || coalesce(max(theirs.created_at)::text, '') from attempts as theirs
        where theirs.user_id = videos.user_id) end as state
  from videos
  left join line_entries on line_entries.video_id = videos.id
  left join lateral (select * from attempts where video_id = videos.id
    order by created_at desc limit 1) as attempts on true
  where videos.status in ('pending', 'generating')
    and (attempts.state = 'unknown' and attempts.deadline_at > now()) is not true
    and not (coalesce(attempts.state not in ('queued', 'submitting', 'submitted', 'fetching', 'unknown'), true)
      and exists (select 1 from provider_gates where scope like 'service %'
        and reason in ('unreadable', 'no-clips') and closed_until > now()))`

type Input = {
  product: Product
  customers: readonly Customer[]
  isOutage: () => boolean
  say: (line: string) => void
}

/**
 * Checks every few seconds which videos make no progress, and whether counters stay within their
 * limits.
 */
export function startWatch({ product, customers, isOutage, say }: Input): Watch {
  const seen = new Map<string, Seen>()
  const stuck = new Map<string, Standstill>()
  const overQuota: string[] = []
  const stopping = new AbortController()
  let before = Date.now()

  const look = async () => {
    const { rows } = await product.db.query<Row>(UNENDED)
    // The time since a check that failed may have been an outage.
    const passed = isOutage() ? 0 : Math.min(Date.now() - before, 2 * LOOK_EVERY_MS)
    before = Date.now()
    for (const { id, prompt, what, state: all } of rows) {
      const state = createHash('sha1').update(all).digest('hex')
      const last = seen.get(id)
      const stillMs = last?.state === state ? last.stillMs + passed : 0
      seen.set(id, { state, stillMs })
      if (stillMs < STANDSTILL_MS) continue
      if (!stuck.has(id)) say(`! ${prompt.slice(0, 12)} stands still as ${what}`)
      stuck.set(id, { videoId: id, prompt, what, seconds: Math.round(stillMs / 1000) })
    }
    const ids = new Set(rows.map(({ id }) => id))
    for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id)
  }

  const read = async () => {
    await product.control.readJournal()
    if (!isOutage()) overQuota.push(...(await overLimit(customers)))
  }
  const again = async (work: () => Promise<void>, everyMs: number) => {
    const { signal } = stopping
    while (!signal.aborted) {
      // While the database is unavailable there is nothing to check.
      await work().catch(() => undefined)
      await sleep(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = Promise.all([again(look, LOOK_EVERY_MS), again(read, READ_EVERY_MS)])
  return {
    stuck,
    overQuota,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function overLimit(customers: readonly Customer[]): Promise<string[]> {
  const readings = await Promise.all(
    customers.map(async (customer) => ({ customer, used: await usedBy(customer).catch(() => 0) })),
  )
  return readings
    .filter(({ customer, used }) => used > customer.limit)
    .map(({ customer, used }) => `${customer.name}: ${used} of ${customer.limit}`)
}
