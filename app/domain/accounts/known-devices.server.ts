import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { plural } from '~/lib/figures'
import type { Executor, Tx } from '~/platform/db/port'
import { getPlans } from '../business/settings.server'
import type { KnownDevice, UserRole } from '../context'
import type { PlanName } from '../plans/types'
import { deviceName } from './device-name.server'
import type { ProvenAccount, StartedSession } from './types'

type SignIn = {
  account: Pick<ProvenAccount, 'id' | 'username' | 'role'>
  device: KnownDevice
  /** Whether the browser brought the device's cookie with this account's name. */
  isRecognised: boolean
  userAgent: string | null
}

/** How many days the devices of customers are kept since they were seen. */
export const DEVICE_DAYS = 7

/**
 * Remembers the browser in which somebody has just signed in. One of an administrator that is new is an
 * event, of which the administrators are told.
 */
export async function noteDevice(
  db: Executor,
  { account, device, isRecognised, userAgent }: SignIn,
): Promise<void> {
  if (!isId(device.id)) return
  await db.row(sql`
    with seen as (
      insert into known_devices (user_id, device_id, user_agent, seen_at)
      values (${account.id}, ${device.id}::uuid, ${userAgent?.slice(0, 200) ?? null}, engine_now())
      on conflict (user_id, device_id) do update set user_agent = excluded.user_agent,
        seen_at = excluded.seen_at, ended_at = null
      returning device_id, xmax = 0 as is_new
    )
    select write_event('admin.new-device', device_id) from seen
    where is_new and not ${isRecognised}::boolean and ${account.role === 'admin'}::boolean`)
}

/**
 * Returns on how many devices somebody may be signed in at once. Null: there is no limit, as for
 * administrators.
 */
export async function devicesAllowed(
  db: Executor,
  { role, plan }: { role: UserRole; plan: PlanName | null },
): Promise<number | null> {
  return role === 'admin' || plan === null ? null : (await getPlans(db))[plan].devices
}

/** Says which devices a sign-in has signed out. Undefined: none. */
export function endedText({
  endedAgents,
  most,
}: Omit<StartedSession, 'token'>): string | undefined {
  if (most === null || endedAgents.length === 0) return undefined
  const names = new Intl.ListFormat('en-GB').format(endedAgents.map(deviceName))
  return `Your plan allows ${plural(most, 'device')} at once. Signed out: ${names}.`
}

/** Returns whether the last session of a browser ended because its account was signed in on more devices. */
export async function wasCrowdedOut(db: Executor, device: KnownDevice | null): Promise<boolean> {
  if (device === null || !isId(device.id)) return false
  const row = await db.row(sql`
    select 1 from known_devices join users on users.id = user_id
    where device_id = ${device.id} and username = ${device.username} and ended_at is not null`)
  return row !== undefined
}

/**
 * Removes devices of others than administrators that were not seen for `DEVICE_DAYS`, at most `most`. Returns
 * how many.
 */
export const removeOldDevices = (tx: Tx, most: number): Promise<number> =>
  tx.run(sql`
    delete from known_devices where (user_id, device_id) in (
      select user_id, device_id from known_devices join users on users.id = user_id
      where role <> 'admin' and seen_at < engine_now() - make_interval(days => ${DEVICE_DAYS}) limit ${most})`)

export type SeenDevice = { name: string; seenAt: string }

/** Of an account without a limit more devices than this are said to be many. */
const MANY = 4

/**
 * Returns the devices on which an account was used within a week, the last one first, and whether they are
 * many.
 */
export async function listDevicesOf(
  db: Executor,
  { id, ...account }: { id: string; role: UserRole; plan: PlanName | null },
): Promise<{ seen: SeenDevice[]; isMany: boolean }> {
  const most = await devicesAllowed(db, account)
  const rows = await db.rows<{ userAgent: string | null; seenAt: Date }>(sql`
    select user_agent as "userAgent", seen_at as "seenAt" from known_devices
    where user_id = ${id} and seen_at > engine_now() - make_interval(days => ${DEVICE_DAYS})
    order by seen_at desc, device_id`)
  const seen = rows.map((row) => ({
    name: deviceName(row.userAgent),
    seenAt: row.seenAt.toISOString(),
  }))
  return { seen, isMany: account.role !== 'admin' && seen.length > (most ?? MANY) }
}
