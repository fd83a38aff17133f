import type { AdminCtx, HelperCtx } from '../context'
import { AppError } from '../errors'
import { auditAccess } from '../audit/write.server'
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
  if (actor.proof === 'recent' || actor.proof === age) return
  const within = age === 'recent' ? '15 minutes' : '12 hours'
  const message = `This requires a password entered within the last ${within}. Sign in again.`
  throw new AppError('PASSWORD_NEEDED', message)
}

/**
 * Checks the password and, if the account has a second factor, a code. Records the proof in the
 * session and returns the session's new token. Throws BAD_INPUT, RATE_LIMITED, or NOT_SIGNED_IN if
 * the session has ended in the meantime.
 */
export async function giveProof(
  ctx: HelperCtx,
  { ownPassword, ...typed }: ConfirmInput,
  token: string,
): Promise<string> {
  const asksForCode = await hasSecondFactor(ctx.db, ctx.actor.id)
  if (asksForCode && typed.code === '' && typed.recoveryCode.trim() === '') {
    const problem = 'Type the code'
    throw new AppError('BAD_INPUT', problem, { fields: { code: [problem] } })
  }
  await requireOwnPassword(ctx, { password: ownPassword, field: 'ownPassword' })
  if (asksForCode) await confirmCode(ctx, typed)
  return ctx.db.transaction(async (tx) => {
    const renewed = await renewSession(tx, token)
    if (renewed === null) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
    await noteProof(tx, renewed)
    await auditAccess(tx, { action: 'auth.confirm', user: ctx.actor, isUser: true })
    return renewed
  })
}
