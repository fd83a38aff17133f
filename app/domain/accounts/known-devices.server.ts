import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import type { KnownDevice } from '../context'
import type { ProvenAccount } from './types'

type SignIn = {
  account: Pick<ProvenAccount, 'id' | 'username' | 'role'>
  device: KnownDevice
  /** Whether the browser brought the device's cookie with this account's name. */
  isRecognised: boolean
  userAgent: string | null
}

/**
 * Remembers the browser in which an administrator has just signed in. One that is new is an event, of
 * which the administrators are told.
 */
export async function noteDevice(
  db: Executor,
  { account, device, isRecognised, userAgent }: SignIn,
): Promise<void> {
  if (account.role !== 'admin' || !isId(device.id)) return
  await db.row(sql`
    with seen as (
      insert into known_devices (user_id, device_id, user_agent, seen_at)
      values (${account.id}, ${device.id}::uuid, ${userAgent?.slice(0, 200) ?? null}, engine_now())
      on conflict (user_id, device_id) do update set user_agent = excluded.user_agent,
        seen_at = excluded.seen_at
      returning device_id, xmax = 0 as is_new
    )
    select write_event('admin.new-device', device_id) from seen
    where is_new and not ${isRecognised}::boolean`)
}
