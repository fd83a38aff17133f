import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { regenerateSelected } from '../../../app/domain/batches/regenerate-as-admin.server'
import type { UserCtx } from '../../../app/domain/context'
import {
  sendNotification,
  sweepNotifications,
} from '../../../app/domain/notifications/send-notification.server'
import { noteClipForUser } from '../../../app/domain/notifications/note-clip.server'
import { noteEndForUser } from '../../../app/domain/notifications/note-end.server'
import { turnOff } from '../../../app/domain/notifications/own-notifications.server'
import { saveWebhook } from '../../../app/domain/notifications/webhook.server'
import { removeOld } from '../../../app/domain/retention/remove-old.server'
import { deleteVideo } from '../../../app/domain/videos/requests/delete-videos.server'
import { hours } from '../../../app/lib/time'
import { startMailServer, startReceiver } from '../../support/alarm-receivers'
import { bulk, endUnheard, generate, videosOf } from '../../support/engine/actions'
import { playRefusing } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'
import { slowTest, test } from '../../support/slow'

// Messages to users at the end of a batch, on a clock that the test moves, to receivers on this machine.

const { engine, start } = useFreshEngine()
let receiver: Awaited<ReturnType<typeof startReceiver>>
let slow: Awaited<ReturnType<typeof startReceiver>>
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
  slow = await startReceiver()
  receiver.answer(204)
  receiver.received.length = 0
  mail.mails.length = 0
  await start({
    scenario: { defaults: { generationMs: [1_000, 1_000] } },
    env: {
      USER_WEBHOOKS: 'on',
      USER_EMAIL: 'on',
      ALARM_SMTP_URL: mail.url,
      USER_WEBHOOK_HOSTS: `${receiver.host},${slow.host}`,
    },
  })
})
afterEach(() => slow.stop())

type Row = {
  id: string
  batch: string
  channel: string
  state: string
  tries: number
  answer: number | null
}
const rowsOf = async ({ actor }: UserCtx): Promise<Row[]> => {
  const { rows } = await engine.pool.query<Row>(
    `select id, batch_id as batch, channel, state, tries, answer from notifications
     where user_id = $1 order by at, id`,
    [actor.id],
  )
  return rows
}
const statesOf = async (user: UserCtx) => (await rowsOf(user)).map(({ state }) => state)
const idsReceived = () => receiver.received.map(({ headers }) => headers['webhook-id'])
const bodyOf = ({ body }: { body: string }) => JSON.parse(body) as Record<string, unknown>

/** Makes a user whose program listens. */
async function listening(url = receiver.url): Promise<UserCtx> {
  const user = await engine.user({ plan: 'Enterprise', video_limit: 100, speed_limit: 50 })
  await saveWebhook(user, { url })
  return user
}
const batchOf = async (user: UserCtx, count = 2) => (await bulk(user, count)).batchId

const loseJobs = () =>
  engine.pool.query(`delete from graphile_worker._private_jobs where key like 'notification %'`)

describe('which ends are told', () => {
  test('U-NOTIFY-7: a batch, once; a batch cancelled after something was made, with its counts', async () => {
    const user = await listening()
    const batchId = await batchOf(user, 3)
    await engine.settle()
    expect(await rowsOf(user)).toMatchObject([
      { batch: batchId, state: 'sent', tries: 1, answer: 204 },
    ])
    await engine.deps.db.transaction((tx) => noteEndForUser(tx, batchId, engine.deps))
    await engine.settle()
    expect(idsReceived()).toHaveLength(1)

    const slower = await engine.user()
    await saveWebhook(slower, { url: receiver.url })
    const cancelled = await batchOf(slower, 3)
    await engine.advance(30_000)
    await cancelBatch(slower, cancelled)
    await engine.settle()
    expect(bodyOf(receiver.received[1]!)).toMatchObject({
      batchId: cancelled,
      status: 'cancelled',
      counts: { ready: 1, failed: 0, inProgress: 0 },
      unitsCharged: 1,
    })
  })

  test('U-NOTIFY-7: not a batch of which nothing was made, nor a regeneration, nor a single video', async () => {
    const user = await listening()
    const cancelled = await batchOf(user, 3)
    await cancelBatch(user, cancelled)
    await engine.settle()
    await batchOf(user, 2)
    for (const { id } of await videosOf(engine, user)) await deleteVideo(user, id)
    await engine.settle()
    await generate(user)
    await engine.settle()
    const admin = await engine.admin()
    await saveWebhook(admin, { url: receiver.url })
    const ids = (await videosOf(engine, user)).map(({ id }) => id)
    await regenerateSelected(admin, ids, user.actor.id)
    await engine.settle()
    expect([await rowsOf(user), await rowsOf(admin), idsReceived()]).toEqual([[], [], []])
  })

  test('U-NOTIFY-7: a batch of which every video failed', async () => {
    playRefusing(engine)
    const user = await listening()
    await batchOf(user, 2)
    await engine.settle()
    expect(receiver.received.map(bodyOf)).toMatchObject([
      { status: 'completed', counts: { ready: 0, failed: 2 }, unitsCharged: 0, download: null },
    ])
  })

  test('U-NOTIFY-7: both channels, each once; nothing for whoever has none', async () => {
    const [user, other] = [await listening(), await engine.user()]
    await engine.pool.query(`insert into notification_emails (user_id, address) values ($1, $2)`, [
      user.actor.id,
      'anna@home.example',
    ])
    await engine.pool.query(
      `insert into notification_emails (user_id, asked_address) values ($1, $2)`,
      [other.actor.id, 'unconfirmed@home.example'],
    )
    await batchOf(user)
    await batchOf(other)
    await engine.settle()
    expect((await rowsOf(user)).map(({ channel }) => channel).sort()).toEqual(['email', 'webhook'])
    expect(await rowsOf(other)).toEqual([])
    expect(mail.mails).toHaveLength(1)
    expect(mail.mails[0]).toContain('To: anna@home.example')
    expect(mail.mails[0]).toMatch(/Message-ID: <[0-9a-f-]{36}@/)
  })
})

describe('U-POST-2: each clip', () => {
  const each = async (user: UserCtx) => saveWebhook(user, { url: receiver.url, eachClip: true })
  const clips = () => receiver.received.map(bodyOf).filter(({ event }) => event === 'clip.ready')

  test('U-POST-2: a clip is told with what a scheduler posts, once, and its batch as before', async () => {
    const user = await engine.user({ plan: 'Enterprise' })
    await each(user)
    await generate(user, 'A red boat #sea')
    await engine.settle()
    const [video] = await videosOf(engine, user)
    expect(clips()).toEqual([
      {
        event: 'clip.ready',
        id: receiver.received[0]?.headers['webhook-id'],
        time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        videoId: video?.id,
        batchId: null,
        file: '0001_a-red-boat-sea.mp4',
        title: 'A red boat #sea',
        text: 'A red boat #sea',
        tags: ['#sea'],
        url: expect.stringMatching(`^http.*/api/videos/${video?.id}/download$`) as string,
        link: expect.stringMatching(`^http.*/videos/${video?.id}$`) as string,
      },
    ])
    const batchId = await batchOf(user, 3)
    await engine.settle()
    expect(
      clips()
        .map(({ file }) => String(file).slice(0, 4))
        .sort(),
    ).toEqual(['0001', ...['0002', '0003', '0004']])
    // Messages of one moment go out together, in any order.
    const ended = receiver.received.map(bodyOf).filter(({ event }) => event === 'batch.ended')
    expect(ended).toMatchObject([{ batchId }])
  })

  test('U-POST-2: none for a clip that was deleted, a disabled account, a webhook that does not ask, or is off or gone', async () => {
    const user = await engine.user({ plan: 'Enterprise' })
    const told = async () => {
      await generate(user)
      await engine.settle()
      return clips().length
    }
    await saveWebhook(user, { url: receiver.url })
    expect(await told()).toBe(0)
    const { rows: events } = await engine.pool.query('select kind from events')
    expect(events).toEqual([])
    await each(user)
    const hear = (videoId: string) =>
      engine.deps.db.transaction((tx) => noteClipForUser(tx, videoId, engine.deps))
    const [video] = await videosOf(engine, user)
    await deleteVideo(user, video!.id)
    await hear(video!.id)
    expect(await rowsOf(user)).toEqual([])
    expect(await told()).toBe(1)
    const kept = (await videosOf(engine, user)).find(({ id }) => id !== video!.id)!
    await engine.pool.query('update users set is_active = false where id = $1', [user.actor.id])
    await hear(kept.id)
    await engine.pool.query('update users set is_active = true where id = $1', [user.actor.id])
    await turnOff(user, 'webhook')
    await hear(kept.id)
    await each(user)
    await engine.pool.query('update notification_webhooks set stopped_at = now()')
    expect(await told()).toBe(1)
    expect(await rowsOf(user)).toHaveLength(1)
  })

  slowTest(
    'U-POST-2: the worker is killed at any statement after a delivery: one call',
    async () => {
      let wasKilled = true
      for (let statements = 1; wasKilled; statements += 3) {
        const user = await engine.user({ plan: 'Enterprise' })
        await each(user)
        receiver.received.length = 0
        await generate(user)
        await engine.advance(500)
        const { killSwitch } = engine.worker()
        killSwitch.killAfter(statements)
        await engine.settle()
        wasKilled = killSwitch.isDead()
        if (wasKilled) await engine.restart()
        else killSwitch.killAfter(Infinity)
        await engine.settle()
        expect(await rowsOf(user)).toMatchObject([{ state: 'sent' }])
        expect(new Set(idsReceived()).size).toBe(1)
      }
    },
  )
})

describe('how they are sent', () => {
  slowTest(
    'U-NOTIFY-5: the worker is killed at any statement between the event and the delivery: one row, and the same Webhook-Id again',
    async () => {
      let wasKilled = true
      let mostCalls = 0
      for (let statements = 1; wasKilled; statements++) {
        const user = await listening()
        receiver.received.length = 0
        const batchId = await endUnheard(engine, user)
        const { killSwitch } = engine.worker()
        killSwitch.killAfter(statements)
        await engine.drain()
        wasKilled = killSwitch.isDead()
        if (wasKilled) await engine.restart()
        else killSwitch.killAfter(Infinity)
        await engine.settle()
        const rows = await rowsOf(user)
        expect(rows).toMatchObject([{ batch: batchId, state: 'sent' }])
        expect(new Set(idsReceived())).toEqual(new Set([rows[0]?.id]))
        mostCalls = Math.max(mostCalls, idsReceived().length)
      }
      // It was also killed between the call and its record.
      expect(mostCalls).toBe(2)
    },
  )

  test('U-NOTIFY-8: a receiver that fails gets eight tries with one id within about a day, then it is given up', async () => {
    const user = await listening()
    receiver.answer(500)
    await batchOf(user)
    const begin = await engine.clock.now()
    await engine.settle()
    await engine.settle()
    const took = (await engine.clock.now()) - begin
    expect(await rowsOf(user)).toMatchObject([{ state: 'failed', tries: 8, answer: 500 }])
    expect(idsReceived()).toHaveLength(8)
    expect(new Set(idsReceived()).size).toBe(1)
    expect(took).toBeGreaterThan(hours(23))
    expect(took).toBeLessThan(hours(26))
  })

  test('U-NOTIFY-8: a receiver that works again gets what waited', async () => {
    const user = await listening()
    receiver.answer(503)
    await batchOf(user)
    await engine.advance(60_000)
    await batchOf(user)
    await engine.advance(60_000)
    expect(await statesOf(user)).toEqual(['waiting', 'waiting'])
    receiver.answer(200)
    await engine.settle()
    expect(await statesOf(user)).toEqual(['sent', 'sent'])
  })

  test('U-NOTIFY-8: 410 turns the webhook off and drops what waits; saving the address turns it on', async () => {
    const user = await listening()
    receiver.answer(503)
    await batchOf(user)
    await engine.advance(20_000)
    receiver.answer(410)
    await batchOf(user)
    await engine.settle()
    expect((await statesOf(user)).sort()).toEqual(['dropped', 'failed'])
    receiver.answer(204)
    receiver.received.length = 0
    await batchOf(user)
    await engine.settle()
    expect(idsReceived()).toEqual([])
    expect(await rowsOf(user)).toHaveLength(2)
    expect(await saveWebhook(user, { url: receiver.url })).toBeNull()
    await batchOf(user)
    await engine.settle()
    expect(idsReceived()).toHaveLength(1)
  })

  test('U-NOTIFY-8: a 410 of an address that has been replaced does not turn the new one off', async () => {
    const user = await listening(slow.url)
    slow.answer(410)
    const release = slow.hold()
    await endUnheard(engine, user)
    const drained = engine.drain()
    while (slow.received.length === 0) await new Promise(setImmediate)
    await saveWebhook(user, { url: receiver.url })
    release()
    await drained
    await batchOf(user)
    await engine.settle()
    expect((await statesOf(user)).sort()).toEqual(['failed', 'sent'])
    expect(idsReceived()).toHaveLength(1)
  })

  test('U-NOTIFY-9: one user has one call under way, and a receiver that never answers keeps no other user waiting', async () => {
    const [stuck, other] = [await listening(slow.url), await listening()]
    slow.answer(0)
    const of = ({ actor }: UserCtx) => ({ userId: actor.id, channel: 'webhook' }) as const
    for (const user of [stuck, stuck, other]) {
      const batchId = await endUnheard(engine, user)
      await engine.deps.db.transaction((tx) => noteEndForUser(tx, batchId, engine.deps))
      await engine.pool.query('delete from events')
      await loseJobs()
    }
    const waiting = sendNotification(engine.deps, of(stuck))
    while (slow.received.length === 0) await new Promise(setImmediate)
    await Promise.all([
      sendNotification(engine.deps, of(stuck)),
      sendNotification(engine.deps, of(other)),
    ])
    expect([slow.received.length, idsReceived().length]).toEqual([1, 1])
    expect(await statesOf(other)).toEqual(['sent'])
    await turnOff(stuck, 'webhook')
    slow.answer(204)
    await slow.stop()
    await waiting
    slow = await startReceiver()
    await engine.settle()
    expect(await statesOf(stuck)).toEqual(['dropped', 'dropped'])
  })

  test('U-NOTIFY-9: a message whose job is lost is sent after the next sweep', async () => {
    const user = await listening()
    const batchId = await endUnheard(engine, user)
    await engine.deps.db.transaction((tx) => noteEndForUser(tx, batchId, engine.deps))
    await loseJobs()
    await engine.clock.move(60_000)
    expect(await sweepNotifications(engine.deps)).toBe(1)
    await engine.settle()
    expect(await statesOf(user)).toEqual(['sent'])
    expect(await sweepNotifications(engine.deps)).toBe(0)
  })
})

describe('who gets none', () => {
  test('U-NOTIFY-10: a disabled or deleted account: what waits is dropped, and nothing is written', async () => {
    const [disabled, deleted] = [await listening(), await listening()]
    receiver.answer(500)
    await batchOf(disabled)
    await batchOf(deleted)
    await engine.advance(20_000)
    const tried = idsReceived().length
    await engine.pool.query('update users set is_active = false where id = $1', [disabled.actor.id])
    await deleteUser(await engine.admin(), deleted.actor.id)
    receiver.answer(204)
    await engine.settle()
    expect([await statesOf(disabled), await statesOf(deleted)]).toEqual([['dropped'], ['dropped']])
    expect(idsReceived()).toHaveLength(tried)
    const { rows } = await engine.pool.query<{ id: string }>('select id from batches')
    await engine.pool.query('delete from notifications')
    for (const { id } of rows)
      await engine.deps.db.transaction((tx) => noteEndForUser(tx, id, engine.deps))
    expect([await rowsOf(disabled), await rowsOf(deleted)]).toEqual([[], []])
  })

  test('U-NOTIFY-10: messages are removed after 30 days', async () => {
    const user = await listening()
    await batchOf(user)
    await engine.settle()
    await engine.clock.move(hours(24) * 29)
    await removeOld(engine.deps)
    expect(await rowsOf(user)).toHaveLength(1)
    await engine.clock.move(hours(24) * 2)
    await removeOld(engine.deps)
    expect(await rowsOf(user)).toEqual([])
  })
})
