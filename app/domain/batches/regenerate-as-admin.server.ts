import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { BEFORE_ALL_IDS, isId, newId } from '~/lib/ids'
import { plural } from '~/lib/figures'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import { databaseNow } from '../clock.server'
import type { AdminCtx, Ctx } from '../context'
import { AppError } from '../errors'
import { oncePerKey } from '../idempotency.server'
import { getPlans } from '../business/settings.server'
import { logActivity } from '../activity/write.server'
import { KEEP_HOME } from '../videos/batch-members.server'
import { nextGeneration } from '../videos/generations.server'
import { lockOwners } from '../videos/locks.server'
import { allVideosWhere, countEnded, withFixedDays } from '../videos/admin/all-videos-filter.server'
import {
  allVideosFilter,
  EVERY_VIDEO,
  filtersSet,
  isNarrowed,
  type AllVideosFilter,
} from '../videos/admin/all-videos-schemas'
import { roundJob } from './fire-round.server'

const regenerateReceipt = z.object({
  message: z.string(),
  count: z.number(),
  batchId: z.string(),
})
export type RegenerateReceipt = z.output<typeof regenerateReceipt>

/** Maximum number of videos that one transaction gathers when all videos are regenerated. */
const GATHER_AT_ONCE = 1000

/**
 * Condition for videos that can be regenerated: completed or failed. Videos in progress are left
 * alone (decision Q-21).
 */
const ENDED = sql`videos.status in ('completed', 'error')`

/**
 * Regenerates the selected videos with the acting administrator's tokens, at Enterprise pace and
 * behind all users' own work. Their owners' quota is not charged. Throws BAD_INPUT if none is
 * eligible.
 */
export async function regenerateSelected(
  ctx: AdminCtx,
  ids: readonly string[],
  key?: string,
): Promise<RegenerateReceipt> {
  const known = ids.filter(isId)
  const order = { key, request: ['regenerate-selected', known], result: regenerateReceipt }
  return oncePerKey(ctx, order, async (tx) => {
    const which = sql`videos.id = any(${known}::uuid[])`
    await lockOwners(tx, which)
    const { requestId } = ctx
    const batchId = await openRegeneration(ctx, tx, { gatheredTo: null })
    const count = await take(ctx, tx, { batchId, which, filter: EVERY_VIDEO })
    if (count === 0) {
      throw new AppError('BAD_INPUT', 'None of these videos can be regenerated now')
    }
    await ctx.queue.add(tx, [roundJob({ batchId, roundNo: 0, requestId })])
    await noteRun(ctx, tx, {
      batchId,
      count,
      name: 'selected videos',
      owners: await ownersOf(tx, batchId),
    })
    return { message: `${plural(count, 'video')} queued for regeneration.`, count, batchId }
  })
}

/**
 * Regenerates every completed or failed video that matches the filter. The videos are gathered in
 * the background in chunks, so that even a million of them block no other work. Throws BAD_INPUT if
 * there is none.
 */
export async function regenerateAll(
  ctx: AdminCtx,
  { filter: asked = EVERY_VIDEO, key }: { filter?: AllVideosFilter; key?: string | undefined } = {},
): Promise<RegenerateReceipt> {
  const request = isNarrowed(asked) ? ['regenerate-all', asked] : ['regenerate-all']
  return oncePerKey(ctx, { key, request, result: regenerateReceipt }, async (tx) => {
    const reading = { db: tx, settings: ctx.settings }
    const filter = await withFixedDays(reading, asked)
    const count = await countEnded(reading, filter)
    if (count === 0) {
      throw new AppError('BAD_INPUT', 'There is no completed or failed video to regenerate')
    }
    const batchId = await openRegeneration(ctx, tx, { gatheredTo: BEFORE_ALL_IDS, filter })
    const { requestId } = ctx
    await ctx.queue.add(tx, [gatherJob(filter, { batchId, from: BEFORE_ALL_IDS, requestId })])
    const name = isNarrowed(filter) ? 'all videos that match filters' : 'all videos'
    await noteRun(ctx, tx, { batchId, count, name, ...(isNarrowed(filter) && { filter }) })
    return { message: `${plural(count, 'video')} queued for regeneration.`, count, batchId }
  })
}

/**
 * Returns the job for a step of gathering. With a filter it has a name that earlier versions do not
 * know: they would gather all videos.
 */
const gatherJob = (filter: AllVideosFilter, payload: GatherStep): NewJob => ({
  name: isNarrowed(filter) ? 'batches.gather-found' : 'batches.gather',
  payload,
})

type Run = {
  batchId: string
  count: number
  name: string
  owners?: string
  filter?: AllVideosFilter
}

const noteRun = (ctx: AdminCtx, tx: Tx, { batchId, count, name, owners, filter }: Run) =>
  logActivity(tx, ctx, {
    action: 'videos.regenerate',
    subject: { kind: 'batch', id: batchId, name },
    ...(owners !== undefined && { after: { owners } }),
    ...(filter !== undefined && { after: filtersSet(filter) }),
    count,
  })

/** Returns the names of the users whose videos a regeneration contains, separated by commas. */
async function ownersOf(tx: Tx, batchId: string): Promise<string> {
  const owners = await tx.prisma(({ user }) =>
    user.findMany({
      where: { videos: { some: { batchId } } },
      orderBy: { username: 'asc' },
      select: { username: true },
    }),
  )
  return owners.map(({ username }) => username).join(', ')
}

type Opening = { gatheredTo: string | null; filter?: AllVideosFilter }

async function openRegeneration(
  ctx: AdminCtx,
  tx: Tx,
  { gatheredTo, filter }: Opening,
): Promise<string> {
  const { videos, delaySeconds } = (await getPlans(tx)).Enterprise.pace
  const id = newId()
  const now = await databaseNow(tx)
  await tx.prisma(({ batch }) =>
    batch.create({
      data: {
        id,
        userId: ctx.actor.id,
        kind: 'regeneration',
        totalVideos: 0,
        speedLimit: videos,
        delaySeconds,
        nextRoundAt: now,
        gatheredTo,
        ...(filter && isNarrowed(filter) && { gatherFilter: filter }),
        createdAt: now,
      },
      select: { id: true },
    }),
  )
  return id
}

/** Where gathering all videos continues. A second job for the same place does nothing. */
export type GatherStep = { batchId: string; from: string; requestId?: string | undefined }

/**
 * Adds the next chunk of videos to a regeneration of all videos and queues the next step until all
 * have been added.
 */
export async function gatherVideos(
  ctx: Ctx,
  { batchId, from, requestId }: GatherStep,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = await tx.row<{ createdAt: Date; filter: unknown }>(sql`
      select created_at as "createdAt", gather_filter as filter from batches where id = ${batchId}`)
    if (!found) return
    const filter = allVideosFilter.parse(found.filter ?? EVERY_VIDEO)
    const { last, count } = await tx.one<{ last: string | null; count: number }>(sql`
      select max(id::text) as last, count(*)::int as count from (
        select id from videos where id > ${from} and created_at <= ${found.createdAt}
        order by id limit ${GATHER_AT_ONCE}) as looked_at`)
    const which = sql`videos.id > ${from} and videos.id <= ${last ?? from}
      and videos.created_at <= ${found.createdAt}`
    await lockOwners(tx, which)
    const isDue = await tx.row(sql`
      select 1 from batches
      where id = ${batchId} and status = 'processing' and gathered_to = ${from} for update`)
    if (!isDue) return
    await take(ctx, tx, { batchId, which, filter })
    const goesOn = last !== null && count === GATHER_AT_ONCE ? last : null
    await tx.run(sql`update batches set gathered_to = ${goesOn} where id = ${batchId}`)
    // The first videos may be sent already. A job for a round that has fired does nothing.
    const jobs: NewJob[] = [roundJob({ batchId, roundNo: 0, requestId })]
    if (goesOn) jobs.push(gatherJob(filter, { batchId, from: goesOn, requestId }))
    await ctx.queue.add(tx, jobs)
  })
}

async function take(
  ctx: Ctx,
  tx: Tx,
  { batchId, which, filter }: { batchId: string; which: Sql; filter: AllVideosFilter },
): Promise<number> {
  return tx.run(sql`
    with taken as (
      update videos set ${nextGeneration(ctx, 'admin')}, ${KEEP_HOME}, batch_id = ${batchId},
        batch_position = 1, awaits_round = true
      where ${ENDED} and ${allVideosWhere(filter, ctx.settings)} and ${which}
      returning id
    ), counted as (
      update batches set total_videos = total_videos + (select count(*) from taken) where id = ${batchId}
    )
    select id from taken`)
}
