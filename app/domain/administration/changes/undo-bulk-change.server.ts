import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { shortDay } from '~/lib/time'
import { requireProof } from '../../accounts/proof.server'
import { standing, type Standing } from '../../accounts/rules'
import { endSessionsOfAll } from '../../accounts/sessions.server'
import type { Executor, Tx } from '~/platform/db/port'
import { databaseNow } from '../../clock.server'
import type { ChatOccasion } from '../../business/types'
import type { AdminCtx } from '../../context'
import { today } from '../../days.server'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import { countPaymentsOf, rejectUndone } from '../../payments/book.server'
import { FIELDS_JSON } from '../account-columns.server'
import { note, writeFacts } from './store-change.server'
import { surprisesOfAll, type SoldState, type Surprise } from '../outcome'
import { foresee, requireSeen, UNTICKED, type Seller } from '../outcome.server'
import { putBacks, type Returning } from './bulk-sales.server'
import { CHANGE_NAMES, TOLD_OF, type BulkLine } from './bulk-rules'
import { noteUndone, rewardsOf } from './reward-referral.server'
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
  /** What undoing it would surprise with. */
  surprises: Surprise[]
  lines: ChangedUser[]
}

/** A user of a change. */
export type ChangedUser = BulkLine & {
  isSkipped: boolean
  /** When the user was last written to in the chat since the change. */
  contact: Contact | null
  /** What there is to tell the user: a renewal, or a new account until its password is set. */
  tell: ChatOccasion | null
  /** Whether the account can be used now, and if not, why. */
  state: Standing
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
    select users.id, username, phone, before, after, is_skipped as "isSkipped", plan,
      is_active as "isActive", ${isoText(sql`users.expiry_date`)} as "expiryDate",
      password_hash is null and is_active as "isWaiting",
      ${isoText(sql`contacted_at`)} as at, contacted_for as occasion
    from bulk_change_users join users on users.id = user_id
    left join customer_cards as card
      on card.user_id = users.id and contacted_at >= ${change.createdAt}
    where change_id = ${id} order by is_skipped desc, username limit ${LINES_SHOWN}`)
  const kind = bulkKind.parse(change.kind)
  const now = await databaseNow(db)
  const occasion = change.undoneAt === null ? (TOLD_OF[kind] ?? null) : null
  return {
    ...change,
    kind,
    createdAt: change.createdAt.toISOString(),
    undoneAt: change.undoneAt?.toISOString() ?? null,
    payments: await countPaymentsOf(db, id),
    surprises: change.undoneAt === null ? await foreseeUndo(ctx, id) : [],
    lines: rows.map((row) => toLine(ctx, row, { tells: occasion, now })),
  }
}

type Row = Omit<ChangedUser, 'contact' | 'tell' | 'state'> &
  StoredContact &
  Pick<SoldState, 'plan' | 'isActive' | 'expiryDate'> & { phone: string | null; isWaiting: boolean }

function toLine(
  { settings }: AdminCtx,
  { phone, isWaiting, at, occasion, plan, isActive, expiryDate, ...line }: Row,
  { tells, now }: { tells: ChatOccasion | null; now: Date },
): ChangedUser {
  const { username, before } = line
  const isDone = tells === 'account' && (before.exists !== false || !isWaiting)
  const state = standing(
    { plan, isActive, expiryDate: expiryDate === null ? null : new Date(expiryDate) },
    now,
  )
  const isReached = chatNumberOf({ phone, username }, settings.phoneCountries) !== null
  return {
    ...line,
    contact: contactOf({ at, occasion }),
    state,
    // Nobody is told of a renewal with which they cannot go on.
    tell: isDone || !isReached || state !== 'ok' ? null : tells,
  }
}

/** The users who were put back, and how many were left alone. */
export type UndoReceipt = { restored: readonly string[]; left: number }

/**
 * Undoes a change. Each user gets their old values, unless the values were changed again since;
 * such users are skipped, marked and counted, and can be undone later. Throws NOT_FOUND, or CONFLICT if
 * the change was already undone, or nobody could get their old values: it names the later change that
 * has to be undone first. Sessions ended and work cancelled by disabling users are not restored. Payments of the
 * users who get their old values are rejected, and the rewards of referrals that they brought are undone as
 * well, where nothing has changed since. Undoing an import, or a sale to a new user, moves the
 * accounts that it created to the trash, unless they have videos by now, and leaves tokens as they are;
 * it throws CONFLICT if no administrator would be left. Throws PASSWORD_NEEDED, and CONFLICT if an
 * account has a role, the end that comes back has passed since, or a reward is taken back, and that is not
 * ticked (`requireSeen`).
 */
export async function undoBulkChange(
  ctx: AdminCtx,
  id: string,
  seller: Seller = UNTICKED,
): Promise<UndoReceipt> {
  if (!isId(id)) throw noSuchChange()
  return ctx.db.transaction(async (tx) => {
    // Of two concurrent undos the second waits here.
    const change = await tx.row<{ kind: string; isUndone: boolean }>(sql`
      select kind, undone_at is not null as "isUndone" from bulk_changes where id = ${id} for update`)
    if (!change) throw noSuchChange()
    const isAccess = MAKES_ACCOUNTS.includes(change.kind)
    requireProof(ctx, change.kind === 'import' ? 'recent' : 'today')
    if (isAccess) await lockAdmins(tx)
    const open = await openLines(tx, id, change.isUndone)
    if (open === 0) throw new AppError('CONFLICT', 'This change has already been undone')
    const rewards = await rewardsOf(tx, id, sql`for update`)
    const all = [id, ...rewards.map((reward) => reward.id)]
    await lockUsers(
      tx,
      sql`id in (select user_id from bulk_change_users where change_id = any(${all}::uuid[]))`,
    )
    const taken: Returning[] = []
    for (const reward of rewards) {
      const lines = await untouched(ctx, tx, reward)
      taken.push(...lines)
      await putBackLines(ctx, tx, { ...reward, lines })
    }
    const lines = await untouched(ctx, tx, { id, isUndone: change.isUndone })
    if (lines.length === 0) throw await whyNobody(ctx, tx, id)
    await requireSeen(ctx, tx, { sales: putBacks(lines, taken), seller })
    const restored = await putBackLines(ctx, tx, { id, isUndone: change.isUndone, lines })
    return { restored, left: open - lines.length }
  })
}

type PuttingBack = { id: string; isUndone: boolean; lines: readonly BulkLine[] }

/** Puts these users of a change back, marks the others, and returns the ids. */
async function putBackLines(
  ctx: AdminCtx,
  tx: Tx,
  { id, isUndone, lines }: PuttingBack,
): Promise<string[]> {
  const ids = lines.map((line) => line.id)
  if (ids.length === 0) return ids
  await tx.run(sql`
    update bulk_changes set undone_at = engine_now() where id = ${id} and undone_at is null`)
  await writeFacts(ctx, tx, lines)
  await undoAccess(ctx, tx, lines)
  await rejectUndone(ctx, tx, { changeId: id, userIds: ids })
  await tx.run(sql`
    update bulk_change_users set is_skipped = user_id <> all(${ids}::uuid[])
    where change_id = ${id} and (is_skipped or not ${isUndone}::boolean)`)
  await note(ctx, tx, { action: 'user.undo', lines })
  await noteUndone(tx, id, ids)
  return ids
}

/** Returns what undoing a change would surprise with, of the users whom it would put back. */
export async function foreseeUndo(ctx: AdminCtx, id: string): Promise<Surprise[]> {
  const change = await ctx.db.prisma(({ bulkChange }) =>
    bulkChange.findFirst({ where: { id }, select: { undoneAt: true } }),
  )
  const lines = await untouched(ctx, ctx.db, { id, isUndone: change?.undoneAt !== null })
  const rewards = await rewardsOf(ctx.db, id)
  const taken = await Promise.all(rewards.map((reward) => untouched(ctx, ctx.db, reward)))
  return surprisesOfAll(await foresee(ctx, ctx.db, putBacks(lines, taken.flat())))
}

/** Counts the users whom an undo can still put back: of an undone change those that it left alone. */
const openLines = (tx: Tx, id: string, isUndone: boolean): Promise<number> => {
  const where = { changeId: id, ...(isUndone && { isSkipped: true }) }
  return tx.prisma(({ bulkChangeUser }) => bulkChangeUser.count({ where }))
}

/** Returns the error for an undo that would put nobody back, with what has to be done first. */
async function whyNobody({ settings }: AdminCtx, tx: Tx, id: string): Promise<AppError> {
  const later = await tx.row<{ kind: string; at: string; by: string }>(sql`
    select other.kind, ${isoText(sql`other.created_at`)} as at, other.actor_name as by
    from bulk_change_users as line join bulk_changes as this on this.id = line.change_id
    join bulk_change_users as others on others.user_id = line.user_id
    join bulk_changes as other on other.id = others.change_id
    where line.change_id = ${id} and (other.undone_at is null or others.is_skipped)
      and (other.created_at, other.id) > (this.created_at, this.id)
    order by other.created_at desc, other.id desc limit 1`)
  if (!later) {
    const text =
      'Nothing can be put back: the account was changed since, has videos, or was deleted.'
    return new AppError('CONFLICT', text)
  }
  const kind = CHANGE_NAMES[bulkKind.parse(later.kind)].toLowerCase()
  const day = shortDay(later.at, settings.timeZone)
  return new AppError(
    'CONFLICT',
    `Undo the later one first: ${kind} on ${day} by ${later.by}. Nothing was put back.`,
  )
}

/** The kinds of changes that create accounts, and so give access. */
const MAKES_ACCOUNTS: readonly string[] = ['import', 'create'] satisfies BulkKind[]

/** Ends what accounts may no longer do: those that the change created, enabled, or gave a role. */
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
async function untouched(
  { settings }: AdminCtx,
  db: Executor,
  { id, isUndone }: { id: string; isUndone: boolean },
): Promise<Returning[]> {
  return db.rows<Returning>(sql`
    select users.id, username, after as before, before as after,
      json_build_object('role', role, 'isActive', is_active, 'plan', plan,
        'expiryDate', ${isoText(sql`expiry_date`)}) as now,
      ${isoText(sql`bulk_changes.created_at`)} as "madeAt"
    from bulk_change_users join bulk_changes on bulk_changes.id = change_id join users on users.id = user_id and users.deleted_at is null
    left join quota_days as today on today.user_id = users.id
      and today.day = ${today(settings.timeZone)}
    where change_id = ${id} and (is_skipped or not ${isUndone}::boolean) and after <@ jsonb_build_object(
      'expiryDate', ${isoText(sql`expiry_date`)},
      ${FIELDS_JSON}, 'gifted', coalesce(today.gifted, 0), 'exists', true)
      and (coalesce((before->>'exists')::boolean, true)
        or not exists (select 1 from videos where user_id = users.id))
    order by username`)
}
