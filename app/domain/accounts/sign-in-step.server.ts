import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { sealed } from '~/platform/secrets/sealed'
import type { VisitorCtx } from '../context'
import { AppError } from '../errors'
import { auditAccess } from '../audit.server'
import { provenColumns } from './columns.server'
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

const ofUser = (userId: string): Sql => sql`
  from users join second_factors on second_factors.user_id = users.id
  where users.id = ${userId} and confirmed_at is not null and users.deleted_at is null`

/**
 * Returns a token that proves the password of an account with a second factor for STEP_MINUTES, or
 * null for an account without one. The token is not stored. It is no longer valid once the account's
 * sessions have been ended, for instance by a new password.
 */
export async function makeSignInStep(ctx: VisitorCtx, account: ProvenAccount) {
  const { id, accessVersion } = account
  const row = await ctx.db.row<{ until: number }>(sql`
    select extract(epoch from engine_now())::float8 + ${STEP_MINUTES}::int * 60 as until ${ofUser(id)}`)
  return row ? steps(ctx).make([id, row.until, accessVersion]) : null
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
  await auditAccess(ctx.db, { action, user: account, isUser: true, address })
  return account
}

/** Returns the account whose password was given. */
async function openStep(ctx: VisitorCtx, step: string): Promise<ProvenAccount> {
  const opened = steps(ctx).read(step)
  if (!opened) throw stepIsOver()
  const [userId, until, accessVersion] = opened
  const account = await ctx.db.row<ProvenAccount>(sql`
    select ${provenColumns} ${ofUser(userId)} and users.access_version = ${accessVersion}
      and engine_now() < to_timestamp(${until}::float8)`)
  if (!account) throw stepIsOver()
  if (!account.isActive) throw accountDisabled()
  return account
}

const stepIsOver = () =>
  new AppError('CONFLICT', 'Too much time has passed. Sign in again with your password.')
