import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { minutes } from '~/lib/time'
import type { Db, Tx } from '~/platform/db/port'
import type { UserCtx, UserRole } from '../context'
import { AppError, isAppError } from '../errors'
import { logAccess } from '../activity/write.server'
import { databaseNow } from '../clock.server'
import { confirmPassword } from './confirm-password.server'
import { fieldOfCode, type TypedCode } from './schemas'
import { replaceRecoveryCodes, requireCode, sealedAs } from './second-factor-codes.server'
import { endSessionsOf } from './sessions.server'
import { newKey, showKey, stepOfCode, type ShownKey } from './totp.server'
import { codeTries, orGiveTriesBack, giveTriesBack, takeTries, WRONG_CODES } from './tries.server'

/** The data of the page for two-step sign-in. */
export type SecondFactorState = {
  /**
   * The role in the account, even if the session is restricted to a user's rights. Only
   * administrators can switch two-step sign-in on.
   */
  isAdmin: boolean
  isOn: boolean
  /** Number of unused recovery codes. */
  codesLeft: number
  /** The key to scan, from the start of the setup until its first code is confirmed. */
  pending: ShownKey | null
}

/** A new key is shown for this long. After that, the user has to enter the password again. */
const SET_UP_MINUTES = 15

/** Returns whether the user has a second factor, and the key while it is being set up. */
export async function getSecondFactor(ctx: UserCtx): Promise<SecondFactorState> {
  const { db, vault, settings, actor } = ctx
  const row = await db.row<{
    role: UserRole
    isOn: boolean
    codesLeft: number
    sealed: Buffer | null
  }>(sql`
    select users.role, confirmed_at is not null as "isOn",
      case when confirmed_at is null
        and started_at > engine_now() - make_interval(mins => ${SET_UP_MINUTES})
        then secret_cipher end as sealed,
      (select count(*)::int from recovery_codes where recovery_codes.user_id = users.id) as "codesLeft"
    from users left join second_factors on second_factors.user_id = users.id
    where users.id = ${actor.id}`)
  const { isOn = false, codesLeft = 0, sealed = null } = row ?? {}
  const names = { username: actor.username, product: settings.productName }
  return {
    isAdmin: row?.role === 'admin',
    isOn,
    codesLeft,
    pending: sealed && showKey(vault.open(sealedAs(actor.id), sealed), names),
  }
}

/**
 * Starts the setup with a new key, which is not required at sign-in until it is confirmed. Throws
 * BAD_INPUT for a wrong password, CONFLICT if two-step sign-in is on, FORBIDDEN for users who are
 * not administrators.
 */
export async function startSecondFactor(ctx: UserCtx, password: string): Promise<void> {
  const { db, vault, actor } = ctx
  const { isAdmin, isOn } = await getSecondFactor(ctx)
  if (!isAdmin) throw new AppError('FORBIDDEN', 'This is only for administrators')
  if (isOn) throw isOnAlready()
  await confirmPassword(ctx, password)
  const sealed = vault.seal(sealedAs(actor.id), newKey())
  const started = await db.run(sql`
    insert into second_factors (user_id, secret_cipher, started_at, last_step)
    values (${actor.id}, ${sealed}, engine_now(), 0)
    on conflict (user_id) do update
      set secret_cipher = excluded.secret_cipher, started_at = excluded.started_at
      where second_factors.confirmed_at is null`)
  if (started === 0) throw isOnAlready()
}

const isOnAlready = () => new AppError('CONFLICT', 'Two-step sign-in is already on')

/**
 * Switches two-step sign-in on with the first code of the key, and ends the user's other sessions,
 * which were started without it. Returns the recovery codes, which are never shown again. Throws
 * BAD_INPUT for a wrong code, CONFLICT if the key is too old or was already confirmed,
 * RATE_LIMITED.
 */
export async function confirmSecondFactor(
  ctx: UserCtx,
  { code, token }: { code: string; token: string },
): Promise<string[]> {
  const { db, vault, actor } = ctx
  const tries = codeTries(ctx, actor)
  await takeTries(tries, WRONG_CODES)
  const unconfirmed = { userId: actor.id, confirmedAt: null }
  const { secretCipher, step } = await orGiveTriesBack(tries, async () => {
    const now = await databaseNow(db)
    const startedAt = { gt: new Date(now.getTime() - minutes(SET_UP_MINUTES)) }
    const found = await db.prisma(({ secondFactor }) =>
      secondFactor.findFirst({
        where: { ...unconfirmed, startedAt },
        select: { secretCipher: true },
      }),
    )
    if (!found) throw keyIsTooOld()
    const { secretCipher } = found
    const key = vault.open(sealedAs(actor.id), secretCipher)
    return { secretCipher, step: stepOfCode(key, code, now) }
  })
  if (step === null) throw wrongCode(SET_UP_WRONG)
  await giveTriesBack(tries)
  return db.transaction(async (tx) => {
    const data = { confirmedAt: await databaseNow(tx), lastStep: step }
    const { count } = await tx.prisma(({ secondFactor }) =>
      secondFactor.updateMany({ where: { ...unconfirmed, secretCipher }, data }),
    )
    if (count === 0) throw keyIsTooOld()
    await endSessionsOf(tx, actor.id, token)
    await logAccess(tx, { action: 'auth.second-factor-on', user: actor, isUser: true })
    return replaceRecoveryCodes(tx, actor.id)
  })
}

const keyIsTooOld = () => new AppError('CONFLICT', 'This key is too old. Start again.')

const SET_UP_WRONG = 'This code is wrong. Is the clock of the device right?'

const wrongCode = (problem: string, field = 'code') =>
  new AppError('BAD_INPUT', problem, { fields: { [field]: [problem] } })

type SecondFactorProof = TypedCode & { password: string }

/** Checks the password and a code. Throws BAD_INPUT or RATE_LIMITED. */
async function prove(ctx: UserCtx, { password, ...typed }: SecondFactorProof): Promise<void> {
  await confirmPassword(ctx, password)
  await confirmCode(ctx, typed)
}

/** Checks a code of a signed-in user. Each code works once. Throws BAD_INPUT or RATE_LIMITED. */
export async function confirmCode(ctx: UserCtx, typed: TypedCode): Promise<void> {
  try {
    await requireCode(ctx, { user: ctx.actor, typed, tries: codeTries(ctx, ctx.actor) })
  } catch (error) {
    // Shown beside the field. The user is signed in, so a 401 would be wrong.
    if (isAppError(error) && error.code === 'BAD_CREDENTIALS')
      throw wrongCode(error.message, fieldOfCode(typed.code))
    throw error
  }
}

/**
 * Switches two-step sign-in off, with the password and a code, and ends the user's other sessions.
 * Throws like `prove`.
 */
export async function endSecondFactor(
  ctx: UserCtx,
  proof: SecondFactorProof,
  token: string,
): Promise<void> {
  await prove(ctx, proof)
  await ctx.db.transaction(async (tx) => {
    await dropSecondFactor(tx, ctx.actor.id)
    await endSessionsOf(tx, ctx.actor.id, token)
    await logAccess(tx, { action: 'auth.second-factor-off', user: ctx.actor, isUser: true })
  })
}

/** Replaces the recovery codes with ten new ones and returns them. Throws like `prove`. */
export async function renewRecoveryCodes(
  ctx: UserCtx,
  proof: SecondFactorProof,
): Promise<string[]> {
  await prove(ctx, proof)
  return ctx.db.transaction(async (tx) => {
    // Of concurrent renewals, the last one replaces the codes of the others.
    await tx.run(sql`select 1 from second_factors where user_id = ${ctx.actor.id} for update`)
    await logAccess(tx, { action: 'auth.new-recovery-codes', user: ctx.actor, isUser: true })
    return replaceRecoveryCodes(tx, ctx.actor.id)
  })
}

/** Removes a user's second factor with its recovery codes. Returns false if there was none. */
export async function dropSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const { count } = await tx.prisma(({ secondFactor }) =>
    secondFactor.deleteMany({ where: { userId, confirmedAt: { not: null } } }),
  )
  return count === 1
}

/** Returns whether signing in to the account requires a code. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  if (!isId(userId)) return false
  const count = await db.prisma(({ secondFactor }) =>
    secondFactor.count({ where: { userId, confirmedAt: { not: null } } }),
  )
  return count > 0
}
