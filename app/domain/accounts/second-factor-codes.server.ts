import type { Executor, Tx } from '~/platform/db/port'
import type { Ctx } from '../context'
import { AppError, isAppError } from '../errors'
import { logAccess } from '../activity/write.server'
import { databaseNow } from '../clock.server'
import type { TypedCode } from './schemas'
import { hashOfRecoveryCode, newRecoveryCodes, stepOfCode } from './totp.server'
import { giveTriesBack, orGiveTriesBack, takeTries, WRONG_CODES, type Try } from './tries.server'

/** Returns the context string for encrypting a user's key. */
export const sealedAs = (userId: string): string => `second-factor:${userId}`

type Owner = { id: string; username: string }
type Asked = { user: Owner; typed: TypedCode; tries: readonly Try[]; address?: string }

/**
 * Accepts a code of the user's authenticator app or a recovery code. Each code works once. Wrong
 * codes are counted and written to the activity log. Throws BAD_CREDENTIALS or RATE_LIMITED.
 */
export async function requireCode(
  { db, vault }: Stores,
  { user, typed, tries, address }: Asked,
): Promise<'app' | 'recovery'> {
  const note = (action: 'auth.wrong-code' | 'auth.locked') =>
    logAccess(db, {
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
  const found = await db.prisma(({ secondFactor }) =>
    secondFactor.findFirst({
      where: { userId, confirmedAt: { not: null } },
      select: { secretCipher: true },
    }),
  )
  if (!found) return 'wrong'
  const key = vault.open(sealedAs(userId), found.secretCipher)
  const lastStep = stepOfCode(key, code, await databaseNow(db))
  if (lastStep === null) return 'wrong'
  // This statement decides: of two concurrent requests with one code, only one succeeds.
  const { count } = await db.prisma(({ secondFactor }) =>
    secondFactor.updateMany({ where: { userId, lastStep: { lt: lastStep } }, data: { lastStep } }),
  )
  return count === 1 ? 'app' : 'used'
}

async function useRecoveryCode(db: Executor, userId: string, typed: string): Promise<Accepted> {
  const codeHash = hashOfRecoveryCode(typed)
  if (codeHash === null) return 'wrong'
  const { count } = await db.prisma(({ recoveryCode }) =>
    recoveryCode.deleteMany({ where: { userId, codeHash } }),
  )
  return count === 1 ? 'recovery' : 'wrong'
}

/** Replaces the recovery codes with ten new ones and returns them. Only their hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  const data = codes.map((code) => ({
    userId,
    codeHash: hashOfRecoveryCode(code) ?? Buffer.alloc(0),
  }))
  await tx.prisma(({ recoveryCode }) => recoveryCode.deleteMany({ where: { userId } }))
  await tx.prisma(({ recoveryCode }) => recoveryCode.createMany({ data }))
  return codes
}
