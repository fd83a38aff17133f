import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { days } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import { hashNewPassword } from '../../accounts/new-password.server'
import { requireProof } from '../../accounts/proof.server'
import { endSessionsOf } from '../../accounts/sessions.server'
import { getPlans } from '../../business/settings.server'
import { databaseNow } from '../../clock.server'
import type { AdminCtx } from '../../context'
import { logActivity } from '../../activity/write.server'
import { readSoldWith } from '../account-columns.server'
import { fieldsOf, givenFields } from '../account-fields'
import type { SoldWith } from '../changes/bulk-rules'
import { isMask } from '../../tokens/rules'
import { admitWaiting } from '../../videos/line.server'
import { lockAdmins, refuseLastAdmin, refuseOneself } from './guard-admins.server'
import { storePersonalToken } from './personal-token.server'
import type { EditUserInput } from '../schemas'
import { lockPayers, stopUsers } from './stop-users.server'
import type { ManagedUser } from '../types'
import { userFacts } from './user-facts'
import { getManagedUser, noSuchUser } from './users-query.server'

export type UserEdit = EditUserInput & { id: string }

/** An account before and after an edit, and what it had from its plan before. */
type Sides = { before: ManagedUser; after: ManagedUser; hadWith: SoldWith }

/**
 * Changes the given values of an account, for PATCH, PUT and the form. Disabling a user stops them;
 * a new password or role ends their sessions. Both take effect with the next request. Throws
 * NOT_FOUND, CONFLICT for locking out oneself or the last administrator, and PASSWORD_NEEDED: changes
 * that `isGrave` lists need a recent password, others one of today. `also` writes more in the same transaction.
 */
export async function editUser(
  ctx: AdminCtx,
  edit: UserEdit,
  also?: (tx: Tx, sides: Sides) => Promise<void>,
): Promise<ManagedUser> {
  if (!isId(edit.id)) throw noSuchUser()
  const passwordHash = await hashOf(ctx, edit)
  return ctx.db.transaction(async (tx) => {
    await lockAdmins(tx)
    await lockPayers(tx, sql`id = ${edit.id}`)
    const before = await getManagedUser(ctx, tx, edit.id)
    const hadWith = await readSoldWith(tx, edit.id)
    await refuseLockOut(ctx, tx, { before, edit })
    requireProof(ctx, isGrave({ before, edit }) ? 'recent' : 'today')
    await writeColumns(tx, { edit, before, passwordHash })
    const token = newToken({ before, edit })
    if (token !== undefined) await storePersonalToken(ctx, tx, { userId: edit.id, token })
    const after = await getManagedUser(ctx, tx, edit.id)
    if (before.isActive && !after.isActive) await stopUsers(tx, [edit.id])
    else if (passwordHash !== null || after.role !== before.role) await endSessionsOf(tx, edit.id)
    if (after.speedLimit > before.speedLimit) await admitWaiting(tx, ctx.queue, edit.id)
    await note(ctx, tx, { before, after, isPasswordNew: passwordHash !== null })
    await also?.(tx, { before, after, hadWith })
    return after
  })
}

async function hashOf(ctx: AdminCtx, { id, password }: UserEdit): Promise<string | null> {
  if (password === undefined) return null
  const { username } = await getManagedUser(ctx, ctx.db, id)
  return hashNewPassword(ctx, { password, username })
}

type Change = { before: ManagedUser; edit: UserEdit }

/**
 * Returns the new token, null to remove it, or undefined if it did not change. Programs send back
 * the mask of a token that they did not edit, possibly that of an earlier token.
 */
const newToken = ({ before, edit: { bearerToken } }: Change) =>
  bearerToken === before.tokenMasked || isMask(bearerToken ?? '') ? undefined : bearerToken

/** Returns whether a change grants or revokes access, rights or a token. */
function isGrave({ before, edit }: Change): boolean {
  const { password, role = before.role, isActive = before.isActive } = edit
  const switchesAdmin = before.role === 'admin' && isActive !== before.isActive
  return (
    password !== undefined ||
    role !== before.role ||
    switchesAdmin ||
    newToken({ before, edit }) !== undefined
  )
}

async function refuseLockOut(ctx: AdminCtx, tx: Tx, { before, edit }: Change): Promise<void> {
  if (before.role !== 'admin') return
  const isDemoted = edit.role !== undefined && edit.role !== 'admin'
  const isDisabled = edit.isActive === false
  if (isDemoted) refuseOneself(ctx, before.id, 'change the role of')
  if (isDisabled) refuseOneself(ctx, before.id, 'disable')
  if (isDemoted || isDisabled) await refuseLastAdmin(tx, before.id)
}

async function writeColumns(
  tx: Tx,
  { edit, before, passwordHash }: Change & { passwordHash: string | null },
): Promise<void> {
  const { expireDays, renewFromToday = false } = edit
  const isRenewed = expireDays !== undefined && (renewFromToday || expireDays !== before.daysLeft)
  const now = await databaseNow(tx)
  const { plan = before.plan } = edit
  const isOther = plan !== null && plan !== before.plan
  const sold = isOther ? (await getPlans(tx))[plan] : null
  // `before` is still in force: the user is locked.
  const data = {
    ...fieldsOf(before),
    ...givenFields(edit),
    ...(passwordHash !== null && { passwordHash }),
    // Another plan brings its providers and its units of a video.
    ...(sold && { route: sold.route, clipUnits: sold.clipUnits }),
    ...(isRenewed && { expiryDate: new Date(now.getTime() + days(expireDays)) }),
  }
  await tx.prisma(({ user }) => user.updateMany({ where: { id: edit.id }, data }))
}

type Edited = { before: ManagedUser; after: ManagedUser; isPasswordNew: boolean }

async function note(ctx: AdminCtx, tx: Tx, { before, after, isPasswordNew }: Edited) {
  await logActivity(tx, ctx, {
    action: 'user.edit',
    subject: { kind: 'user', id: after.id, name: after.username },
    before: userFacts(before),
    after: { ...userFacts(after), ...(isPasswordNew && { password: 'changed' }) },
  })
}
