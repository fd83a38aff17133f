import sql from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import type { Ctx } from '../context'
import { AppError, isAppError } from '../errors'
import { auditAccess } from '../audit.server'
import type { TypedCode } from './schemas'
import { hashOfRecoveryCode, newRecoveryCodes, stepOfCode } from './totp.server'
import { giveTriesBack, orGiveTriesBack, takeTries, WRONG_CODES, type Try } from './tries.server'

/** Returns the context string for encrypting a user's key. */
export const sealedAs = (userId: string): string => `second-factor:${userId}`

/** Number of the current 30-second step, by the database's clock. */
export const nowStep = sql`floor(extract(epoch from engine_now()) / 30)::int`

type Owner = { id: string; username: string }
type Asked = { user: Owner; typed: TypedCode; tries: readonly Try[]; address?: string }

/**
 * Accepts a code of the user's authenticator app or a recovery code. Each code works once. Wrong
 * codes are counted and written to the audit log. Throws BAD_CREDENTIALS or RATE_LIMITED.
 */
export async function requireCode(
  { db, vault }: Stores,
  { user, typed, tries, address }: Asked,
): Promise<'app' | 'recovery'> {
  const note = (action: 'auth.wrong-code' | 'auth.locked') =>
    auditAccess(db, {
      action,
      user,
      isUser: false,
      ...(address !== undefined && { address }),
    })
  try {
    await takeTries(tries, WRONG_CODES)
  } catch (error) {
    if (isAppError(error)) await note('auth.locked')
    throw error
  }
  const found = await orGiveTriesBack(tries, () => acceptCode({ db, vault }, user.id, typed))
  if (found === 'app' || found === 'recovery') {
    await giveTriesBack(tries)
    return found
  }
  await note('auth.wrong-code')
  throw new AppError('BAD_CREDENTIALS', REFUSALS[found])
}

const REFUSALS = {
  used: 'This code has been used. Wait for the next one.',
  wrong: 'This code is wrong',
} as const

type Accepted = 'app' | 'recovery' | keyof typeof REFUSALS
type Stores = Pick<Ctx, 'db' | 'vault'>

async function acceptCode(
  { db, vault }: Stores,
  userId: string,
  { code, recoveryCode }: TypedCode,
): Promise<Accepted> {
  if (code === '') return useRecoveryCode(db, userId, recoveryCode)
  const row = await db.row<{ sealed: Buffer; now: number }>(sql`
    select secret_cipher as sealed, ${nowStep} as now from second_factors
    where user_id = ${userId} and confirmed_at is not null`)
  const step = row ? stepOfCode(vault.open(sealedAs(userId), row.sealed), code, row.now) : null
  if (step === null) return 'wrong'
  // This statement decides: of two concurrent requests with one code, only one succeeds.
  const accepted = await db.run(sql`
    update second_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step}`)
  return accepted === 1 ? 'app' : 'used'
}

async function useRecoveryCode(db: Executor, userId: string, typed: string): Promise<Accepted> {
  const hash = hashOfRecoveryCode(typed)
  const used = await db.run(sql`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${hash}::bytea`)
  return used === 1 ? 'recovery' : 'wrong'
}

/** Replaces the recovery codes with ten new ones and returns them. Only their hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  const hashes = codes.map((code) => hashOfRecoveryCode(code)?.toString('hex') ?? '')
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.run(sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, decode(hash, 'hex') from unnest(${hashes}::text[]) as hash`)
  return codes
}
