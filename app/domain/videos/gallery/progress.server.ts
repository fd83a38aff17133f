import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { VideoProvider } from '~/platform/providers/port'
import type { UserCtx } from '../../context'
import { AppError } from '../../errors'
import { FIRST_PROVIDER } from '../../route'
import { namedProviders, type Providers } from '../../providers.server'
import { isoText } from '../../iso-text.server'
import { ACTIVE } from '../engine/attempts.server'
import { CLIPS_OF_ATTEMPT, IS_CLOSED, STORAGE } from '../engine/gates.server'
import type { Hold } from '../holds'
import type { Pulse, UnderWay } from './pulse'
import { LANES, type VideoView } from '../types'
import { toVideo, VIDEO_COLUMNS, type VideoRow } from '../video-columns.server'
import { isVisibleTo } from '../visibility.server'

/** A gate is probed shortly after its time, so it counts as closed for a little longer. */
const TRIED_WITHIN = sql`interval '2 seconds'`

/** The gate that is closed, of those with these names. Storage comes first, since it blocks clips as well. */
const closed = (scopes: Sql) => sql`
  select scope, reason, closed_until from provider_gates
  where scope in (${STORAGE}, ${scopes}) and closed_until > engine_now() - ${TRIED_WITHIN} and ${IS_CLOSED}
  order by scope = ${STORAGE} desc limit 1`

/**
 * Builds the kind of the provider that gets the next order of a line entry, as `targetOf` says. With one
 * provider it is a constant.
 */
function kindOf(providers: Providers): Sql {
  const named = [...namedProviders(providers)]
  const [[, first]] = [named[0] ?? [FIRST_PROVIDER, providers.provider]]
  if (named.length === 1) return sql`${first.kind}::text`
  const known = sql`(select given.name, given.kind, coalesce(is_aside, false) as is_aside,
      out_since is not null as is_out
    from unnest(${named.map(([name]) => name)}::text[], ${named.map(([, { kind }]) => kind)}::text[])
      as given(name, kind) left join provider_settings on provider_settings.name = given.name)`
  return sql`coalesce((
    select case when home.is_aside and other.kind is not null and not other.is_out then other.kind
      else coalesce(home.kind, other.kind) end
    from (select split_part(route, ' ', 1) as provider, split_part(route, ' ', 2) as stand_in) as way
      left join ${known} as home on home.name = provider
      left join ${known} as other on other.name = stand_in), ${first.kind})`
}

/**
 * Accepted videos that are held, with reason and time of the next try. What waits in the line waits for the
 * provider that gets its order; a clip comes from the provider that has the order.
 */
const held = (providers: Providers, whose: Sql) => sql`
  select case when state = 'held' then coalesce(hold_reason, 'transient') else closed.reason end as reason,
    case when state = 'held' then wake_at else closed.closed_until end as until
  from line_entries left join lateral (
    with target as (select ${kindOf(providers)} as kind)
    ${closed(sql`(select 'service ' || kind from target), (select 'clips ' || kind from target)`)}) as closed on true
  where ${whose} and (state = 'held' or (state = 'ready' and closed.scope is not null))
  union all
  select reason, closed_until from attempts cross join lateral (${closed(CLIPS_OF_ATTEMPT)}) as closed
  where ${whose} and state = 'fetching'`

/**
 * Builds a scalar query for the number of held videos. `whose` must be valid for line entries and
 * attempts.
 */
export const countHeld = (providers: Providers, whose: Sql): Sql =>
  sql`select count(*)::int from (${held(providers, whose)}) as held`

/** Maximum number of videos whose progress is reported. The others follow when these have ended. */
const MAKING_TOLD = 20

/** A clip that is being downloaded has been made, so its progress is 100%. */
const making = (whose: Sql) => sql`
  select video_id as id, case when state = 'fetching' then 100 else percent end as percent,
    greatest(0, extract(epoch from engine_now() - sent_at))::int as seconds,
    still is not null as "hasStill",
    case when state = 'unknown' then ${isoText(sql`deadline_at`)} end as "checkedUntil"
  from attempts where ${whose} and state in (${ACTIVE}) and sent_at is not null and not late
  order by sent_at limit ${MAKING_TOLD}`

const heldTogether = (providers: Providers, whose: Sql) => sql`
  select reason, count(*)::int as videos, ${isoText(sql`min(until)`)} as "nextTryAt"
  from (${held(providers, whose)}) as held group by reason order by count(*) desc, reason`

/**
 * Builds the user's holds (their own, a closed service while some videos are next in the line, or a
 * storage problem) and the progress of their videos in progress.
 */
const holdsOf = (providers: Providers, userId: string) =>
  sql`(select coalesce(json_agg(hold), '[]') from (${heldTogether(providers, sql`user_id = ${userId}`)}) as hold)`
const makingOf = (whose: Sql) =>
  sql`(select coalesce(json_agg(one), '[]') from (${making(whose)}) as one)`

/** Builds a user's pulse as JSON. A scalar query for use with a row of `galleries`. */
export const pulseOf = (providers: Providers, userId: string): Sql => sql`json_build_object(
  'version', version, 'holds', ${holdsOf(providers, userId)}, 'making', ${makingOf(sql`user_id = ${userId}`)})`

/** Returns the actor's pulse, in one statement. Throws NOT_FOUND. */
export async function getPulse(ctx: UserCtx): Promise<Pulse> {
  const { db, actor } = ctx
  const row = await db.row<{ pulse: Pulse }>(
    sql`select ${pulseOf(ctx, actor.id)} as pulse from galleries where user_id = ${actor.id}`,
  )
  if (!row) throw new AppError('NOT_FOUND', 'This account does not exist')
  return row.pulse
}

/** Returns why a video waits and when it is tried again, or null. The caller may see it. */
export const findHold = async (
  ctx: Pick<UserCtx, 'db'> & Providers,
  videoId: string,
): Promise<Hold | null> =>
  (await ctx.db.row<Hold>(heldTogether(ctx, sql`video_id = ${videoId}`))) ?? null

/** Builds a scalar query for the Hold of a video, as JSON; null if it does not wait. */
export const holdOf = (providers: Providers, video: Sql): Sql =>
  sql`(select row_to_json(hold) from (${heldTogether(providers, sql`video_id = ${video}`)}) as hold limit 1)`

/** Returns why a user's videos wait, the most frequent reason first. */
export const listHolds = (ctx: Pick<UserCtx, 'db'> & Providers, userId: string): Promise<Hold[]> =>
  ctx.db.rows<Hold>(heldTogether(ctx, sql`user_id = ${userId}`))

export type Still = { attemptId: string; jpeg: Buffer }

/** Returns the still of a video that is being made, if there is one. */
export const findStill = async (ctx: UserCtx, videoId: string): Promise<Still | undefined> =>
  isId(videoId)
    ? ctx.db.row<Still>(sql`
        select attempts.id as "attemptId", still as jpeg
        from attempts join videos on videos.id = attempts.video_id
        where videos.id = ${videoId} and still is not null and ${isVisibleTo(ctx)}
        order by attempts.created_at desc limit 1`)
    : undefined

/** Number of deliveries from which the recent duration is averaged. */
const LOOK_BACK = 20

/** A delivery that took this many times the median was held up, for example by an outage. */
const HELD_UP = 5

/**
 * Selects when the latest delivered videos were sent and delivered, without those held up. The clips
 * of another provider or model tell nothing about this one. They are left out after the limit, so
 * that the statement stays short when all deliveries are theirs.
 */
export const latestDeliveries = ({ kind, model }: Pick<VideoProvider, 'kind' | 'model'>) => sql`
  with latest as (
    select settled_at, sent_at from (
      select settled_at, sent_at, provider, model from attempts where state = 'done'
      order by settled_at desc limit ${LOOK_BACK}) as all_latest
    where provider = ${kind} and model = ${model})
  select settled_at, sent_at from latest where settled_at - sent_at <= ${HELD_UP} * (
    select percentile_cont(0.5) within group (order by settled_at - sent_at) from latest)`

const usualMs = (provider: VideoProvider) => sql`
  coalesce((
    select avg(extract(epoch from settled_at - sent_at))::float * 1000
    from (${latestDeliveries(provider)}) as latest), ${provider.can.expectedMs}::float)`

/** Returns the actor's work in progress, except for the videos themselves, in one statement. */
export async function getUnderWay(ctx: UserCtx): Promise<UnderWay> {
  const { db, actor, provider } = ctx
  const row = await db.one<UnderWay>(sql`
    select ${isoText(sql`engine_now()`)} as now,
      ${holdsOf(ctx, actor.id)} as holds, ${makingOf(sql`user_id = ${actor.id}`)} as making,
      ${usualMs(provider)} as "usualMs"`)
  return row
}

/**
 * Returns the progress of those videos that are being made. The caller has checked that the actor
 * may see them.
 */
export async function getProgressOf(
  { db, provider }: Pick<UserCtx, 'db' | 'provider'>,
  videoIds: readonly string[],
): Promise<Pick<UnderWay, 'making' | 'usualMs'>> {
  if (videoIds.length === 0) return { making: [], usualMs: provider.can.expectedMs }
  return db.one<Pick<UnderWay, 'making' | 'usualMs'>>(sql`
    select ${makingOf(sql`video_id = any(${videoIds}::uuid[])`)} as making,
      ${usualMs(provider)} as "usualMs"`)
}

/**
 * Returns the actor's video in progress that is not part of a batch, or null: the first one that is being
 * made, if there is a line of them.
 */
export async function findRunningSingle(ctx: UserCtx): Promise<VideoView | null> {
  const row = await ctx.db.row<VideoRow>(sql`
    select ${VIDEO_COLUMNS} from videos join users on users.id = videos.user_id
    where videos.user_id = ${ctx.actor.id} and videos.status in ('pending', 'generating')
      and videos.deleted_at is null and (
        exists (select 1 from line_entries where video_id = videos.id and batch_id is null)
        or exists (select 1 from attempts where video_id = videos.id and batch_id is null
          and state in (${ACTIVE})))
    order by videos.status = 'generating' desc, videos.created_at, videos.id limit 1`)
  return row ? toVideo(row, row.username) : null
}

/**
 * Returns how many of the actor's single videos wait in line before the next one. Null: the next one starts at
 * once, because fewer are being made than the account may have at once (`admit_waiting`).
 */
export async function countSinglesAhead(
  { db, actor }: UserCtx,
  atOnce: number,
): Promise<number | null> {
  const { moving, waiting } = await db.one<{ moving: number; waiting: number }>(sql`
    select count(*) filter (where gated)::int as waiting, count(*) filter (where not gated)::int as moving
    from (
      select state = 'gated' as gated from line_entries
      where user_id = ${actor.id} and lane = ${LANES.single}
      union all
      select false from attempts
      where user_id = ${actor.id} and lane = ${LANES.single} and state in (${ACTIVE})
    ) as singles`)
  return waiting > 0 || moving >= Math.max(1, atOnce) ? waiting : null
}

/**
 * Returns the ids of the actor's single videos that wait until one of theirs ends (decision Q-8), first ones
 * first.
 */
export const listSinglesInLine = async ({ db, actor }: UserCtx): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`
    select video_id as id from line_entries
    where user_id = ${actor.id} and state = 'gated' and lane = ${LANES.single}
    order by entered_at, video_id`)
  return rows.map(({ id }) => id)
}
