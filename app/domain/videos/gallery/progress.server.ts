import sql, { type Sql } from 'sql-template-tag'
import type { UserCtx } from '../../context'
import { AppError } from '../../errors'
import { ACTIVE } from '../engine/attempts.server'
import { CLIPS, SERVICE } from '../engine/gates.server'
import { STORAGE } from '../engine/space.server'
import type { Pulse, UnderWay } from './pulse'
import type { VideoView } from '../types'
import { ISO, videoJson } from '../video-json.server'

/** Whether a closed way is open again is tried a moment after its time; until then it is still closed. */
const TRIED_WITHIN = sql`interval '2 seconds'`

/** The gate that keeps everybody waiting, if one is closed: no room first, since it keeps clips as well. */
const closed = sql`
  select scope, reason, closed_until from provider_gates
  where scope in (${SERVICE}, ${STORAGE}, ${CLIPS}) and closed_until > engine_now() - ${TRIED_WITHIN}
  order by scope = ${STORAGE} desc limit 1`

/** Accepted videos that a stated reason keeps from going on: which, and until when. */
const held = (whose: Sql) => sql`
  select case when state = 'held' then coalesce(hold_reason, 'transient') else closed.reason end as reason,
    case when state = 'held' then wake_at else closed.closed_until end as until
  from line_entries left join (${closed}) as closed on true
  where ${whose} and (state = 'held' or (state = 'ready' and closed.scope is not null))
  union all
  select reason, closed_until from attempts join (${closed}) as closed on scope in (${STORAGE}, ${CLIPS})
  where ${whose} and state = 'fetching'`

/** How many of those videos something keeps waiting; a scalar query about line entries and attempts. */
export const countHeld = (whose: Sql): Sql =>
  sql`select count(*)::int from (${held(whose)}) as held`

/** Videos under way whose progress is told; the others follow when these have ended. */
const MAKING_TOLD = 20

/** A clip that is being fetched has been made. */
const making = (userId: string) => sql`
  select video_id as id, case when state = 'fetching' then 100 else percent end as percent,
    greatest(0, extract(epoch from engine_now() - sent_at))::int as seconds
  from attempts where user_id = ${userId} and state in (${ACTIVE}) and sent_at is not null and not late
  order by sent_at limit ${MAKING_TOLD}`

const heldTogether = (userId: string) => sql`
  select reason, count(*)::int as videos, to_char(min(until) at time zone 'UTC', ${ISO}) as "nextTryAt"
  from (${held(sql`user_id = ${userId}`)}) as held group by reason order by count(*) desc, reason`

/**
 * What keeps a user's accepted videos from going on (their own holds, the whole service being closed
 * while some of them are next, a storage without room), and how far those are that are being made.
 */
const holdsOf = (userId: string) =>
  sql`(select coalesce(json_agg(hold), '[]') from (${heldTogether(userId)}) as hold)`
const makingOf = (userId: string) =>
  sql`(select coalesce(json_agg(one), '[]') from (${making(userId)}) as one)`

/** A user's pulse as JSON; a scalar query beside a row of `galleries`. */
export const pulseOf = (userId: string): Sql => sql`json_build_object(
  'version', version, 'holds', ${holdsOf(userId)}, 'making', ${makingOf(userId)})`

/** How the actor's work stands, in one statement. Throws NOT_FOUND. */
export async function getPulse({ db, actor }: UserCtx): Promise<Pulse> {
  const row = await db.row<{ pulse: Pulse }>(
    sql`select ${pulseOf(actor.id)} as pulse from galleries where user_id = ${actor.id}`,
  )
  if (!row) throw new AppError('NOT_FOUND', 'This account does not exist')
  return row.pulse
}

/** Deliveries that tell how long videos take lately. */
const LOOK_BACK = 20

/** When the latest delivered videos were sent and delivered. */
export const latestDeliveries = sql`
  select settled_at, sent_at from attempts where state = 'done'
  order by settled_at desc limit ${LOOK_BACK}`

/** What a page shows of the actor's work beside the videos themselves, in one statement. */
export async function getUnderWay({ db, actor, provider }: UserCtx): Promise<UnderWay> {
  const row = await db.row<UnderWay>(sql`
    select to_char(engine_now() at time zone 'UTC', ${ISO}) as now,
      ${holdsOf(actor.id)} as holds, ${makingOf(actor.id)} as making,
      coalesce((
        select avg(extract(epoch from settled_at - sent_at))::float * 1000
        from (${latestDeliveries}) as latest), ${provider.can.expectedMs}::float) as "usualMs"`)
  if (!row) throw new Error('the clock gave no row')
  return row
}

/** The newest of the actor's videos that is being made on its own, not as part of a batch, or null. */
export async function findRunningSingle(ctx: UserCtx): Promise<VideoView | null> {
  const row = await ctx.db.row<{ video: VideoView }>(sql`
    select ${videoJson} as video from videos join users on users.id = videos.user_id
    where videos.user_id = ${ctx.actor.id} and videos.status in ('pending', 'generating')
      and videos.deleted_at is null and (
        exists (select 1 from line_entries where video_id = videos.id and batch_id is null)
        or exists (select 1 from attempts where video_id = videos.id and batch_id is null
          and state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown')))
    order by videos.created_at desc, videos.id desc limit 1`)
  return row?.video ?? null
}
