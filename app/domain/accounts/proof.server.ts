import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import { auditAccess } from '../audit/write.server'
import { requireOwnPassword } from './confirm-password.server'
import type { ConfirmInput } from './schemas'
import { confirmCode, hasSecondFactor } from './second-factor.server'
import { noteProof, renewSession } from './sessions.server'

/**
 * Throws PASSWORD_NEEDED unless the password was given recently. Protects actions for which an
 * unattended browser or a copied cookie must not be sufficient. Commands call it before they write.
 */
export function requireProof({ actor }: AdminCtx): void {
  if (actor.hasProof) return
  throw new AppError(
    'PASSWORD_NEEDED',
    'This requires a password entered within the last 15 minutes. Sign in again.',
  )
}

/**
 * Checks the password and, if the account has a second factor, a code. Records the proof in the
 * session and returns the session's new token. Throws BAD_INPUT, RATE_LIMITED, or NOT_SIGNED_IN if
 * the session has ended in the meantime.
 */
export async function giveProof(
  ctx: AdminCtx,
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
