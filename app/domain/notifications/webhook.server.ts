import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { takeTries } from '../accounts/tries.server'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { webhookSealedAs } from './sealed'
import { requireOffered } from './targets.server'

/**
 * Sets the address that the actor's program listens at, whether it is called for each clip, and turns it on.
 * Returns the secret with which it checks what arrives, the first time; later addresses keep it, and null is
 * returned. Throws FORBIDDEN if the operator does not offer it, RATE_LIMITED, and BAD_INPUT for an address
 * that must not be called.
 */
export async function saveWebhook(
  ctx: UserCtx,
  { url, eachClip = false }: { url: string; eachClip?: boolean },
): Promise<string | null> {
  const { db, actor, vault, webhooks } = ctx
  requireOffered(ctx, 'webhook')
  // Each address is looked up.
  await takeTries([[ctx.throttles.notificationAddressByUser, actor.id]], 'web addresses')
  const problem = await webhooks.problemOfAddress(url)
  if (problem !== null) {
    const words = `This address is refused: ${problem}`
    throw new AppError('BAD_INPUT', words, { fields: { url: [words] } })
  }
  const secret = newWebhookSecret()
  const cipher = vault.seal(webhookSealedAs(actor.id), secret)
  const { kept } = await db.one<{ kept: Buffer }>(sql`
    insert into notification_webhooks (user_id, url, secret_cipher, tells_clips)
    values (${actor.id}, ${url}, ${cipher}, ${eachClip})
    on conflict (user_id) do update set tells_clips = excluded.tells_clips, url = excluded.url, stopped_at = null
    returning secret_cipher as kept`)
  return cipher.equals(kept) ? secret : null
}

/**
 * Makes a new secret for the actor's webhook and returns it. The one before ends at once. Throws FORBIDDEN if
 * the operator does not offer it, and NOT_FOUND if it is off.
 */
export async function renewWebhookSecret(ctx: UserCtx): Promise<string> {
  const { db, actor, vault } = ctx
  requireOffered(ctx, 'webhook')
  const secret = newWebhookSecret()
  const count = await db.run(sql`
    update notification_webhooks set secret_cipher = ${vault.seal(webhookSealedAs(actor.id), secret)}
    where user_id = ${actor.id}`)
  if (count === 0) throw new AppError('NOT_FOUND', 'Set a web address first')
  return secret
}

/** A new secret in the form that Standard Webhooks names: `whsec_` and 32 bytes in base64. */
const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
