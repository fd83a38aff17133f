import type { AccessAction } from '../activity/types'
import type { VisitorCtx } from '../context'
import { AppError, isAppError, type ErrorCode } from '../errors'
import { logAccess } from '../activity/write.server'
import { findByName } from './find-by-name.server'
import { nameForms } from '../names/name-forms.server'
import type { SignInInput } from './schemas'
import { makeSignInStep } from './sign-in-step.server'
import { accountDisabled } from './standing.server'
import {
  FAILED_SIGN_INS,
  giveTriesBack,
  orGiveTriesBack,
  signInTries,
  takeTries,
} from './tries.server'
import type { ProvenAccount } from './types'

/**
 * The account that signed in, or, if a code is still required, the proof of the password for
 * `finishSignIn`.
 */
export type Verified = { account: ProvenAccount; step: null } | { account: null; step: string }

/**
 * Checks a username and password, for both the page and the API call, and writes an entry of the activity log. An
 * unknown name and a wrong password give the same error after the same work. Throws
 * BAD_CREDENTIALS, ACCOUNT_DISABLED or RATE_LIMITED.
 */
export async function verifyCredentials(ctx: VisitorCtx, input: SignInInput): Promise<Verified> {
  const { address } = ctx.actor
  try {
    const user = await check(ctx, input)
    const step = await makeSignInStep(ctx, user)
    if (step !== null) return { account: null, step }
    await logAccess(ctx.db, { action: 'auth.sign-in', user, isUser: true, address })
    return { account: user, step: null }
  } catch (error) {
    const action = isAppError(error) ? REFUSALS[error.code] : undefined
    if (action !== undefined) {
      const { forms } = nameForms(input.username, ctx.settings.phoneCountries)
      const user = (await findByName(ctx.db, forms)) ?? null
      await logAccess(ctx.db, { action, user, isUser: false, address })
    }
    throw error
  }
}

/** The action in the activity log for each error code. */
const REFUSALS: Partial<Record<ErrorCode, AccessAction>> = {
  BAD_CREDENTIALS: 'auth.failure',
  ACCOUNT_DISABLED: 'auth.refused',
  RATE_LIMITED: 'auth.locked',
}

async function check(ctx: VisitorCtx, input: SignInInput): Promise<ProvenAccount> {
  const name = nameForms(input.username, ctx.settings.phoneCountries)
  const found = await findByName(ctx.db, name.forms)
  const tries = signInTries(ctx, name, found)
  await takeTries(tries, FAILED_SIGN_INS)

  const matches = await orGiveTriesBack(tries, () =>
    ctx.passwords.verify(found?.passwordHash ?? null, input.password),
  )
  if (!found || !matches) {
    throw new AppError('BAD_CREDENTIALS', 'Wrong username or password')
  }
  await giveTriesBack(tries)
  if (!found.isActive) throw accountDisabled()
  const { passwordHash: _, ...account } = found
  return account
}
