import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import type { UserCtx } from '../../../app/domain/context'
import {
  addDevice,
  listDevices,
  removeDevice,
} from '../../../app/domain/notifications/devices.server'
import { turnOff } from '../../../app/domain/notifications/own-notifications.server'
import { getPushKeys } from '../../../app/domain/notifications/push-keys.server'
import { removeOld } from '../../../app/domain/retention/remove-old.server'
import { createVault } from '../../../app/platform/secrets/vault.server'
import { bulk, endUnheard } from '../../support/engine/actions'
import { useFreshEngine } from '../../support/engine/shared-engine'
import {
  readSender,
  startPushService,
  type Browser,
  type PushService,
} from '../../support/push-service'
import { slowTest, test } from '../../support/slow'

// Web Push at the end of a batch, on a clock that the test moves, to a push service on this machine whose
// browsers decrypt what they get.

const { engine, start } = useFreshEngine()
let service: PushService
beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.received.length = 0
  await start({
    scenario: { defaults: { generationMs: [1_000, 1_000] } },
    env: { WEB_PUSH: 'on', WEB_PUSH_HOSTS: service.host },
  })
})

const rich = () => engine.user({ plan: 'Enterprise', video_limit: 100, speed_limit: 50 })

/** Signs a user in with a browser that asks to be told. Returns the browser and its session. */
async function tell(user: UserCtx, browser = service.newBrowser()) {
  const sessionId = randomUUID()
  await engine.pool.query(
    `insert into sessions (id_hash, id, user_id, created_at, last_seen_at, expires_at)
     values (decode(md5($1::uuid::text), 'hex'), $1, $2, engine_now(), engine_now(), engine_now() + interval '30 days')`,
    [sessionId, user.actor.id],
  )
  await addDevice(user, { ...browser.subscription, sessionId, userAgent: null })
  return { browser, sessionId }
}
const counts = (...browsers: Browser[]) => browsers.map((browser) => browser.mine().length)
const rowsOf = async ({ actor }: UserCtx) => {
  const { rows } = await engine.pool.query<{ id: string; state: string; tries: number }>(
    `select id, state, tries from notifications where user_id = $1 order by at, id`,
    [actor.id],
  )
  return rows
}
const devicesOf = async (user: UserCtx) => {
  const { rows } = await engine.pool.query<{ endpoint: string }>(
    'select endpoint from push_subscriptions where user_id = $1 order by created_at, id',
    [user.actor.id],
  )
  return rows.map(({ endpoint }) => endpoint)
}

describe('what a browser gets', () => {
  test('U-NOTIFY-12: one message for a batch, encrypted for each browser and signed by the installation', async () => {
    const user = await rich()
    const [{ browser: phone }, { browser: laptop }] = [await tell(user), await tell(user)]
    const { batchId } = await bulk(user, 3)
    await engine.settle()
    const [row] = await rowsOf(user)
    expect(row).toMatchObject({ state: 'sent', tries: 1 })
    for (const browser of [phone, laptop]) {
      expect(browser.shown()).toEqual([
        {
          title: expect.stringMatching(/^“Batch of .*” is done$/) as string,
          body: '3 ready',
          url: `/batches/${batchId}`,
          download: `/api/videos/archive?inOrder=${batchId}&from=/batches/${batchId}`,
          tag: row?.id,
        },
      ])
      const [{ headers, body }] = browser.mine() as [(typeof service.received)[0]]
      expect(headers).toMatchObject({
        'content-encoding': 'aes128gcm',
        ttl: '86400',
        topic: row?.id.replaceAll('-', ''),
      })
      expect(body.toString('latin1')).not.toContain(batchId)
      const { key, claims } = readSender(browser.mine()[0]!)
      expect(key).toBe((await getPushKeys(engine.deps)).publicKey)
      expect(claims.aud).toBe(`http://${service.host}`)
      expect(claims.sub).toMatch(/^mailto:.+@/)
    }
  })

  test('U-NOTIFY-12: the keys are made once, whoever asks at the same time, are encrypted, and are the same later', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => getPushKeys(engine.deps)))
    expect(new Set(all.map(({ privateKey }) => privateKey)).size).toBe(1)
    const { rows } = await engine.pool.query<{ row: string }>(
      'select push_keys::text as row from push_keys',
    )
    expect(rows).toHaveLength(1)
    const [keys] = all
    const hex = Buffer.from(keys!.privateKey).toString('hex')
    expect(rows[0]?.row).not.toMatch(new RegExp(`${keys!.privateKey}|${hex}`))
    await engine.restart()
    expect(await getPushKeys(engine.deps)).toEqual(keys)
    const foreign = { ...engine.deps, vault: createVault(['another key of 32 characters or more']) }
    await expect(getPushKeys(foreign)).rejects.toThrow('no key opens this secret')
  })

  test('U-NOTIFY-13: one browser that fails keeps no other waiting, and a further try leaves out those that were told', async () => {
    const user = await rich()
    const [{ browser: good }, { browser: bad }] = [await tell(user), await tell(user)]
    bad.answer(503)
    await bulk(user, 1)
    await engine.advance(20_000)
    expect(counts(good, bad)).toEqual([1, 1])
    expect(await rowsOf(user)).toMatchObject([{ state: 'waiting', tries: 1 }])
    bad.answer(201)
    await engine.settle()
    expect(counts(good, bad)).toEqual([1, 2])
    expect(await rowsOf(user)).toMatchObject([{ state: 'sent', tries: 2 }])
    expect(new Set(bad.shown().map(({ tag }) => tag)).size).toBe(1)
  })

  test.each([404, 410])(
    'U-NOTIFY-13: %i of the push service removes the browser',
    async (status) => {
      const user = await rich()
      const [{ browser: kept }, { browser: gone }] = [await tell(user), await tell(user)]
      gone.answer(status)
      await bulk(user, 1)
      await engine.settle()
      expect(await devicesOf(user)).toEqual([kept.subscription.endpoint])
      expect(await rowsOf(user)).toMatchObject([{ state: 'sent' }])
      kept.answer(status)
      await bulk(user, 1)
      await engine.settle()
      await bulk(user, 1)
      await engine.settle()
      expect(await devicesOf(user)).toEqual([])
      expect((await rowsOf(user)).map(({ state }) => state)).toEqual(['sent', 'failed'])
      expect(counts(kept, gone)).toEqual([2, 1])
    },
  )

  slowTest(
    'U-NOTIFY-14: the worker is killed at any statement between the event and the delivery: one row, and the same tag again',
    async () => {
      let wasKilled = true
      let mostCalls = 0
      for (let statements = 1; wasKilled; statements++) {
        const user = await rich()
        const { browser } = await tell(user)
        await endUnheard(engine, user)
        const { killSwitch } = engine.worker()
        killSwitch.killAfter(statements)
        await engine.drain()
        wasKilled = killSwitch.isDead()
        if (wasKilled) await engine.restart()
        else killSwitch.killAfter(Infinity)
        await engine.settle()
        const rows = await rowsOf(user)
        expect(rows).toMatchObject([{ state: 'sent' }])
        expect(new Set(browser.shown().map(({ tag }) => tag))).toEqual(new Set([rows[0]?.id]))
        mostCalls = Math.max(mostCalls, browser.mine().length)
      }
      // It was also killed between the call and its record.
      expect(mostCalls).toBe(2)
    },
  )
})

describe('which browsers are told', () => {
  test('U-NOTIFY-15: one whose session has ended is not; it is forgotten at night', async () => {
    const user = await rich()
    const [out, expired, stays] = [await tell(user), await tell(user), await tell(user)]
    await engine.pool.query('delete from sessions where id = $1', [out.sessionId])
    await engine.pool.query('update sessions set expires_at = engine_now() where id = $1', [
      expired.sessionId,
    ])
    await bulk(user, 1)
    await engine.settle()
    expect(counts(out.browser, expired.browser, stays.browser)).toEqual([0, 0, 1])
    const listed = await listDevices(engine.deps.db, user.actor.id, stays.sessionId)
    expect(listed).toMatchObject([{ isThis: true, told: expect.any(String) as string }])
    await removeOld(engine.deps)
    expect(await devicesOf(user)).toEqual([stays.browser.subscription.endpoint])
  })

  test('U-NOTIFY-15: another account in the same browser replaces the one before', async () => {
    const [anna, bert] = [await rich(), await rich()]
    const { browser } = await tell(anna)
    await tell(bert, browser)
    expect([await devicesOf(anna), await devicesOf(bert)]).toEqual([
      [],
      [browser.subscription.endpoint],
    ])
    await bulk(anna, 1)
    await engine.settle()
    expect([await rowsOf(anna), counts(browser)]).toEqual([[], [0]])
  })

  test('U-NOTIFY-15: at most ten, also if they ask at the same time; a session has one', async () => {
    const user = await rich()
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => tell(user)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await devicesOf(user)).toHaveLength(10)
    await turnOff(user, 'push')
    const { sessionId } = await tell(user)
    const { subscription } = service.newBrowser()
    await addDevice(user, { ...subscription, sessionId, userAgent: null })
    expect(await devicesOf(user)).toEqual([subscription.endpoint])
  })

  test('U-NOTIFY-15: none of a disabled or deleted account, of a removed browser, or after it was turned off', async () => {
    const users = [await rich(), await rich(), await rich(), await rich()]
    const [disabled, deleted, removed, off] = users as [UserCtx, UserCtx, UserCtx, UserCtx]
    const told = []
    for (const user of users) {
      const { browser } = await tell(user)
      browser.answer(503)
      told.push(browser)
      await bulk(user, 1)
    }
    await engine.advance(20_000)
    const before = counts(...told)
    expect(before).toEqual([1, 1, 1, 1])
    for (const browser of told) browser.answer(201)
    await engine.pool.query('update users set is_active = false where id = $1', [disabled.actor.id])
    await deleteUser(await engine.admin(), deleted.actor.id)
    const [device] = await listDevices(engine.deps.db, removed.actor.id, randomUUID())
    await removeDevice(removed, device?.id ?? '')
    await turnOff(off, 'push')
    await engine.settle()
    expect(counts(...told)).toEqual(before)
    for (const user of users) expect(await rowsOf(user)).toMatchObject([{ state: 'dropped' }])
  })
})
