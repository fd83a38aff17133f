import sql from 'sql-template-tag'
import type { UserCtx } from '../context'
import { isoText } from '../iso-text.server'
import { NOT_STARRED } from './stars.server'
import type { Keeping } from './types'

/** How many days in advance cards announce that a video will be deleted. */
const NOTICE_DAYS = 14

/**
 * Start of a video's retention period: when it was ordered, delivered or restored, whichever is
 * latest.
 */
const KEPT_FROM = sql`greatest(videos.created_at, videos.completed_at, videos.restored_at)`

/**
 * Condition for videos whose retention period has ended. Starred ones have none. After a change of the setting, nothing is
 * deleted until owners have had the notice period to learn about it.
 */
export const IS_OUTDATED = sql`videos.deleted_at is null and videos.status in ('completed', 'error')
  and ${NOT_STARRED}
  and ${KEPT_FROM} < (select engine_now() - make_interval(days => days) from retention
    where name = 'videos' and since < engine_now() - make_interval(days => ${NOTICE_DAYS}))`

/**
 * Returns how long videos are kept, and which of the actor's videos will be deleted soon: how many,
 * the first date, and the date for each of the given ids. Reads only videos due for deletion.
 * Returns null if videos are kept until a user deletes them.
 */
export async function getKeeping(ctx: UserCtx, ids: readonly string[]): Promise<Keeping | null> {
  const { timeZone } = ctx.settings
  const keeping = await ctx.db.row<Keeping>(sql`
    with rule as (
      select days, since + make_interval(days => ${NOTICE_DAYS}) as starts,
        engine_now() + make_interval(days => ${NOTICE_DAYS} - days) as soon
      from retention where name = 'videos' and days is not null
    ), going as materialized (
      select videos.id, videos.completed_at,
        (greatest(${KEPT_FROM} + make_interval(days => days), starts, engine_now())
          at time zone ${timeZone})::date as day
      from videos cross join rule
      where videos.user_id = ${ctx.actor.id} and videos.deleted_at is null
        and videos.status in ('completed', 'error') and ${NOT_STARRED}
        and videos.created_at < rule.soon and ${KEPT_FROM} < rule.soon
    )
    select days, (select count(*)::int from going) as "goingCount",
      (select min(day)::text from going) as "firstDay",
      (select coalesce(json_object_agg(
          id || ' ' || coalesce(${isoText(sql`completed_at`)}, ''), day), '{}')
        from going where id = any(${ids}::uuid[])) as "dayOf"
    from rule`)
  return keeping ?? null
}
