import { expect, test } from 'vitest'
import {
  endedText,
  listDevicesOf,
  noteDevice,
  wasCrowdedOut,
} from '../../../app/domain/accounts/known-devices.server'
import {
  findSignedIn,
  startSession,
  touchSession,
} from '../../../app/domain/accounts/sessions.server'
import { writeSetting } from '../../../app/domain/business/settings.server'
import type { UserCtx } from '../../../app/domain/context'
import { DEFAULT_PLANS } from '../../../app/domain/plans/catalogue'
import { removeOld } from '../../../app/domain/retention/remove-old.server'
import { newId } from '../../../app/lib/ids'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

const limit = (devices: number | null) =>
  engine.deps.db.transaction((tx) =>
    writeSetting(tx, 'plan.Starter', { ...DEFAULT_PLANS.Starter, devices }),
  )

/** Signs a browser in. */
async function signIn({ actor, db }: UserCtx, deviceId = newId(), userAgent = 'Old browser') {
  const account = await db.prisma(({ user }) =>
    user.findFirst({
      where: { id: actor.id },
      select: { id: true, accessVersion: true, username: true, role: true },
    }),
  )
  if (!account) throw new Error('no account')
  const device = { id: deviceId, username: account.username }
  const started = await db.transaction(async (tx) => {
    const session = await startSession(tx, { account, userAgent, deviceId, presented: null })
    await noteDevice(tx, { account, device, isRecognised: true, userAgent })
    return session
  })
  const isIn = async () => (await findSignedIn(db, started.token)) !== undefined
  return { ...started, device, isIn, wasCrowdedOut: () => wasCrowdedOut(db, device) }
}

test('U-DEV-1: a further sign-in ends the oldest session, and both are told', async () => {
  const user = await engine.user({ plan: 'Starter' })
  await limit(2)
  const first = await signIn(user)
  await engine.clock.move(1000)
  const second = await signIn(user)
  expect([first.endedAgents, second.endedAgents]).toEqual([[], []])
  await engine.clock.move(1000)
  // Which one was used last makes no difference.
  await touchSession(user.db, first.token)
  const third = await signIn(user)
  expect(endedText(third)).toBe('Your plan allows 2 devices at once. Signed out: Unknown browser.')
  expect([await first.isIn(), await second.isIn(), await third.isIn()]).toEqual([false, true, true])
  expect([await first.wasCrowdedOut(), await second.wasCrowdedOut()]).toEqual([true, false])
  // Signed in again, it is told no more.
  await engine.clock.move(1000)
  await signIn(user, first.device.id)
  expect([await first.wasCrowdedOut(), await second.wasCrowdedOut()]).toEqual([false, true])

  await limit(1)
  expect(await third.isIn()).toBe(true)
  await engine.clock.move(1000)
  expect((await signIn(user)).endedAgents).toHaveLength(2)
  await limit(null)
  const more = await Promise.all([1, 2, 3, 4].map(() => signIn(user)))
  for (const one of more) expect(await one.isIn()).toBe(true)
})

test('U-DEV-1: of many sign-ins at once exactly as many sessions stay as the plan allows', async () => {
  await limit(3)
  const user = await engine.user({ plan: 'Starter' })
  const tried = await Promise.all(Array.from({ length: 12 }, () => signIn(user)))
  const stay = await Promise.all(tried.map((one) => one.isIn()))
  expect(stay.filter(Boolean)).toHaveLength(3)
  expect(tried.flatMap(({ endedAgents }) => endedAgents)).toHaveLength(9)
  const told = await Promise.all(tried.map((one) => one.wasCrowdedOut()))
  expect(told.map((isTold) => !isTold)).toEqual(stay)

  for (const other of [
    await engine.admin(),
    await engine.user({ plan: 'Business' }),
    await engine.user({ plan: null }),
  ]) {
    const sessions = await Promise.all([1, 2, 3, 4, 5].map(() => signIn(other)))
    for (const one of sessions) expect(await one.isIn()).toBe(true)
  }
  await limit(null)
})

test('U-DEV-2: devices of a week are listed, and many of them are pointed out', async () => {
  await limit(2)
  const user = await engine.user({ plan: 'Starter' })
  const { id } = user.actor
  const devices = () => listDevicesOf(user.db, { id, role: 'user', plan: 'Starter' })
  const first = await signIn(user)
  await signIn(user, first.device.id)
  await signIn(user)
  expect(await devices()).toMatchObject({ isMany: false, seen: [{}, {}] })
  const last = await signIn(user)
  expect(await devices()).toMatchObject({ isMany: true, seen: [{}, {}, {}] })
  await engine.clock.move(6 * 86_400_000)
  await touchSession(user.db, last.token)
  await engine.clock.move(2 * 86_400_000)
  expect(await devices()).toMatchObject({ isMany: false, seen: [{}] })
  const admin = await engine.admin()
  await signIn(admin)
  await engine.clock.move(8 * 86_400_000)
  await removeOld(engine.deps)
  const { rows } = await engine.pool.query<{ id: string; kept: number }>(
    `select user_id as id, count(*)::int as kept from known_devices
     where user_id = any($1::uuid[]) group by 1`,
    [[id, admin.actor.id]],
  )
  // Those of administrators stay: a new one is an alarm.
  expect(rows).toEqual([{ id: admin.actor.id, kept: 1 }])
  // A session in use is a device of the week again.
  await touchSession(user.db, last.token)
  expect(await devices()).toMatchObject({ seen: [{}] })
  await limit(null)
})
