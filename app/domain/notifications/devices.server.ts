import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Executor, Tx } from '~/platform/db/port'
import { deviceName } from '../accounts/device-name.server'
import { takeTries } from '../accounts/tries.server'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import type { Deliveries } from './outcome'
import { NOTIFICATION_LIMITS } from './rules'
import { dropWaiting, isSignedIn, requireOffered } from './targets.server'
import type { DeviceView } from './types'

/** Returns the browsers of the actor that are told, the latest first. */
export const listDevices = (
  db: Executor,
  userId: string,
  sessionId: string,
): Promise<DeviceView[]> =>
  db.rows<DeviceView>(sql`
    select id, device, ${isoText(sql`created_at`)} as since, ${isoText(sql`told_at`)} as told,
      session_id = ${sessionId}::uuid as "isThis"
    from push_subscriptions where user_id = ${userId} and ${isSignedIn} order by created_at desc, id desc`)

/** What a browser hands out, and its user agent. */
export type NewDevice = {
  endpoint: string
  p256dh: string
  auth: string
  sessionId: string
  userAgent: string | null
}

/**
 * Tells the actor's browser from now on, as long as its session goes on. Replaces what was known of this browser, of
 * another account as well. Throws FORBIDDEN if the operator does not offer it, RATE_LIMITED, CONFLICT for
 * too many browsers, and BAD_INPUT for a service that must not be called.
 */
export async function addDevice(ctx: UserCtx, given: NewDevice): Promise<void> {
  await checkService(ctx, given)
  await ctx.db.transaction((tx) => store(tx, ctx.actor.id, given))
}

type Handed = Pick<NewDevice, 'endpoint' | 'p256dh' | 'auth'>

async function checkService(ctx: UserCtx, given: Handed): Promise<void> {
  const { actor, pushes } = ctx
  requireOffered(ctx, 'push')
  // Each address is looked up.
  await takeTries([[ctx.throttles.notificationAddressByUser, actor.id]], 'devices')
  const problem = await pushes.problemOf(given)
  if (problem !== null)
    throw new AppError('BAD_INPUT', `This browser’s push service is refused: ${problem}`)
}

async function store(tx: Tx, userId: string, given: NewDevice): Promise<void> {
  const { endpoint, p256dh, auth, sessionId, userAgent } = given
  // The lock lets one be added at a time, so that their number is right.
  await tx.run(sql`select id from users where id = ${userId} for update`)
  await lockDevices(tx, userId)
  await tx.run(sql`
    delete from push_subscriptions where user_id = ${userId}
      and (session_id = ${sessionId} or endpoint = ${endpoint} or not ${isSignedIn})`)
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from push_subscriptions where user_id = ${userId}`)
  if (count >= NOTIFICATION_LIMITS.devices)
    throw new AppError(
      'CONFLICT',
      `At most ${NOTIFICATION_LIMITS.devices} devices are told. Remove one first.`,
    )
  await tx.run(sql`
    insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, device, created_at)
    values (${newId()}, ${userId}, ${sessionId}, ${endpoint}, ${p256dh}, ${auth},
      ${deviceName(userAgent)}, engine_now())
    on conflict (endpoint) do update set id = excluded.id, user_id = excluded.user_id,
      session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
      device = excluded.device, created_at = excluded.created_at, told_at = null`)
}

/**
 * Replaces the address and keys of the browser of a session, which its maker's service has renewed. Throws NOT_FOUND
 * if this browser is not told, so that one that was removed stays so, and like `addDevice`.
 */
export async function renewDevice(
  ctx: UserCtx,
  { sessionId, ...given }: Omit<NewDevice, 'userAgent'>,
): Promise<void> {
  await checkService(ctx, given)
  const { endpoint, p256dh, auth } = given
  await ctx.db.transaction(async (tx) => {
    await lockDevices(tx, ctx.actor.id)
    // Whoever has signed in with another account in this browser meanwhile is told no more.
    await tx.run(sql`
      delete from push_subscriptions where endpoint = ${endpoint} and session_id <> ${sessionId}::uuid
        and exists (select from push_subscriptions as own
          where own.user_id = ${ctx.actor.id} and own.session_id = ${sessionId}::uuid)`)
    const renewed = await tx.run(sql`
      update push_subscriptions set endpoint = ${endpoint}, p256dh = ${p256dh}, auth = ${auth}
      where user_id = ${ctx.actor.id} and session_id = ${sessionId}::uuid`)
    if (renewed === 0) throw notTold()
  })
}

const notTold = () => new AppError('NOT_FOUND', 'This device gets no notifications')

/** Stops telling a browser of the actor. Throws NOT_FOUND. */
export async function removeDevice({ db, actor }: UserCtx, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDevices(tx, actor.id)
    const count = await tx.run(sql`
      delete from push_subscriptions where id = ${id} and user_id = ${actor.id}`)
    if (count === 0) throw notTold()
    const left = await tx.row(
      sql`select 1 from push_subscriptions where user_id = ${actor.id} limit 1`,
    )
    if (!left) await dropWaiting(tx, { userId: actor.id, channel: 'push' })
  })
}

/** Locks a user's browsers in one order, before any is changed. */
export async function lockDevices(tx: Tx, userId: string): Promise<void> {
  await tx.run(
    sql`select id from push_subscriptions where user_id = ${userId} order by id for update`,
  )
}

/** Records which browsers took a message, and forgets those that are gone. */
export async function noteDeliveries(
  tx: Tx,
  userId: string,
  { told, gone }: Deliveries,
): Promise<void> {
  await lockDevices(tx, userId)
  await tx.run(sql`
    update push_subscriptions set told_at = engine_now()
    where user_id = ${userId} and id = any(${[...told]}::uuid[])`)
  await tx.run(sql`
    delete from push_subscriptions where user_id = ${userId} and id = any(${[...gone]}::uuid[])`)
}
