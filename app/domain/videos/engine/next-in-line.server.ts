import sql, { empty, type Sql } from 'sql-template-tag'
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

/** The orders in progress of one provider. */
export type Load = {
  /** Its kind. */
  kind: string
  active: number
  /** How many of these have no response yet. */
  unanswered: number
  /** Whether an order that was sent lately has been accepted. */
  isAccepted: boolean
  /** Whether it was asked for its orders more than once, and has answered for none of them lately. */
  isUnheard: boolean
  /** Whether it has answered for one of them, or accepted it, lately. */
  isHeard: boolean
}

/** A provider is not heard of an order after this many polls that failed. A single one may be chance. */
export const UNHEARD_TRIES = 2

export type LineState = {
  loads: Load[]
  /** The routes of the entries that are ready. */
  routes: string[]
  gates: Gate[]
  refused: Refused[]
}

/**
 * For this long after it was sent, an accepted order shows that responses can be read. Counted from the
 * sending: a response that was waiting in a database that stood still says nothing about today.
 */
const SHOWS_FOR_MS = seconds(10)

/**
 * The routes of the ready entries. Each costs one look at the index, however many entries have it.
 */
const READY_ROUTES = sql`
  with recursive found as (
    (select route from line_entries where state = 'ready' order by route limit 1)
    union all
    select (select route from line_entries where state = 'ready' and route > found.route order by route limit 1)
    from found where found.route is not null
  ) select route from found where route is not null`

/**
 * Makes held entries ready whose time has come. Returns the attempts in progress, the routes that wait,
 * the gates, and the videos that may not be the next probe.
 */
export async function wakeDueAndReadState(
  { settings }: Pick<Deps, 'settings'>,
  tx: Tx,
): Promise<LineState> {
  const row = await tx.one<LineState>(sql`
    with woken as (
      update line_entries set state = 'ready', hold_reason = null, wake_at = null
      where video_id in (select video_id from line_entries
        where state = 'held' and wake_at <= engine_now() for update skip locked)
      returning route
    )
    select ${allGates} as gates, ${refusedVideos} as refused,
      (select coalesce(json_agg(route), '[]') from (select route from woken union (${READY_ROUTES})) as ready)
        as routes,
      (select coalesce(json_agg(load), '[]') from (
        select provider as kind, count(*)::int as active,
          count(*) filter (where state in ('queued', 'submitting'))::int as unanswered,
          coalesce(bool_and(step_tries >= ${UNHEARD_TRIES}) filter (where state = 'submitted'), false) as "isUnheard",
          bool_or(state = 'submitted' and step_tries = 0) as "isHeard",
          bool_or(state in ('submitted', 'fetching') and coalesce(sent_at > engine_now() -
            ${SHOWS_FOR_MS * settings.providerTimeScale}::float * interval '1 millisecond', false)) as "isAccepted"
        from attempts where state in (${ACTIVE}) group by provider) as load) as loads`)
  return row
}

/**
 * How many entries may be handed over now, of which routes, whether only singles may be, and which videos
 * may not.
 */
export type Room = {
  most: number
  routes: readonly string[]
  onlySingles: boolean
  /** The routes of which only videos without a picture may be. */
  withoutPictures: readonly string[]
  /** Those of which videos with a picture for the end may not be. */
  withoutEndPictures?: readonly string[]
  without?: readonly string[]
}

/**
 * Returns how many entries may be handed over now. When all places are taken, a provider may have
 * extra places for singles only (`extraForSingles`). `active` counts the orders of all providers,
 * `activeHere` those of this one.
 */
export function roomOf(
  { settings, provider: { can } }: Pick<Deps, 'settings' | 'provider'>,
  { active, activeHere }: { active: number; activeHere: number },
  most: number,
): Pick<Room, 'most' | 'onlySingles'> {
  const free = Math.min(settings.maxInFlight - active, (can.maxInFlight ?? Infinity) - activeHere)
  const onlySingles = free <= 0
  const places = onlySingles ? free + (can.extraForSingles ?? 0) : free
  return { most: Math.max(0, Math.min(most, places)), onlySingles }
}

/**
 * Builds the statement that selects and locks the next entries: the first ones of each route, of which routes
 * take turns within a lane. Chance decides which one is first: often only one entry may go, and it must not
 * always be one of the same route. The limit is a parameter, so that the planner expects few rows and walks
 * the index of the line however long the line is.
 */
export const nextInLine = (room: Room): Sql => sql`
    select "videoId", generation, "userId", lane, "batchId", "ownCredentialId", route
    from (select first.*, row_number() over (partition by route, lane order by turn, entered_at) as place
      from unnest(${[...room.routes]}::text[]) as given(name) cross join lateral (
        select entry.video_id as "videoId", entry.generation, entry.user_id as "userId", entry.lane,
          entry.batch_id as "batchId", users.credential_id as "ownCredentialId", entry.route,
          entry.turn, entry.entered_at
        from line_entries as entry join users on users.id = entry.user_id
          join videos on videos.id = entry.video_id
          join galleries on galleries.user_id = videos.user_id
        where entry.state = 'ready' and entry.route = given.name and ${mayGo(room)}
        order by entry.lane, entry.turn, entry.entered_at
        limit ${room.most}::int
        for update of entry, galleries skip locked for no key update of users skip locked) as first) as placed
    order by lane, place, random() limit ${room.most}::int`

/**
 * Entries of a stopped regeneration are taken back soon and are not sent until then. A subquery
 * costs one look-up by index per entry, however many batches there are. `is not true` is expected
 * to hold for half of the rows, `is null` for one in 200, which leads to a slower plan.
 */
const MAY_BE_SENT = sql`
  (select stopped_at is not null from batches where id = entry.batch_id) is not true`

/** Condition on an entry that is ready and of one of the room's routes. */
const mayGo = ({
  onlySingles,
  withoutPictures,
  withoutEndPictures = [],
  without = [],
}: Room): Sql => sql`
  ${MAY_BE_SENT} and entry.video_id <> all(${[...without]}::uuid[])
  ${onlySingles ? sql`and entry.lane = ${LANES.single}` : empty}
  ${withoutPictures.length > 0 ? lacksPicture(withoutPictures, empty) : empty}
  ${withoutEndPictures.length > 0 ? lacksPicture(withoutEndPictures, sql`and end_picture_id is not null`) : empty}`

const lacksPicture = (routes: readonly string[], ofKind: Sql) => sql`
  and not (entry.route = any(${[...routes]}::text[])
    and exists (select 1 from video_pictures where video_id = entry.video_id ${ofKind}))`

/**
 * Schedules another dispatch if entries were skipped because they, their gallery or their user were
 * locked. Dispatch must not wait for these locks, because all other transactions lock a gallery
 * before its line entries (decision 13). It also schedules one for entries that become due within a
 * second: their own job runs too early if `wake_at` was rounded up or the clock was set back.
 */
export async function dispatchSoonIfSkipped(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  room: Room,
): Promise<void> {
  await tx.run(sql`
    select ${queue.adding([DISPATCH_SOON])} where
      (select true from line_entries as entry
        where state = 'ready' and route = any(${[...room.routes]}::text[]) and ${mayGo(room)} limit 1)
      or (select true from line_entries where state = 'held' and wake_at <= engine_now() + interval '1 second'
        order by wake_at limit 1)`)
}
