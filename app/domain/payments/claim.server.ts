import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { networkOf } from '~/lib/network.server'
import { isDuplicate } from '~/platform/db/duplicate'
import { findByName } from '../accounts/find-by-name.server'
import { takeAll } from '../accounts/tries.server'
import type { VisitorCtx } from '../context'
import { AppError } from '../errors'
import { nameForms } from '../names/name-forms.server'
import { amountOf, type ClaimInput } from './schemas'
import { referenceKey } from './rules'

/** A picture of the payment: encoded by us, and the hash of its pixels. */
export type ClaimPicture = { bytes: Uint8Array; hash: string }

/**
 * Stores that a customer says they have paid, for an administrator to confirm. `phone` is a number that
 * may have an account or not. Returns the claim's id, with which its state can be read. Throws BAD_INPUT,
 * CONFLICT if a claim of the number waits already, RATE_LIMITED for the fourth in a day from one
 * network.
 */
export async function claimPayment(
  ctx: VisitorCtx,
  { phone, plan, method, amount, currency, reference, note }: ClaimInput & { phone: string },
  picture: ClaimPicture | null,
): Promise<string> {
  const minor = amountOf('amount', amount, currency)
  const { stored, forms } = nameForms(phone, ctx.settings.phoneCountries)
  const account = await findByName(ctx.db, forms)
  await takeAll(
    [[ctx.throttles.claimByNetwork, networkOf(ctx.actor.address).network || 'unknown']],
    () =>
      'Three payments were reported from your network today. Send us the proof on the chat app.',
  )
  const id = newId()
  try {
    await ctx.db.transaction(async (tx) => {
      await tx.run(sql`
        insert into payments (id, user_id, username, plan, amount, currency, method, reference,
          reference_key, received_at, note, picture_hash, state)
        values (${id}, ${account?.id ?? null}, ${account?.username ?? stored}, ${plan}::plan_name,
          ${minor}, ${currency}, ${method}, ${reference}, ${referenceKey(reference)}, engine_now(),
          ${note}, ${picture?.hash ?? null}, 'claimed')`)
      if (picture === null) return
      await tx.run(sql`
        insert into payment_pictures (payment_id, bytes, added_at)
        values (${id}, ${Buffer.from(picture.bytes)}, engine_now())`)
    })
  } catch (error) {
    if (!isDuplicate(error, 'payments_open_claim_key')) throw error
    throw new AppError('CONFLICT', 'A payment of this number is already waiting to be checked.')
  }
  return id
}
