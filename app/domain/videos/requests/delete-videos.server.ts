import sql, { empty, type Sql } from 'sql-template-tag'
import { plural } from '~/lib/figures'
import { isId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { Queue } from '~/platform/queue/port'
import type { AdminCtx, UserCtx } from '../../context'
import { isoText } from '../../iso-text.server'
import { settleCharges } from '../../quota/charges.server'
import { logActivity } from '../../activity/write.server'
import { admitWaiting } from '../line.server'
import { lockOwners } from '../locks.server'
import { noSuchVideo } from '../queries.server'
import { STATUS_FILTER } from '../states.server'
import type { DeleteByStatusQuery } from '../schemas'
import { NOT_STARRED } from '../stars.server'
import { isVisibleTo } from '../visibility.server'

/** What a deletion moved to the trash. `at` names it (own-trash.server.ts); null if nothing. */
type Removal = { count: number; at: string | null }

/** A deletion, and how many videos it left because they are starred. */
export type Deletion = Removal & { kept: number }

/** Says how many videos a deletion took, and how many it left. */
export const deletionText = ({ count, kept }: Deletion): string =>
  `${plural(count, 'video')} ${count === 1 ? 'was' : 'were'} moved to the trash. ${keptText(kept)}`.trim()

/** Says how many videos were left because they are starred. Empty if there were none. */
export const keptText = (kept: number): string =>
  kept === 0 ? '' : `${plural(kept, 'starred video')} ${kept === 1 ? 'was' : 'were'} kept.`

/**
 * Deletes one video, starred or not: it was named. Throws NOT_FOUND, also if the video is already
 * deleted.
 */
export async function deleteVideo(ctx: UserCtx, id: string): Promise<Deletion> {
  if (!isId(id)) throw noSuchVideo()
  const which = sql`videos.id = ${id} and ${isVisibleTo(ctx)}`
  const removal = await ctx.db.transaction(async (tx) => {
    if (isAdmin(ctx)) await noteForeign(ctx, tx, which)
    return removeVideos(tx, ctx.queue, which)
  })
  if (removal.count === 0) throw noSuchVideo()
  return { ...removal, kept: 0 }
}

/** Deletes several videos that the actor may change, without starred ones. Unknown ids are ignored. */
export async function deleteVideos(ctx: UserCtx, ids: readonly string[]): Promise<Deletion> {
  const known = ids.filter(isId)
  const which = sql`videos.id = any(${known}::uuid[]) and ${isVisibleTo(ctx)}`
  return ctx.db.transaction(async (tx) => {
    if (isAdmin(ctx)) await noteForeign(ctx, tx, sql`${which} and ${NOT_STARRED}`)
    return removeUnstarred(tx, ctx.queue, which)
  })
}

const isAdmin = (ctx: UserCtx): ctx is AdminCtx => ctx.actor.role === 'admin'

/**
 * Records deletions of other users' videos by an administrator in the activity log, one entry per
 * owner.
 */
async function noteForeign(ctx: AdminCtx, tx: Tx, which: Sql): Promise<void> {
  const owners = await tx.rows<{ id: string; name: string; count: number }>(sql`
    select users.id, users.username as name, count(*)::int as count
    from videos join users on users.id = videos.user_id
    where ${which} and users.id <> ${ctx.actor.id} group by users.id`)
  const entries = owners.map(({ count, ...owner }) => ({
    action: count === 1 ? ('video.delete' as const) : ('videos.delete' as const),
    subject: { kind: 'user' as const, ...owner },
    count,
  }))
  await logActivity(tx, ctx, entries)
}

/** Deletes the actor's own videos in one state, or in all states, without starred ones. */
export async function deleteOwnByStatus(
  ctx: UserCtx,
  { status, aspectRatio }: DeleteByStatusQuery,
): Promise<Deletion> {
  const ratio =
    aspectRatio === 'all' ? empty : sql`and videos.aspect_ratio = ${aspectRatio}::aspect_ratio`
  const which = sql`videos.user_id = ${ctx.actor.id} and videos.deleted_at is null ${STATUS_FILTER[status]} ${ratio}`
  return ctx.db.transaction((tx) => removeUnstarred(tx, ctx.queue, which))
}

/**
 * Like `removeVideos`, for every deletion that does not name each video: starred ones are left, and
 * counted.
 */
export async function removeUnstarred(tx: Tx, queue: Queue, which: Sql): Promise<Deletion> {
  // With the lock nobody changes a star until the end of the transaction.
  await lockOwners(tx, which)
  const removal = await removeVideos(tx, queue, sql`${which} and ${NOT_STARRED}`)
  const { kept } = await tx.one<{ kept: number }>(sql`
    select count(*)::int as kept from videos where ${which} and videos.starred`)
  return { ...removal, kept }
}

type Unsent = { videoId: string; generation: number; batchId: string | null }

/**
 * Moves the videos that match `which` to the trash, starred ones too. Waiting videos are removed from the line and
 * their units returned. Videos in progress continue, are discarded on arrival, and their units are
 * charged (decision Q-32).
 */
export async function removeVideos(tx: Tx, queue: Queue, which: Sql): Promise<Removal> {
  await lockOwners(tx, which)
  const left = await tx.rows<Unsent & { userId: string }>(sql`
    delete from line_entries using videos where videos.id = line_entries.video_id and ${which}
    returning line_entries.video_id as "videoId", line_entries.generation,
      line_entries.batch_id as "batchId", line_entries.user_id as "userId"`)
  const removed = await tx.rows<Unsent & { awaitedRound: boolean; at: string }>(sql`
    with chosen as (
      select id, awaits_round from videos where ${which} for update
    )
    update videos set deleted_at = engine_now(), awaits_round = false from chosen
    where videos.id = chosen.id
    returning videos.id as "videoId", generation, batch_id as "batchId",
      chosen.awaits_round as "awaitedRound", ${isoText(sql`videos.deleted_at`)} as at`)
  const unsent: Unsent[] = [...left, ...removed.filter(({ awaitedRound }) => awaitedRound)]
  await settleCharges(tx, unsent, 'returned')
  for (const [batchId, cancelled] of countBy(unsent.flatMap((video) => video.batchId ?? []))) {
    await tx.run(sql`select tally_in_batch(${batchId}, 0, 0, ${cancelled}::int)`)
  }
  for (const userId of new Set(left.map((entry) => entry.userId).sort())) {
    await admitWaiting(tx, queue, userId)
  }
  return { count: removed.length, at: removed[0]?.at ?? null }
}

/**
 * Counts values. Sorted, so that all transactions lock batches in the same order; other users'
 * batches may be among them.
 */
function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of [...values].sort()) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
