import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { requireProof } from '../../accounts/proof.server'
import { endSessionsOfAll } from '../../accounts/sessions.server'
import type { Tx } from '~/platform/db/port'
import { databaseNow } from '../../clock.server'
import type { ChatOccasion } from '../../business/types'
import type { AdminCtx } from '../../context'
import { today } from '../../days.server'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import { countPaymentsOf, rejectUndone } from '../../payments/book.server'
import { note, writeFacts } from './bulk-change.server'
import { TOLD_OF, type BulkLine } from './bulk-rules'
import { bulkKind, type BulkKind } from './bulk-schemas'
import { chatNumberOf, contactOf, type StoredContact } from '../customers/customer-card.server'
import type { Contact } from '../types'
import { lockAdmins, refuseOneself } from '../users/guard-admins.server'
import { lockUsers, stopUsers, trashUsers } from '../users/stop-users.server'

const LINES_SHOWN = 100

/** A change as shown on its page. */
export type BulkChangeView = {
  id: string
  kind: BulkKind
  actorName: string
  count: number
  createdAt: string
  undoneAt: string | null
  /** The payments that undoing it rejects. */
  payments: number
  lines: ChangedUser[]
}

/** A user of a change. */
export type ChangedUser = BulkLine & {
  isSkipped: boolean
  /** When the user was last written to in the chat since the change. */
  contact: Contact | null
  /** What there is to tell the user: a renewal, or a new account until its password is set. */
  tell: ChatOccasion | null
}

const noSuchChange = () => new AppError('NOT_FOUND', 'There is no such change')

const VIEW = {
  id: true,
  kind: true,
  actorName: true,
  count: true,
  createdAt: true,
  undoneAt: true,
} as const

/** Returns one change with its first users, those that undo left alone before the others. Throws NOT_FOUND. */
export async function getBulkChange(ctx: AdminCtx, id: string): Promise<BulkChangeView> {
  const { db } = ctx
  if (!isId(id)) throw noSuchChange()
  const change = await db.prisma(({ bulkChange }) =>
    bulkChange.findFirst({ where: { id }, select: VIEW }),
  )
  if (!change) throw noSuchChange()
  const rows = await db.rows<Row>(sql`
    select users.id, username, phone, before, after, is_skipped as "isSkipped",
      password_hash is null and is_active as "isWaiting",
      ${isoText(sql`contacted_at`)} as at, contacted_for as occasion
    from bulk_change_users join users on users.id = user_id
    left join customer_cards as card
      on card.user_id = users.id and contacted_at >= ${change.createdAt}
    where change_id = ${id} order by is_skipped desc, username limit ${LINES_SHOWN}`)
  const kind = bulkKind.parse(change.kind)
  const occasion = change.undoneAt === null ? (TOLD_OF[kind] ?? null) : null
  return {
    ...change,
    kind,
    createdAt: change.createdAt.toISOString(),
    undoneAt: change.undoneAt?.toISOString() ?? null,
    payments: await countPaymentsOf(db, id),
    lines: rows.map((row) => toLine(ctx, row, occasion)),
  }
}

type Row = Omit<ChangedUser, 'contact' | 'tell'> &
  StoredContact & { phone: string | null; isWaiting: boolean }

function toLine(
  { settings }: AdminCtx,
  { phone, isWaiting, at, occasion, ...line }: Row,
  tells: ChatOccasion | null,
): ChangedUser {
  const { username, before } = line
  const isDone = tells === 'account' && (before.exists !== false || !isWaiting)
  const isReached = chatNumberOf({ phone, username }, settings.phoneCountries) !== null
  return {
    ...line,
    contact: contactOf({ at, occasion }),
    tell: isDone || !isReached ? null : tells,
  }
}

export type UndoReceipt = { restored: number; left: number }

/**
 * Undoes a change. Each user gets their old values, unless the values were changed again since;
 * such users are skipped, marked and counted. Throws NOT_FOUND, or CONFLICT if the change was already
 * undone. Sessions ended and work cancelled by disabling users are not restored. Payments of the
 * users who get their old values are rejected. Undoing an import, or a sale to a new user, moves the
 * accounts that it created to the trash, unless they have videos by now, and leaves tokens as they are;
 * it throws CONFLICT if no administrator would be left. Throws PASSWORD_NEEDED.
 */
export async function undoBulkChange(ctx: AdminCtx, id: string): Promise<UndoReceipt> {
  if (!isId(id)) throw noSuchChange()
  return ctx.db.transaction(async (tx) => {
    const change = await tx.prisma(({ bulkChange }) =>
      bulkChange.findFirst({ where: { id }, select: { count: true, kind: true } }),
    )
    if (!change) throw noSuchChange()
    const isAccess = MAKES_ACCOUNTS.includes(change.kind)
    requireProof(ctx, change.kind === 'import' ? 'recent' : 'today')
    if (isAccess) await lockAdmins(tx)
    const undoneAt = await databaseNow(tx)
    // Of two concurrent undos the second waits here, and then finds no row.
    const undone = await tx.prisma(({ bulkChange }) =>
      bulkChange.updateMany({ where: { id, undoneAt: null }, data: { undoneAt } }),
    )
    if (undone.count === 0) throw new AppError('CONFLICT', 'This change has already been undone')
    await lockUsers(tx, sql`id in (select user_id from bulk_change_users where change_id = ${id})`)
    const lines = await untouched(ctx, tx, id)
    await writeFacts(ctx, tx, lines)
    if (isAccess) await undoAccess(ctx, tx, lines)
    await rejectUndone(ctx, tx, { changeId: id, userIds: lines.map((line) => line.id) })
    await tx.run(sql`
      update bulk_change_users set is_skipped = true
      where change_id = ${id} and user_id <> all(${lines.map((line) => line.id)}::uuid[])`)
    await note(ctx, tx, { action: 'user.undo', lines })
    return { restored: lines.length, left: change.count - lines.length }
  })
}

/** The kinds of changes that create accounts, and so give access. */
const MAKES_ACCOUNTS: readonly string[] = ['import', 'create'] satisfies BulkKind[]

/** Ends what the accounts of an import may no longer do: those that it created, or gave a role. */
async function undoAccess(ctx: AdminCtx, tx: Tx, lines: readonly BulkLine[]): Promise<void> {
  const made = lines.filter(({ after }) => after.exists === false).map(({ id }) => id)
  const demoted = lines.filter(({ before, after }) => after.role && after.role !== before.role)
  const stopped = lines.filter(({ before, after }) => before.isActive && after.isActive === false)
  for (const { id, before, after } of [...demoted, ...stopped])
    if (before.role === 'admin' && (after.role !== 'admin' || !after.isActive))
      refuseOneself(ctx, id, 'change')
  await endSessionsOfAll(
    tx,
    demoted.map(({ id }) => id),
  )
  await stopUsers(
    tx,
    stopped.map(({ id }) => id),
  )
  if (made.length > 0) {
    for (const id of made) refuseOneself(ctx, id, 'delete')
    await trashUsers(tx, ctx.queue, sql`id = any(${made}::uuid[])`)
  }
}

/** Returns the users whose values are still those of the change, with old and new swapped. */
async function untouched({ settings }: AdminCtx, tx: Tx, id: string): Promise<BulkLine[]> {
  return tx.rows<BulkLine>(sql`
    select users.id, username, after as before, before as after
    from bulk_change_users join users on users.id = user_id and users.deleted_at is null
    left join quota_days as today on today.user_id = users.id
      and today.day = ${today(settings.timeZone)}
    where change_id = ${id} and after <@ jsonb_build_object(
      'expiryDate', ${isoText(sql`expiry_date`)},
      'plan', plan, 'videoLimit', video_limit, 'speedLimit', speed_limit,
      'videoGenerationSpeed', video_generation_speed, 'isActive', is_active,
      'gifted', coalesce(today.gifted, 0), 'role', role, 'exists', true)
      and (coalesce((before->>'exists')::boolean, true)
        or not exists (select 1 from videos where user_id = users.id))
    order by username`)
}
