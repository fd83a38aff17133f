import sql from 'sql-template-tag'
import type { UserCtx } from '../context'
import type { Keeping } from './types'
import { ISO } from './video-json.server'

/** For how long owners are told, on the cards, that videos will go. */
const NOTICE_DAYS = 14

/** Since when a video is kept: since it was ordered, delivered, or brought back from the trash. */
const KEPT_FROM = sql`greatest(videos.created_at, videos.completed_at, videos.restored_at)`

/**
 * Videos that are older than they are kept for. A setting that has just been made takes no clip
 * before its owner could have read about it.
 */
export const IS_OUTDATED = sql`videos.deleted_at is null and videos.status in ('completed', 'error')
  and ${KEPT_FROM} < (select engine_now() - make_interval(days => days) from retention
    where name = 'videos' and since < engine_now() - make_interval(days => ${NOTICE_DAYS}))`

/**
 * For how long videos are kept, and which of the actor's go soon: how many, when the first, and when
 * each of those given. Reads only what is about to go. Null: videos are kept until they are deleted.
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
        and videos.status in ('completed', 'error')
        and videos.created_at < rule.soon and ${KEPT_FROM} < rule.soon
    )
    select days, (select count(*)::int from going) as "goingCount",
      (select min(day)::text from going) as "firstDay",
      (select coalesce(json_object_agg(
          id || ' ' || coalesce(to_char(completed_at at time zone 'UTC', ${ISO}), ''), day), '{}')
        from going where id = any(${ids}::uuid[])) as "dayOf"
    from rule`)
  return keeping ?? null
}
