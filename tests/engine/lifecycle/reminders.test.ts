import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { changeReferral } from '../../../app/domain/administration/change-business.server'
import { applyBulkChange } from '../../../app/domain/administration/changes/bulk-change.server'
import { undoBulkChange } from '../../../app/domain/administration/changes/undo-bulk-change.server'
import { makeCodesInput } from '../../../app/domain/administration/codes/code-schemas'
import { makeCodes } from '../../../app/domain/administration/codes/make-codes.server'
import { redeemCode } from '../../../app/domain/administration/codes/redeem-code.server'
import { ALL_SEEN } from '../../../app/domain/administration/ticks'
import { userFilterQuery } from '../../../app/domain/administration/users/list-schemas'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { resetUserCounters } from '../../../app/domain/administration/users/reset-user-counters.server'
import { restoreUser } from '../../../app/domain/administration/users/user-trash.server'
import { RIGHTS, type AdminCtx, type UserCtx } from '../../../app/domain/context'
import { turnOff } from '../../../app/domain/notifications/own-notifications.server'
import { DEFAULT_WISHES } from '../../../app/domain/notifications/reminders'
import type { ReminderWishes } from '../../../app/domain/notifications/types'
import {
  remindCustomers,
  saveReminderWishes,
} from '../../../app/domain/notifications/reminders.server'
import { saveWebhook } from '../../../app/domain/notifications/webhook.server'
import { hours, minutes } from '../../../app/lib/time'
import { startMailServer, startReceiver } from '../../support/alarm-receivers'
import { makeTrial } from '../../support/acts/account-acts'
import { bulk, generate } from '../../support/engine/actions'
import { useFreshEngine } from '../../support/engine/shared-engine'
import { test } from '../../support/slow'

// Reminders of a plan's end and of most of a day's videos, on a clock that the test moves. It begins at 8 o'clock.

const ZONE = 'Europe/Berlin'
const DAY = hours(24)
const NO_FILTERS = userFilterQuery.parse({})
const { engine, start } = useFreshEngine()
let receiver: Awaited<ReturnType<typeof startReceiver>>
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  receiver = await startReceiver()
  mail = await startMailServer()
})
afterAll(async () => {
  await receiver.stop()
  await mail.stop()
})
beforeEach(async () => {
  receiver.answer(204)
  receiver.received.length = 0
  mail.mails.length = 0
  await start({
    env: {
      PLATFORM_TIMEZONE: ZONE,
      USER_WEBHOOKS: 'on',
      USER_EMAIL: 'on',
      ALARM_SMTP_URL: mail.url,
      USER_WEBHOOK_HOSTS: receiver.host,
    },
  })
})

/** Makes a customer of some months, whose plan ends after a time, and whose program listens. */
async function customer(endsInMs: number, columns = {}): Promise<UserCtx> {
  const user = await silent(endsInMs, columns)
  await saveWebhook(user, { url: receiver.url })
  return user
}
async function silent(endsInMs: number, columns = {}): Promise<UserCtx> {
  const now = await engine.clock.now()
  const user = await engine.user({ plan: 'Business', ...columns })
  await engine.pool.query(
    'update users set created_at = $2, expiry_date = coalesce(expiry_date, $3) where id = $1',
    [user.actor.id, new Date(now - 90 * DAY), new Date(now + endsInMs)],
  )
  return user
}
const wish = (user: UserCtx, wishes: Partial<ReminderWishes>) =>
  saveReminderWishes(user, { ...DEFAULT_WISHES, ...wishes })

/** What the worker does each minute. */
async function minute(): Promise<void> {
  await remindCustomers(engine.deps)
  await engine.drain()
}
/** Lets time pass, with a sweep in each step. */
async function pass(ms: number, stepMs = hours(1)): Promise<void> {
  for (let gone = 0; gone < ms; gone += stepMs) {
    await engine.advance(stepMs)
    await minute()
  }
}
type Row = { title: string; state: string; channel: string; reminder: string }
const rowsOf = async ({ actor }: UserCtx): Promise<Row[]> => {
  const { rows } = await engine.pool.query<Row>(
    `select title, state, channel, reminder from notifications
     where user_id = $1 and reminder is not null order by at, id`,
    [actor.id],
  )
  return rows
}
const toldOf = async (user: UserCtx) =>
  (await rowsOf(user)).filter(({ state }) => state === 'sent').map(({ title }) => title)
const setEnd = async ({ actor }: UserCtx, end: Date) =>
  engine.pool.query('update users set expiry_date = $2 where id = $1', [actor.id, end])
const endOf = async ({ actor }: UserCtx) => {
  const { rows } = await engine.pool.query<{ at: Date }>(
    'select expiry_date as at from users where id = $1',
    [actor.id],
  )
  return rows[0]!.at
}

describe('the end of a plan', () => {
  test('U-NOTIFY-20: it is told in 3 days, tomorrow, and when it has ended, each once, with the way to pay', async () => {
    const user = await customer(4 * DAY + hours(6))
    await pass(10 * DAY)
    expect(await toldOf(user)).toEqual([
      'Your plan ends in 3 days',
      'Your plan ends tomorrow',
      'Your plan has ended',
    ])
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    const endsAt = (await endOf(user)).toISOString()
    expect(bodies).toMatchObject([
      { event: 'plan.ending', plan: 'Business', isTrial: false, endsAt },
      { event: 'plan.ending', endsAt },
      { event: 'plan.ended', endsAt },
    ])
    for (const { link } of bodies) expect(link).toMatch(/\/pricing$/)
    const ends = Date.parse(endsAt)
    const times = bodies.map(({ time }) => ends - Date.parse(String(time)))
    expect(times.map((left) => Math.ceil(left / DAY))).toEqual([3, 1, -1])
  })

  test('U-NOTIFY-20: a renewal a second before a message leaves stops it; its undo tells it again; a new end is a new series', async () => {
    const user = await customer(hours(20))
    const old = await endOf(user)
    await remindCustomers(engine.deps)
    const admin = await engine.admin()
    await editUser(admin, { id: user.actor.id, expireDays: 30, renewFromToday: true })
    await engine.drain()
    expect(await rowsOf(user)).toMatchObject([{ reminder: 'tomorrow', state: 'dropped' }])
    await pass(hours(3))
    expect(receiver.received).toEqual([])
    await setEnd(user, old)
    await minute()
    await pass(hours(3))
    expect(await toldOf(user)).toEqual(['Your plan ends tomorrow'])
    // Told of this end already: another renewal and its undo change nothing.
    await setEnd(user, new Date(old.getTime() + 30 * DAY))
    await minute()
    await setEnd(user, old)
    await pass(hours(2))
    expect(await toldOf(user)).toHaveLength(1)
    await setEnd(user, new Date((await engine.clock.now()) + 3 * DAY - hours(1)))
    await minute()
    expect(await toldOf(user)).toEqual(['Your plan ends tomorrow', 'Your plan ends in 3 days'])
  })

  const inBulk = async (admin: AdminCtx, user: UserCtx) => {
    const target = { scope: 'chosen' as const, picked: [user.actor.id], filters: NO_FILTERS }
    const order = { action: { kind: 'renew' as const, from: 'later' as const }, target, paid: null }
    const approval = { expected: 1, key: undefined, seller: { ticks: ALL_SEEN } }
    return applyBulkChange(admin, order, approval)
  }
  type Way = (admin: AdminCtx, user: UserCtx) => Promise<unknown>
  const WAYS: Record<string, Way> = {
    'a renewal of many': inBulk,
    'a prepaid code': async (admin, { actor: holder, ...user }) => {
      const input = { plan: 'Business', days: 30, count: 1, seenPrice: true, amount: '10' }
      const seller = { ...admin, actor: { ...admin.actor, rights: RIGHTS } }
      const { codes } = await makeCodes(seller, makeCodesInput.parse(input))
      const redeeming = { holder, address: '10.4.0.1', typed: codes[0] ?? '', seen: null }
      return redeemCode({ ...user, actor: holder }, redeeming)
    },
    'the reward of a referral (issue 53.3)': async (admin, { actor }) => {
      await changeReferral(admin, { unit: 'days', amount: 7, perMonth: 5 })
      const invited = await silent(hours(20))
      await engine.pool.query(
        `insert into referrals (invited_id, inviter_id, registered_at) values ($1, $2, engine_now())`,
        [invited.actor.id, actor.id],
      )
      const target = { scope: 'chosen' as const, picked: [invited.actor.id], filters: NO_FILTERS }
      const paid = {
        amount: null,
        currency: 'PKR',
        method: 'bank',
        reference: null,
        isRepeatSeen: false,
      } as const
      const action = { kind: 'renew', from: 'later' } as const
      const approval = { expected: 1, key: undefined, seller: { ticks: ALL_SEEN } }
      await applyBulkChange(admin, { action, target, paid }, approval)
    },
    'another end by an administrator': (admin, { actor }) =>
      editUser(admin, { id: actor.id, expireDays: 10 }),
  }

  test.each(Object.entries(WAYS))(
    'U-NOTIFY-20: %s before a message leaves stops it',
    async (_name, renew) => {
      const user = await customer(hours(20))
      await remindCustomers(engine.deps)
      const old = await endOf(user)
      await renew(await engine.admin(), user)
      expect((await endOf(user)).getTime()).toBeGreaterThan(old.getTime())
      await engine.drain()
      await minute()
      expect(await rowsOf(user)).toMatchObject([{ reminder: 'tomorrow', state: 'dropped' }])
      expect(receiver.received).toEqual([])
    },
  )

  test('U-NOTIFY-20: the undo of a renewal brings its reminder back, once', async () => {
    const user = await customer(hours(20))
    const admin = await engine.admin()
    const { changeId } = await inBulk(admin, user)
    await minute()
    expect(await rowsOf(user)).toEqual([])
    await undoBulkChange(admin, changeId, { ticks: ALL_SEEN })
    await minute()
    await inBulk(admin, user).then((again) =>
      undoBulkChange(admin, again.changeId, { ticks: ALL_SEEN }),
    )
    await minute()
    expect(await toldOf(user)).toEqual(['Your plan ends tomorrow'])
  })

  test('U-NOTIFY-20: after two days without a worker only what is still so is told', async () => {
    const [soon, over, long] = [
      await customer(3 * DAY + hours(2)),
      await customer(hours(12)),
      await customer(-2 * DAY),
    ]
    await engine.clock.move(2 * DAY + hours(12))
    await minute()
    expect(await toldOf(soon)).toEqual(['Your plan ends tomorrow'])
    expect(await toldOf(over)).toEqual(['Your plan has ended'])
    expect(await toldOf(long)).toEqual([])
    // What waited for its receiver meanwhile is not told late.
    receiver.answer(503)
    const late = await customer(hours(10))
    await minute()
    await engine.clock.move(hours(12))
    receiver.answer(204)
    await engine.drain()
    await minute()
    expect(await rowsOf(late)).toMatchObject([{ reminder: 'tomorrow', state: 'dropped' }])
  })

  test('U-NOTIFY-20: a receiver that is back on the day itself gets it in the words of that day', async () => {
    // Tried in the evening, and again after midnight.
    await engine.advance(hours(11))
    const user = await customer(hours(23))
    receiver.answer(503)
    await minute()
    await engine.advance(hours(2))
    receiver.answer(204)
    await pass(hours(4))
    expect(await rowsOf(user)).toMatchObject([
      { title: 'Your plan ends tomorrow', state: 'dropped' },
      { title: 'Your plan ends today', state: 'sent' },
    ])
  })

  test('U-NOTIFY-20: a trial is called so; one of three days is not told of them at its beginning', async () => {
    const user = await customer(3 * DAY - hours(1), { plan: 'Starter', video_limit: 3 })
    await engine.pool.query('update users set created_at = engine_now() where id = $1', [
      user.actor.id,
    ])
    await makeTrial({ engine }, user, '10.9.0.1')
    await pass(6 * DAY)
    expect(await toldOf(user)).toEqual(['Your trial ends tomorrow', 'Your trial has ended'])
  })
})

describe('who is told, and by what', () => {
  test('U-NOTIFY-21: staff, accounts without a plan, disabled and deleted ones, and whoever turned it off or has no channel: none', async () => {
    const near = hours(20)
    const [editor, boss, planless, off, deleted, unwilling, mute] = [
      await customer(near, { role: 'editor' }),
      await customer(near, { role: 'admin' }),
      await customer(near, { plan: null }),
      await customer(near),
      await customer(near),
      await customer(near),
      await silent(near),
    ]
    const admin = await engine.admin()
    await engine.pool.query('update users set is_active = false where id = $1', [off.actor.id])
    await deleteUser(admin, deleted.actor.id)
    await wish(unwilling, { planEnd: false })
    await minute()
    for (const user of [editor, boss, planless, off, deleted, unwilling, mute])
      expect(await rowsOf(user)).toEqual([])
    // What is so afterwards is told then.
    await engine.pool.query('update users set is_active = true where id = $1', [off.actor.id])
    await restoreUser(admin, deleted.actor.id)
    await saveWebhook(mute, { url: receiver.url })
    await wish(unwilling, { planEnd: true })
    await minute()
    for (const user of [off, mute, unwilling, deleted])
      expect(await toldOf(user)).toEqual(['Your plan ends tomorrow'])
  })

  test('U-NOTIFY-21: disabled, or turned off, between writing and sending: dropped', async () => {
    const [disabled, off, unwilling] = [
      await customer(hours(20)),
      await customer(hours(20)),
      await customer(hours(20)),
    ]
    await remindCustomers(engine.deps)
    const admin = await engine.admin()
    await editUser(admin, { id: disabled.actor.id, isActive: false })
    await turnOff(off, 'webhook')
    await wish(unwilling, { planEnd: false })
    await engine.drain()
    await minute()
    for (const user of [disabled, off, unwilling])
      expect(await rowsOf(user)).toMatchObject([{ state: 'dropped' }])
    expect(receiver.received).toEqual([])
  })

  test('U-NOTIFY-21: by each channel that is on then, once; one that is added later repeats nothing', async () => {
    const user = await customer(hours(20))
    const addMail = ({ actor }: UserCtx) =>
      engine.pool.query(`insert into notification_emails (user_id, address) values ($1, $2)`, [
        actor.id,
        'anna@home.example',
      ])
    const both = await customer(hours(20))
    await addMail(both)
    await minute()
    await addMail(user)
    await minute()
    expect((await rowsOf(user)).map(({ channel }) => channel)).toEqual(['webhook'])
    expect((await rowsOf(both)).map(({ channel }) => channel).sort()).toEqual(['email', 'webhook'])
    expect(mail.mails).toHaveLength(1)
    expect(mail.mails[0]).toContain('Your plan ends tomorrow')
  })

  test('U-NOTIFY-21: thousands whose plans end together follow each other, and two workers tell each once', async () => {
    const end = new Date((await engine.clock.now()) + hours(20))
    await engine.pool.query(
      `with made as (
         insert into users (id, username, plan, role, video_limit, speed_limit, video_generation_speed, expiry_date)
         select gen_random_uuid(), '0777' || n, 'Starter', 'user', 20, 1, 90, $1 from generate_series(1, 1200) as n
         returning id)
       insert into notification_emails (user_id, address) select id, id || '@home.example' from made`,
      [end],
    )
    const first = await remindCustomers(engine.deps)
    expect(first).toBe(500)
    const told = async () => {
      const { rows } = await engine.pool.query<{ all: number; users: number }>(
        `select count(*)::int as all, count(distinct user_id)::int as users from notifications`,
      )
      return rows[0]
    }
    await Promise.all([remindCustomers(engine.deps), remindCustomers(engine.deps)])
    await Promise.all([remindCustomers(engine.deps), remindCustomers(engine.deps)])
    expect(await remindCustomers(engine.deps)).toBe(0)
    expect(await told()).toEqual({ all: 1200, users: 1200 })
  })
})

describe('quiet hours', () => {
  test('U-NOTIFY-22: nothing is sent in them, and what is still so follows at their end', async () => {
    const user = await customer(3 * DAY + hours(16))
    await wish(user, { quietFrom: '22:00', quietUntil: '07:30' })
    await pass(DAY, minutes(15))
    const { rows } = await engine.pool.query<{ at: string }>(
      `select to_char(ended_at at time zone $2, 'HH24:MI') as at from notifications where user_id = $1`,
      [user.actor.id, ZONE],
    )
    expect(await toldOf(user)).toEqual(['Your plan ends in 3 days'])
    expect(rows.map(({ at }) => at >= '07:30' && at < '07:50')).toEqual([true])
  })

  test('U-NOTIFY-22: a message that was written before them waits, over a change of the clocks too', async () => {
    // 27 March 2027, 21:00 in Berlin; at 2:00 of the next day it is 3:00.
    await engine.clock.moveTo(Date.UTC(2027, 2, 27, 20))
    const user = await customer(3 * DAY)
    await wish(user, { quietFrom: '22:00', quietUntil: '02:30' })
    receiver.answer(503)
    await minute()
    await engine.advance(hours(1) + minutes(1))
    receiver.answer(204)
    receiver.received.length = 0
    await engine.advance(hours(3))
    expect([await toldOf(user), receiver.received.length]).toEqual([[], 0])
    await engine.advance(hours(2))
    expect(await toldOf(user)).toEqual(['Your plan ends in 3 days'])
  })
})

describe('most of a day’s videos', () => {
  test('U-NOTIFY-23: 80 % of them is told where it was asked for, once a day, and not below 5 a day', async () => {
    const [user, unasked, small, below] = [
      await customer(20 * DAY, { video_limit: 20 }),
      await customer(20 * DAY, { video_limit: 20 }),
      await customer(20 * DAY, { video_limit: 4 }),
      await customer(20 * DAY, { video_limit: 20 }),
    ]
    for (const one of [user, small, below]) await wish(one, { nearlyUsed: true })
    for (const [one, count] of [
      [user, 16],
      [unasked, 20],
      [small, 4],
      [below, 15],
    ] as const)
      await bulk(one, count)
    await minute()
    await generate(user)
    await pass(hours(3))
    for (const one of [unasked, small, below]) expect(await rowsOf(one)).toEqual([])
    expect(await toldOf(user)).toEqual(['80 % of today’s videos are used'])
    expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toContainEqual(
      expect.objectContaining({
        event: 'quota.nearly-used',
        usedPercent: 80,
        videosPerDay: 20,
      }),
    )
    await engine.advance(DAY)
    await bulk(user, 17)
    await pass(hours(1))
    expect(await toldOf(user)).toHaveLength(2)
  })

  test('issue 52: a reminder names the whole videos of the next day, not their units or today’s gift', async () => {
    const told = () => receiver.received.map(({ body }) => body).join()
    for (const [video_limit, clip_units] of [
      [20, 3],
      [7, 7],
    ] as const) {
      const user = await customer(20 * DAY, { video_limit, clip_units })
      await wish(user, { nearlyUsed: true })
      await bulk(user, Math.floor(video_limit / clip_units))
      await minute()
      expect(told()).toContain(`"videosPerDay":${Math.floor(video_limit / clip_units)},`)
    }
    await engine.settle()
  })

  test('U-NOTIFY-23: an administrator’s reset, the end of the plan or midnight before it leaves drops it', async () => {
    const asking = async () => {
      const user = await customer(20 * DAY, { video_limit: 20 })
      await wish(user, { nearlyUsed: true, planEnd: false })
      await bulk(user, 18)
      await minute()
      return user
    }
    receiver.answer(503)
    const [reset, ended] = [await asking(), await asking()]
    await resetUserCounters(await engine.admin(), reset.actor.id)
    await setEnd(ended, new Date((await engine.clock.now()) - 2 * DAY))
    receiver.answer(204)
    await engine.advance(minutes(5))
    receiver.answer(503)
    const late = await asking()
    await engine.clock.move(DAY)
    receiver.answer(204)
    await minute()
    for (const one of [reset, ended, late])
      expect(await rowsOf(one)).toMatchObject([{ reminder: 'nearly-used', state: 'dropped' }])
    await engine.settle()
  })

  test('U-NOTIFY-23: videos of a real order count', async () => {
    const user = await customer(20 * DAY, { video_limit: 5 })
    await wish(user, { nearlyUsed: true })
    for (let i = 0; i < 3; i++) await generate(user)
    await minute()
    expect(await rowsOf(user)).toEqual([])
    await generate(user)
    await minute()
    expect(await toldOf(user)).toEqual(['80 % of today’s videos are used'])
    await engine.settle()
  })
})
