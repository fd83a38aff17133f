import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor, Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError, isAppError } from '../errors'
import { auditAccess } from '../audit.server'
import { confirmPassword } from './confirm-password.server'
import type { TypedCode } from './schemas'
import { nowStep, replaceRecoveryCodes, requireCode, sealedAs } from './second-factor-codes.server'
import { endSessionsOf } from './sessions.server'
import { newKey, showKey, stepOfCode, type ShownKey } from './totp.server'
import { codeTries, judging, giveTriesBack, takeTries, WRONG_CODES } from './tries.server'
import type { UserRole } from './types'

/** What the page of two-step sign-in shows. */
export type SecondFactorState = {
  /** By the account, also where the visitor is held back as a user. Only administrators switch it on. */
  isAdmin: boolean
  isOn: boolean
  /** Recovery codes that are left. */
  codesLeft: number
  /** The key to scan, from the start of setting up until a code of it has come back. */
  pending: ShownKey | null
}

/** A key that was started is shown for so long; then it takes the password again. */
const SET_UP_MINUTES = 15

const isFresh = sql`started_at > engine_now() - make_interval(mins => ${SET_UP_MINUTES})`

/** Whether the user signs in with a second factor, and the key while it is being set up. */
export async function getSecondFactor(ctx: UserCtx): Promise<SecondFactorState> {
  const { db, vault, settings, actor } = ctx
  const row = await db.row<{
    role: UserRole
    isOn: boolean
    codesLeft: number
    sealed: Buffer | null
  }>(sql`
    select users.role, confirmed_at is not null as "isOn",
      case when confirmed_at is null and ${isFresh} then secret_cipher end as sealed,
      (select count(*)::int from recovery_codes where user_id = users.id) as "codesLeft"
    from users left join second_factors on second_factors.user_id = users.id
    where users.id = ${actor.id}`)
  const { isOn = false, codesLeft = 0, sealed = null } = row ?? {}
  const names = { username: actor.username, product: settings.productName }
  return {
    ...{ isAdmin: row?.role === 'admin', isOn, codesLeft },
    pending: sealed && showKey(vault.open(sealedAs(actor.id), sealed), names),
  }
}

/**
 * Begins setting it up with a new key, which nothing asks for until it is confirmed. Throws BAD_INPUT
 * for a wrong password, CONFLICT when it is on, FORBIDDEN for somebody who is no administrator.
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

const isOnAlready = () => new AppError('CONFLICT', 'Two-step sign-in is on already')

/**
 * Switches it on with the first code of the key, and ends the user's other sessions, which were begun
 * without it. Answers the recovery codes, which are told only now. Throws BAD_INPUT for a wrong code,
 * CONFLICT when the key is too old or was confirmed already, RATE_LIMITED.
 */
export async function confirmSecondFactor(
  ctx: UserCtx,
  { code, token }: { code: string; token: string },
): Promise<string[]> {
  const { db, vault, actor } = ctx
  const tries = codeTries(ctx, actor)
  await takeTries(tries, WRONG_CODES)
  const { sealed, step } = await judging(tries, async () => {
    const row = await db.row<{ sealed: Buffer; now: number }>(sql`
      select secret_cipher as sealed, ${nowStep} as now from second_factors
      where user_id = ${actor.id} and confirmed_at is null and ${isFresh}`)
    if (!row) throw new AppError('CONFLICT', 'This key is too old. Start again.')
    const { sealed, now } = row
    return { sealed, step: stepOfCode(vault.open(sealedAs(actor.id), sealed), code, now) }
  })
  if (step === null) throw wrongCode(SET_UP_WRONG)
  await giveTriesBack(tries)
  return db.transaction(async (tx) => {
    const confirmed = await tx.run(sql`
      update second_factors set confirmed_at = engine_now(), last_step = ${step}
      where user_id = ${actor.id} and confirmed_at is null and secret_cipher = ${sealed}`)
    if (confirmed === 0) throw new AppError('CONFLICT', 'This key is too old. Start again.')
    await endSessionsOf(tx, actor.id, token)
    await auditAccess(tx, { action: 'auth.second-factor-on', user: actor, isUser: true })
    return replaceRecoveryCodes(tx, actor.id)
  })
}

const SET_UP_WRONG = 'This code is wrong. Is the clock of the device right?'

const wrongCode = (problem: string) =>
  new AppError('BAD_INPUT', problem, { fields: { code: [problem] } })

type Proof = TypedCode & { password: string }

/** Asks for the password and a code. Throws BAD_INPUT or RATE_LIMITED. */
async function prove(ctx: UserCtx, { password, ...typed }: Proof): Promise<void> {
  await confirmPassword(ctx, password)
  await confirmCode(ctx, typed)
}

/** Asks somebody who is signed in for a code, which counts once. Throws BAD_INPUT or RATE_LIMITED. */
export async function confirmCode(ctx: UserCtx, typed: TypedCode): Promise<void> {
  try {
    await requireCode(ctx, { user: ctx.actor, typed, tries: codeTries(ctx, ctx.actor) })
  } catch (error) {
    // Said beside the field; signed in is signed in, so it is no 401.
    if (isAppError(error) && error.code === 'BAD_CREDENTIALS') throw wrongCode(error.message)
    throw error
  }
}

/** Switches it off, with the password and a code. Ends the user's other sessions. Throws as `prove`. */
export async function endSecondFactor(ctx: UserCtx, proof: Proof, token: string): Promise<void> {
  await prove(ctx, proof)
  await ctx.db.transaction(async (tx) => {
    await dropSecondFactor(tx, ctx.actor.id)
    await endSessionsOf(tx, ctx.actor.id, token)
    await auditAccess(tx, { action: 'auth.second-factor-off', user: ctx.actor, isUser: true })
  })
}

/** Ten new recovery codes in place of the old ones. Throws as `prove`. */
export async function renewRecoveryCodes(ctx: UserCtx, proof: Proof): Promise<string[]> {
  await prove(ctx, proof)
  return ctx.db.transaction(async (tx) => {
    await auditAccess(tx, { action: 'auth.new-recovery-codes', user: ctx.actor, isUser: true })
    return replaceRecoveryCodes(tx, ctx.actor.id)
  })
}

/** Takes a user's second factor away with its recovery codes; false where there was none. */
export async function dropSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const dropped = await tx.run(sql`
    delete from second_factors where user_id = ${userId} and confirmed_at is not null`)
  return dropped === 1
}

/** Whether signing in to the account takes a code. */
export async function hasSecondFactor(db: Executor, userId: string): Promise<boolean> {
  if (!isId(userId)) return false
  const row = await db.row(sql`
    select 1 from second_factors where user_id = ${userId} and confirmed_at is not null`)
  return row !== undefined
}
