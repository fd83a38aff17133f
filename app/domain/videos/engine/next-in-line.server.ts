import sql, { type Sql } from 'sql-template-tag'
import { seconds } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import type { Deps } from '../../context'
import { DISPATCH_NOW } from '../line.server'
import { LANES } from '../types'
import { ACTIVE } from './attempts.server'
import { refusedVideos, type Refused } from './breaker.server'
import type { Gate } from './dispatch-plan'
import { allGates } from './gates.server'

/** Delay before retrying rows that another transaction had locked. */
const SOON_MS = 100

/** A dispatch job that runs again shortly. */
export const DISPATCH_SOON: NewJob = { ...DISPATCH_NOW, key: 'line again', delayMs: SOON_MS }

export type LineState = {
  active: number
  /** How many of the active ones the provider has. */
  activeHere: number
  /** How many of these have no response yet. */
  unanswered: number
  /** Whether an order that was sent lately has been accepted. */
  isAccepted: boolean
  gates: Gate[]
  refused: Refused[]
}

/**
 * For this long after it was sent, an accepted order shows that responses can be read. Counted from the
 * sending: a response that was waiting in a database that stood still says nothing about today.
 */
const SHOWS_FOR_MS = seconds(10)

/**
 * Makes held entries ready whose time has come. Returns the attempts in progress, the gates, and the
 * videos that may not be the next probe.
 */
export async function wakeDueAndReadState(
  { settings, provider }: Pick<Deps, 'settings' | 'provider'>,
  tx: Tx,
): Promise<LineState> {
  const row = await tx.one<LineState>(sql`
    with woken as (
      update line_entries set state = 'ready', hold_reason = null, wake_at = null
      where video_id in (select video_id from line_entries
        where state = 'held' and wake_at <= engine_now() for update skip locked)
    )
    select active.*, ${allGates} as gates, ${refusedVideos} as refused
    from (select count(*)::int as active,
        count(*) filter (where provider = ${provider.kind})::int as "activeHere",
        count(*) filter (where provider = ${provider.kind} and state in ('queued', 'submitting'))::int as unanswered,
        coalesce(bool_or(provider = ${provider.kind} and state in ('submitted', 'fetching') and sent_at > engine_now() -
          ${SHOWS_FOR_MS * settings.providerTimeScale}::float * interval '1 millisecond'), false) as "isAccepted"
      from attempts where state in (${ACTIVE})) as active`)
  return row
}

/**
 * How many entries may be handed over now, whether only singles may be, and which videos may not.
 */
export type Room = { most: number; onlySingles: boolean; without?: readonly string[] }

/**
 * Returns how many entries may be handed over now. When all places are taken, a provider may have
 * extra places for singles only (`extraForSingles`).
 */
export function roomOf(
  { settings, provider: { can } }: Pick<Deps, 'settings' | 'provider'>,
  { active, activeHere }: Pick<LineState, 'active' | 'activeHere'>,
  most: number,
): Room {
  const free = Math.min(settings.maxInFlight - active, (can.maxInFlight ?? Infinity) - activeHere)
  const onlySingles = free <= 0
  const places = onlySingles ? free + (can.extraForSingles ?? 0) : free
  return { most: Math.max(0, Math.min(most, places)), onlySingles }
}

/**
 * Builds the statement that selects and locks the next entries. The limit is a parameter, so that
 * the planner expects few rows and walks the index of the line however long the line is.
 */
export const nextInLine = ({ most, onlySingles, without = [] }: Room): Sql => sql`
    select entry.video_id as "videoId", entry.generation, entry.user_id as "userId", entry.lane,
      entry.batch_id as "batchId", users.credential_id as "ownCredentialId"
    from line_entries as entry join users on users.id = entry.user_id
      join videos on videos.id = entry.video_id
      join galleries on galleries.user_id = videos.user_id
    where entry.state = 'ready' and ${MAY_BE_SENT} and ${mayGo(onlySingles)}
      and entry.video_id <> all(${[...without]}::uuid[])
    order by entry.lane, entry.turn, entry.entered_at
    limit ${most}::int
    for update of entry, galleries skip locked for no key update of users skip locked`

/**
 * Entries of a stopped regeneration are taken back soon and are not sent until then. A subquery
 * costs one look-up by index per entry, however many batches there are. `is not true` is expected
 * to hold for half of the rows, `is null` for one in 200, which leads to a slower plan.
 */
const MAY_BE_SENT = sql`
  (select stopped_at is not null from batches where id = entry.batch_id) is not true`

const mayGo = (onlySingles: boolean) =>
  onlySingles ? sql`entry.lane = ${LANES.single}` : sql`true`

/**
 * Schedules another dispatch if entries were skipped because they, their gallery or their user were
 * locked. Dispatch must not wait for these locks, because all other transactions lock a gallery
 * before its line entries (decision 13). It also schedules one for entries that become due within a
 * second: their own job runs too early if `wake_at` was rounded up or the clock was set back.
 */
export async function dispatchSoonIfSkipped(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  { onlySingles, without = [] }: Room,
): Promise<void> {
  await tx.run(sql`
    select ${queue.adding([DISPATCH_SOON])} where
      (select true from line_entries as entry
        where state = 'ready' and ${MAY_BE_SENT} and ${mayGo(onlySingles)}
          and entry.video_id <> all(${[...without]}::uuid[])
        order by lane, turn, entered_at limit 1)
      or (select true from line_entries where state = 'held' and wake_at <= engine_now() + interval '1 second'
        order by wake_at limit 1)`)
}
