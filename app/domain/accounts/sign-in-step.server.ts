import { z } from 'zod'
import { sealed } from '~/platform/secrets/sealed'
import type { VisitorCtx } from '../context'
import { AppError } from '../errors'
import { logAccess } from '../activity/write.server'
import { databaseNow } from '../clock.server'
import { PROVEN } from './columns.server'
import type { CodeInput } from './schemas'
import { requireCode } from './second-factor-codes.server'
import { accountDisabled } from './standing.server'
import { signInCodeTries } from './tries.server'
import type { ProvenAccount } from './types'

/** Maximum time between the password and the code. */
const STEP_MINUTES = 10

/** Sign-in steps: whose, until when, and the version of the account's access. */
const steps = ({ vault }: Pick<VisitorCtx, 'vault'>) =>
  sealed(vault, 'sign-in-step', z.tuple([z.string().uuid(), z.number(), z.number()]))

const WITH_SECOND_FACTOR = {
  deletedAt: null,
  secondFactor: { is: { confirmedAt: { not: null } } },
}

/**
 * Returns a token that proves the password of an account with a second factor for STEP_MINUTES, or
 * null for an account without one. The token is not stored. It is no longer valid once the account's
 * sessions have been ended, for instance by a new password.
 */
export async function makeSignInStep(ctx: VisitorCtx, account: ProvenAccount) {
  const { id, accessVersion } = account
  const found = await ctx.db.prisma(({ user }) =>
    user.findFirst({ where: { id, ...WITH_SECOND_FACTOR }, select: { id: true } }),
  )
  if (!found) return null
  const now = await databaseNow(ctx.db)
  return steps(ctx).make([id, now.getTime() / 1000 + STEP_MINUTES * 60, accessVersion])
}

/**
 * Completes a sign-in with a code of the authenticator app or a recovery code. Throws
 * BAD_CREDENTIALS for a wrong or used code, CONFLICT if the password has to be entered again,
 * ACCOUNT_DISABLED or RATE_LIMITED.
 */
export async function finishSignIn(ctx: VisitorCtx, input: CodeInput): Promise<ProvenAccount> {
  const { address } = ctx.actor
  const account = await openStep(ctx, input.step)
  const tries = signInCodeTries(ctx, account)
  const found = await requireCode(ctx, { user: account, typed: input, tries, address })
  const action = found === 'recovery' ? 'auth.recovery-code' : 'auth.sign-in'
  await logAccess(ctx.db, { action, user: account, isUser: true, address })
  return account
}

/** Returns the account whose password was given. */
async function openStep(ctx: VisitorCtx, step: string): Promise<ProvenAccount> {
  const opened = steps(ctx).read(step)
  if (!opened) throw stepIsOver()
  const [userId, until, accessVersion] = opened
  if ((await databaseNow(ctx.db)) >= new Date(until * 1000)) throw stepIsOver()
  const where = { id: userId, accessVersion, ...WITH_SECOND_FACTOR }
  const account = await ctx.db.prisma(({ user }) => user.findFirst({ where, select: PROVEN }))
  if (!account) throw stepIsOver()
  if (!account.isActive) throw accountDisabled()
  return account
}

const stepIsOver = () =>
  new AppError('CONFLICT', 'Too much time has passed. Sign in again with your password.')
