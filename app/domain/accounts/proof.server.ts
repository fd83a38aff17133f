import type { AdminCtx, HelperCtx, UserCtx } from '../context'
import { AppError } from '../errors'
import { isEnough, PROOF_OF } from '../activity/proof-of'
import { logAccess, passwordNeeded } from '../activity/write.server'
import { requireOwnPassword } from './confirm-password.server'
import type { ConfirmInput } from './schemas'
import { confirmCode, hasSecondFactor } from './second-factor.server'
import { noteProof, renewSession } from './sessions.server'

/**
 * Throws PASSWORD_NEEDED unless the password was given within 15 minutes, or within 12 hours for
 * `today`. Protects actions for which an unattended browser or a copied cookie must not be
 * sufficient; `today` is for those that are part of each sale. Commands call it before they write.
 */
export function requireProof({ actor }: AdminCtx, age: 'recent' | 'today' = 'recent'): void {
  if (!isEnough(actor.proof, age)) throw passwordNeeded(age)
}

/** Like `requireProof`, for what the table says of an action. */
export function requireProofOf({ actor }: AdminCtx, action: keyof typeof PROOF_OF): void {
  const needed = PROOF_OF[action]
  if (!isEnough(actor.proof, needed)) throw passwordNeeded(needed)
}

type Asked = { field?: string; problem?: string }

/**
 * Checks the password of a signed-in user and, if the account has a second factor, a code: for what opens
 * an account, each time. Returns the stored hash of the password. Throws BAD_INPUT on `field` or on the
 * code's, or RATE_LIMITED.
 */
export async function proveOneself(
  ctx: UserCtx,
  { ownPassword, ...typed }: ConfirmInput,
  { field = 'ownPassword', ...problem }: Asked = {},
): Promise<string> {
  const asksForCode = await hasSecondFactor(ctx.db, ctx.actor.id)
  if (asksForCode && typed.code === '' && typed.recoveryCode.trim() === '') {
    const problem = 'Type the code'
    throw new AppError('BAD_INPUT', problem, { fields: { code: [problem] } })
  }
  const hash = await requireOwnPassword(ctx, { password: ownPassword, field, ...problem })
  if (asksForCode) await confirmCode(ctx, typed)
  return hash
}

/**
 * Checks the password and, if the account has a second factor, a code. Records the proof in the
 * session and returns the session's new token. Throws BAD_INPUT, RATE_LIMITED, or NOT_SIGNED_IN if
 * the session has ended in the meantime.
 */
export async function giveProof(
  ctx: HelperCtx,
  proof: ConfirmInput,
  token: string,
): Promise<string> {
  await proveOneself(ctx, proof)
  return ctx.db.transaction(async (tx) => {
    const renewed = await renewSession(tx, token)
    if (renewed === null) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
    await noteProof(tx, renewed)
    await logAccess(tx, { action: 'auth.confirm', user: ctx.actor, isUser: true })
    return renewed
  })
}
