import sql, { type Sql } from 'sql-template-tag'
import { isId, newId } from '~/lib/ids'
import { plural } from '~/lib/figures'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import { requireProof } from '../../accounts/proof.server'
import { databaseNow } from '../../clock.server'
import type { AdminCtx, Ctx } from '../../context'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import { logActivity } from '../../activity/write.server'
import { keptText, removeUnstarred } from '../requests/delete-videos.server'
import { NOT_STARRED } from '../stars.server'
import type { StatusFilter } from '../types'
import {
  allVideosWhere,
  countMatching,
  countStarred,
  ofOwners,
  stateAndRatio,
  withFixedDays,
} from './all-videos-filter.server'
import type { Reading } from './all-videos-counts.server'
import { allVideosFilter, filtersSet, isNarrowed, type AllVideosFilter } from './all-videos-schemas'
import { IN_TRASH, restoreVideos } from '../requests/trash.server'

/** Up to this many videos are changed within the request. More are changed in the background. */
const AT_ONCE = 200
/** Videos per background step. Transactions are kept short so that locks are held only briefly. */
const STEP = 200
/** Pause between two steps, so that other work can proceed. */
const PAUSE_MS = 40
/** The greatest possible id. */
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export type MassKind = 'delete' | 'restore'
export type MassOrder = { kind: MassKind; filter: AllVideosFilter }
export type MassReceipt = { message: string; count: number }

const DONE = { delete: 'deleted', restore: 'restored' } as const
const ONGOING = { delete: 'being deleted', restore: 'being restored' } as const

/**
 * Deletes the videos that match a filter, without starred ones, or restores those in the trash. Up to
 * AT_ONCE videos are changed before this returns. More are changed in the background, and `count`
 * is their expected number. Videos created (or deleted) after the order are not affected. Throws
 * CONFLICT while another mass change is running, and PASSWORD_NEEDED for deleting.
 */
export async function changeMany(ctx: AdminCtx, asked: MassOrder): Promise<MassReceipt> {
  if (asked.kind === 'delete') requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    const reading = { db: tx, settings: ctx.settings }
    const order = { ...asked, filter: await withFixedDays(reading, asked.filter) }
    await tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.massChange})`)
    const running = await tx.prisma(({ massChange }) =>
      massChange.count({ where: { finishedAt: null } }),
    )
    if (running > 0) {
      throw new AppError(
        'CONFLICT',
        'Videos are already being deleted or restored. Wait until that has ended, or stop it.',
      )
    }
    const kept = order.kind === 'delete' ? await countStarred(reading, order.filter) : 0
    const total = (await countFor(reading, order)) - kept
    const told = (message: string) => [message, keptText(kept)].filter(Boolean).join(' ')
    const id = await addMassChange(ctx, tx, { ...order, total })
    if (total > 0) {
      const action = order.kind === 'delete' ? 'videos.delete' : 'video.restore'
      await logActivity(tx, ctx, { action, after: factsOf(order.filter), count: total })
    }
    if (total <= AT_ONCE) {
      const count = await takeStep(ctx, tx, { changeId: id, turn: 0 })
      return { message: told(`${plural(count, 'video')} ${DONE[order.kind]}.`), count }
    }
    const payload = { changeId: id, turn: 0, requestId: ctx.requestId }
    await ctx.queue.add(tx, [{ name: jobName(order), payload }])
    return { message: told(`${plural(total, 'video')} are ${ONGOING[order.kind]}.`), count: total }
  })
}

/** What the log says of a filter: the state and the search as always, and what else was set. */
const factsOf = (filter: AllVideosFilter) => ({
  status: filter.status,
  search: filter.search,
  ...filtersSet(filter),
})

/** Whether the order has filters that earlier versions do not know. They must not run its steps. */
const isNewer = ({ kind, filter }: MassOrder): boolean =>
  kind === 'delete' && isNarrowed({ ...filter, status: 'all' })

const jobName = (order: MassOrder) =>
  isNewer(order) ? 'videos.change-found' : 'videos.change-many'

/**
 * Counts the videos to change. Galleries have stored counters but the trash does not, so its rows
 * are counted.
 */
async function countFor(reading: Reading, { kind, filter }: MassOrder): Promise<number> {
  if (kind === 'delete') return countMatching(reading, filter)
  const { count } = await reading.db.one<{ count: number }>(
    sql`select count(*)::int as count from videos where ${trashedWhere(filter, reading.settings)}`,
  )
  return count
}

const trashedWhere = (filter: AllVideosFilter, settings: Reading['settings']): Sql =>
  sql`${IN_TRASH} ${stateAndRatio(filter)} ${ofOwners(filter, settings)}`

async function addMassChange(
  { actor }: AdminCtx,
  tx: Tx,
  { kind, filter, total }: MassOrder & { total: number },
): Promise<string> {
  const id = newId()
  const createdAt = await databaseNow(tx)
  // A video of this moment may be stored under the next millisecond, because times are rounded.
  const cursorAt = new Date(createdAt.getTime() + 1)
  await tx.prisma(({ massChange }) =>
    massChange.create({
      data: {
        id,
        kind,
        status: filter.status,
        search: filter.search,
        filter,
        actorId: actor.id,
        actorName: actor.username,
        total,
        cursorAt,
        cursorId: AFTER_ALL,
        createdAt,
      },
      select: { id: true },
    }),
  )
  return id
}

/**
 * Identifies one step of a mass change. A second job for a step that is already done does nothing.
 */
export type BulkStep = { changeId: string; turn: number }

/** Runs the next step of a mass change in the background. */
export async function continueMassChange(ctx: Ctx, turn: BulkStep): Promise<void> {
  await ctx.db.transaction((tx) => takeStep(ctx, tx, turn))
}

type Running = {
  kind: MassKind
  status: StatusFilter
  search: string
  /** Null if an earlier version ordered the change. */
  filter: unknown
  cursorAt: string
  cursorId: string
}

async function takeStep(ctx: Ctx, tx: Tx, { changeId, turn }: BulkStep): Promise<number> {
  const change = await tx.row<Running>(sql`
    select kind, status, search, filter, cursor_at::text as "cursorAt", cursor_id as "cursorId" from mass_changes
    where id = ${changeId} and turn = ${turn} and finished_at is null for update`)
  if (!change) return 0
  const { kind, status, search } = change
  const filter = allVideosFilter.parse(change.filter ?? { status, search })
  const next = await tx.rows<{ id: string; at: string }>(nextOf(change, filter, ctx.settings))
  const ids = next.map(({ id }) => id)
  const which = sql`videos.id = any(${ids}::uuid[])`
  const done =
    change.kind === 'delete'
      ? (await removeUnstarred(tx, ctx.queue, sql`${which} and videos.deleted_at is null`)).count
      : await restoreVideos(tx, which)
  const last = next.at(-1)
  const goesOn = last !== undefined && next.length === STEP
  await tx.run(sql`
    update mass_changes set done = done + ${done}, turn = turn + 1,
      cursor_at = ${last?.at ?? change.cursorAt}::timestamptz, cursor_id = ${last?.id ?? change.cursorId},
      finished_at = ${goesOn ? null : sql`engine_now()`}
    where id = ${changeId}`)
  if (goesOn) {
    const payload = { changeId, turn: turn + 1, requestId: ctx.requestId }
    await ctx.queue.add(tx, [{ name: jobName({ kind, filter }), payload, delayMs: PAUSE_MS }])
  }
  return done
}

/** Selects the next videos after the cursor, newest first, because users look at those first. */
function nextOf(
  { kind, cursorAt, cursorId }: Running,
  filter: AllVideosFilter,
  settings: Reading['settings'],
): Sql {
  const at = kind === 'delete' ? sql`videos.created_at` : sql`videos.deleted_at`
  return sql`
    select videos.id, ${at}::text as at from videos
    where ${kind === 'delete' ? sql`${allVideosWhere(filter, settings)} and ${NOT_STARRED}` : trashedWhere(filter, settings)}
      and (${at}, videos.id) < (${cursorAt}::timestamptz, ${cursorId}::uuid)
    order by ${at} desc, videos.id desc limit ${STEP}`
}

/** A mass change as shown in its banner. */
export type MassChangeView = {
  id: string
  kind: MassKind
  status: StatusFilter
  total: number
  done: number
  actorName: string
  finishedAt: string | null
  stopped: boolean
}

/**
 * Returns the running mass change, otherwise one that ended within the last two minutes, otherwise
 * null. Only changes that run in the background are considered.
 */
export async function findMassChange({ db }: AdminCtx): Promise<MassChangeView | null> {
  const row = await db.row<MassChangeView>(sql`
    select id, kind, status, total, done, actor_name as "actorName",
      ${isoText(sql`finished_at`)} as "finishedAt", stopped
    from mass_changes
    where total > ${AT_ONCE}
      and (finished_at is null or finished_at > engine_now() - interval '2 minutes')
    order by created_at desc limit 1`)
  return row ?? null
}

/** Stops a mass change. Changes already made are kept. Throws CONFLICT if it has ended. */
export async function stopMassChange({ db }: AdminCtx, id: string): Promise<void> {
  if (!isId(id)) throw alreadyEnded()
  const finishedAt = await databaseNow(db)
  const { count } = await db.prisma(({ massChange }) =>
    massChange.updateMany({ where: { id, finishedAt: null }, data: { finishedAt, stopped: true } }),
  )
  if (count === 0) throw alreadyEnded()
}

const alreadyEnded = () => new AppError('CONFLICT', 'This change has already ended')
