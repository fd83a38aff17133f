import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { networkOf } from '~/lib/network.server'
import type { VisitorCtx } from '../context'
import { AppError } from '../errors'
import { logAccess } from '../activity/write.server'
import { getPlans } from '../business/settings.server'
import { provenColumns } from './columns.server'
import { isNameFree } from './name-free.server'
import { nameForms } from '../names/name-forms.server'
import { hashNewPassword } from './new-password.server'
import { inviterOf, noteInvited } from './referrals.server'
import type { RegisterInput } from './schemas'
import { takeAll, type Try } from './tries.server'
import type { ProvenAccount } from './types'

/**
 * Creates an account for a visitor, with the operator's trial (decision Q-14): Starter pace for a
 * few days, or no plan, and with who has invited them. Throws CONFLICT if the phone number has an account, RATE_LIMITED if too
 * many accounts were created from one address.
 */
export async function register(ctx: VisitorCtx, input: RegisterInput): Promise<ProvenAccount> {
  await takeRegistration(ctx)
  const { videos, days } = ctx.settings.trial
  const { address } = ctx.actor
  const { stored: phone, forms } = nameForms(input.phone, ctx.settings.phoneCountries)
  const plan = videos > 0 ? 'Starter' : null
  const { pace } = (await getPlans(ctx.db)).Starter
  const passwordHash = await hashNewPassword(ctx, {
    password: input.password,
    username: phone,
  })
  // Uses the block, so that a new address does not get a new allowance. '' is the key of the whole
  // platform, so it must not be used here.
  const inviterId = await inviterOf(ctx)
  const trialNetwork = networkOf(address).block || 'unknown'
  const account = await ctx.db.row<ProvenAccount>(sql`
    with users as (insert into users (id, username, phone, password_hash, plan, route, clip_units, video_limit,
      speed_limit, video_generation_speed, expiry_date, created_at)
    select ${newId()}, ${phone}, ${phone}, ${passwordHash}, ${plan}::plan_name, route_of_plan(${plan}::plan_name),
      clip_units_of_plan(${plan}::plan_name), ${videos}, ${pace.videos}, ${pace.delaySeconds},
      case when ${plan}::text is null then null else engine_now() + make_interval(days => ${days}) end,
      engine_now()
    where ${isNameFree(forms)}
    on conflict (username) where deleted_at is null do nothing
    returning *), trial as (insert into trials (user_id, network, video_limit, ends_at)
      select id, ${trialNetwork}, video_limit, expiry_date from users where plan is not null),
      referral as (${noteInvited(inviterId, sql`users`)})
    select ${provenColumns} from users`)
  if (!account) {
    throw numberTaken()
  }
  await logAccess(ctx.db, { action: 'auth.register', user: account, isUser: true, address })
  return account
}

/** Returns the error for a phone number that has an account. */
export const numberTaken = () =>
  new AppError('CONFLICT', 'This phone number already has an account. Sign in instead.', {
    fields: { phone: ['This phone number already has an account'] },
  })

/** Counts each new account for its network and block. Throws RATE_LIMITED. */
export function takeRegistration({ throttles, actor }: VisitorCtx): Promise<void> {
  const { network, block } = networkOf(actor.address)
  const tries: Try[] = [
    [throttles.registrationByNetwork, network],
    [throttles.registrationByBlock, block],
  ]
  return takeAll(tries, () => 'Too many new accounts from your address. Try again later.')
}
