import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import { networkOf } from '~/lib/network.server'
import { isDuplicate } from '~/platform/db/duplicate'
import { getPlans } from '../business/settings.server'
import { findByName } from '../accounts/find-by-name.server'
import { takeAll } from '../accounts/tries.server'
import type { Account } from '../accounts/types'
import type { VisitorCtx } from '../context'
import { AppError } from '../errors'
import { nameForms } from '../names/name-forms.server'
import type { PlanName } from '../plans/types'
import { claimedAmount, type ClaimInput } from './schemas'
import type { Money, PaymentMethodName } from './types'
import { referenceKey } from './rules'

/** A screenshot of the payment: encoded by us, and the hash of its pixels. */
export type Screenshot = { bytes: Uint8Array; hash: string }

/** Whom a claim is for: the signed-in customer who reports it, or the number that a visitor types. */
export type Claimant = { account: Pick<Account, 'id' | 'username'> } | { phone: string }

/**
 * Stores that somebody says they have paid, for an administrator to confirm. A customer's own claim has
 * their account. A visitor's has none, even if the number has one: nothing proves whose number it is,
 * so the claim is not shown to its owner and does not stand in the way of theirs. Returns the claim's
 * id, with which its state can be read. Throws BAD_INPUT, CONFLICT if such a claim waits already, and
 * RATE_LIMITED for a visitor from whose network many were reported today, before their screenshot is read.
 */
export async function claimPayment(
  ctx: VisitorCtx,
  claim: ClaimInput,
  {
    claimant,
    readScreenshot,
  }: { claimant: Claimant; readScreenshot: () => Promise<Screenshot | null> },
): Promise<string> {
  const { plan, method, currency, reference, note } = claim
  const minor = claimedAmount(claim, await getPlans(ctx.db))
  // Tells who reads the claim that the amount is not the customer's.
  const price = claim.amount === null ? minor : null
  const account = 'account' in claimant ? claimant.account : null
  const username = 'account' in claimant ? claimant.account.username : await nameOf(ctx, claimant)
  if (account === null) await takeClaim(ctx)
  const screenshot = await readScreenshot()
  const id = newId()
  try {
    await ctx.db.transaction(async (tx) => {
      await tx.run(sql`
        insert into payments (id, user_id, username, plan, amount, price, currency, method, reference,
          reference_key, received_at, note, picture_hash, state)
        values (${id}, ${account?.id ?? null}, ${username}, ${plan}::plan_name,
          ${minor}, ${price}, ${currency}, ${method}, ${reference}, ${referenceKey(reference)}, engine_now(),
          ${note}, ${screenshot?.hash ?? null}, 'claimed')`)
      if (screenshot === null) return
      await tx.run(sql`
        insert into payment_pictures (payment_id, bytes, added_at)
        values (${id}, ${Buffer.from(screenshot.bytes)}, engine_now())`)
    })
  } catch (error) {
    if (!isDuplicate(error, 'payments_open_claim_key')) throw error
    const signIn = account === null ? ' If it is not yours, sign in to report your own.' : ''
    const waiting = 'A payment of this number is already waiting to be checked.'
    throw new AppError('CONFLICT', waiting + signIn)
  }
  return id
}

/** What a helper asks the administrators to sell. An amount of 0: without a payment. */
export type AskedSale = Money & {
  username: string
  plan: PlanName
  method: PaymentMethodName
  reference: string | null
  askedBy: string
}

/**
 * Stores a sale that a helper asks the administrators to decide, as a claim that the helper recorded,
 * and returns its id. Like a visitor's it has no account, so that it does not stand in the way of the
 * customer's own. Throws CONFLICT if such a claim waits already.
 */
export async function claimSale(
  tx: Tx,
  { username, plan, amount, currency, method, reference, askedBy }: AskedSale,
): Promise<string> {
  const id = newId()
  const added = await tx.run(sql`
    insert into payments (id, username, plan, amount, currency, method, reference, reference_key,
      received_at, recorded_by, asked_by, state)
    values (${id}, ${username}, ${plan}::plan_name, ${amount}, ${currency}, ${method}, ${reference},
      ${referenceKey(reference)}, engine_now(), ${askedBy}, ${askedBy}, 'claimed')
    on conflict (username, (user_id is null)) where state = 'claimed' do nothing`)
  if (added === 0) throw new AppError('CONFLICT', 'A payment of this number waits already.')
  return id
}

/** Returns the username of the account that has a number, or the number in its stored form. */
async function nameOf(ctx: VisitorCtx, { phone }: { phone: string }): Promise<string> {
  const { stored, forms } = nameForms(phone, ctx.settings.phoneCountries)
  return (await findByName(ctx.db, forms))?.username ?? stored
}

/** Behind one address of a mobile network stand many customers. */
const takeClaim = ({ throttles, actor }: VisitorCtx): Promise<void> =>
  takeAll(
    [[throttles.claimByNetwork, networkOf(actor.address).network || 'unknown']],
    () => 'Many payments were reported from your network today. Sign in, and report yours there.',
  )
