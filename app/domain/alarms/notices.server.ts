import sql from 'sql-template-tag'
import { plural } from '~/lib/figures'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import { deviceName } from '../accounts/device-name.server'
import type { Deps } from '../context'
import { moneyText } from '../payments/money'
import { METHOD_NAMES } from '../payments/rules'
import type { Money, PaymentMethodName } from '../payments/types'
import type { PlanName } from '../plans/types'
import { tokenName } from '../tokens/state.server'
import type { OnceName } from './rules'

/** Decides what is told. A few seconds gather what happens at the same time. */
const WATCH_SOON: NewJob = {
  name: 'alarms.watch',
  payload: {},
  key: 'alarms.watch',
  delayMs: 2_000,
}

type Notice = { name: OnceName; subjectId: string; text: string }

/**
 * Stores something that administrators are to be told, and adds the job that tells it. Of one subject
 * they are told once an hour.
 */
export async function noteOnce(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  { name, subjectId, text }: Notice,
): Promise<void> {
  await tx.run(sql`
    insert into alarm_notices (id, name, subject_id, text, at)
    select ${newId()}::uuid, ${name}, ${subjectId}::uuid, ${text}, engine_now()
    where not exists (select from alarm_notices where name = ${name}
      and subject_id = ${subjectId}::uuid and at > engine_now() - interval '1 hour')`)
  await queue.add(tx, [WATCH_SOON])
}

/** Hears of `key.lost`. The subject is the token. */
export async function noteLostToken(tx: Tx, subjectId: string, deps: Deps): Promise<void> {
  const token = await tx.row<{ name: string; death: string | null }>(sql`
    select ${tokenName} as name, death from credentials where id = ${subjectId}::uuid`)
  if (!token) return
  const why = token.death === 'suspended' ? 'its account is suspended' : 'the provider refuses it'
  const text = `${token.name}: ${why}.`
  await noteOnce(deps, tx, { name: 'key-lost', subjectId, text })
}

/** Hears of `key.spent`. The subject is a token whose account takes no orders for lack of credits. */
export async function noteSpentToken(tx: Tx, subjectId: string, deps: Deps): Promise<void> {
  const token = await tx.row<{ name: string; isDefault: boolean; customers: number }>(sql`
    select ${tokenName} as name, is_default as "isDefault",
      (select count(*)::int from users join credentials as held on held.id = users.credential_id
        where held.account = credentials.account and users.deleted_at is null) as customers
    from credentials where id = ${subjectId}::uuid`)
  if (!token) return
  const own = token.isDefault ? ', the platform’s own' : ''
  const text = `${token.name}${own}, ${plural(token.customers, 'customer')}.`
  await noteOnce(deps, tx, { name: 'credits', subjectId, text })
}

/** Hears of `admin.new-device`. The subject is the device. */
export async function noteNewDevice(tx: Tx, subjectId: string, deps: Deps): Promise<void> {
  const device = await tx.row<{ username: string; userAgent: string | null }>(sql`
    select username, user_agent as "userAgent"
    from known_devices join users on users.id = user_id
    where device_id = ${subjectId}::uuid order by seen_at desc limit 1`)
  if (!device) return
  const text = `${device.username} on ${deviceName(device.userAgent)}. If it was not you, change the password.`
  await noteOnce(deps, tx, { name: 'sign-in', subjectId, text })
}

/** Hears of `claim.waiting`. The subject is the claim. */
export async function noteClaim(tx: Tx, subjectId: string, deps: Deps): Promise<void> {
  const claim = await tx.row<Money & { plan: PlanName; method: PaymentMethodName }>(sql`
    select plan, amount, currency, method from payments
    where id = ${subjectId}::uuid`)
  if (!claim) return
  const text = `${claim.plan}, ${moneyText(claim)} by ${METHOD_NAMES[claim.method].toLowerCase()}.`
  await noteOnce(deps, tx, { name: 'claim', subjectId, text })
}
