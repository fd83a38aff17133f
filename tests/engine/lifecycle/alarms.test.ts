import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { changeAlarms } from '../../../app/domain/administration/change-business.server'
import { watchAlarms } from '../../../app/domain/alarms/watch.server'
import { DEFAULT_ALARMS, type AlarmSettings } from '../../../app/domain/business/types'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import { startReceiver } from '../../support/alarm-receivers'
import { generate } from '../../support/engine/actions'
import { findingAbout, playCalm, playRefusing } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'
import { slowTest, test } from '../../support/slow'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SECRET = 'a secret of the receiver'
const { engine, start } = useFreshEngine()
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())
beforeEach(async () => {
  receiver.received.length = 0
  receiver.answer(204)
  await start({
    env: { ALARM_WEBHOOK_SECRET: SECRET, ALARM_WEBHOOK_HOSTS: receiver.host },
    can: { needsCredential: true },
  })
})

const save = async (more: Partial<AlarmSettings> = {}) =>
  changeAlarms(await engine.admin(), {
    ...DEFAULT_ALARMS,
    targets: { webhook: receiver.url, telegram: null, email: null },
    names: ['key-lost'],
    ...more,
  })

/** What a worker does every minute, for some minutes. */
async function pass(minutes: number) {
  for (let i = 0; i < minutes; i++) {
    await watchAlarms(engine.deps)
    await engine.drain()
    await engine.clock.move(60_000)
  }
}

const addKey = async (label: string) =>
  (
    await addPoolToken(await engine.admin(), `key_${label.replaceAll(' ', '_')}_0123456789`, {
      label,
    })
  ).id
const die = (id: string) =>
  engine.pool.query(`update credentials set state = 'dead', death = 'refused' where id = $1`, [id])
const statesOf = async () => {
  const { rows } = await engine.pool.query<{ state: string }>('select state from notifications')
  return rows.map(({ state }) => state)
}
const finding = () => findingAbout(engine, 'Alarms')

test('a dead key is told with its label, signed; the same again within an hour is not', async () => {
  await save()
  const key = await addKey('Shop key of 03001234567')
  await die(key)
  await engine.drain()
  await engine.advance(5_000)
  expect(receiver.texts()).toEqual([
    expect.stringMatching(
      /^A token stopped working\nShop key of …4567 …\w+: the provider refuses it\.$/,
    ),
  ])
  const { headers, body } = receiver.received[0]!
  const [id, time] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
  const signature = createHmac('sha256', SECRET).update(`${id}.${time}.${body}`).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
  expect(JSON.parse(body)).toMatchObject({ id, name: 'key-lost', state: 'notice' })
  await engine.pool.query(`update credentials set state = 'ok'`)
  await die(key)
  await engine.advance(5_000)
  expect(receiver.received).toHaveLength(1)
})

test('O13: a key without credits is told once with its customers, and stays so until an order is accepted', async () => {
  await save({ names: ['key-lost'] })
  const id = await addKey('Ali 5')
  const user = await engine.user()
  await engine.pool.query('update users set credential_id = $1 where id = $2', [id, user.actor.id])
  engine.fake.play({ rules: [{ when: { op: 'submit' }, do: { status: 402 } }] })
  await generate(user)
  await engine.advance(5_000)
  expect(receiver.texts()).toEqual([
    expect.stringMatching(/^Out of credits\nAli 5 …\w+, 1 customer\.$/),
  ])
  const pool = async () => (await findingAbout(engine, 'Token pool'))?.text
  expect(await pool()).toContain('0 of 1 token OK, 0 paused, 1 without credits, 0 dead.')
  // Its pause is over, and nobody has ordered with it.
  await engine.pool.query(`update provider_gates set closed_until = engine_now()`)
  expect(await pool()).toContain('1 without credits')
  playCalm(engine)
  await engine.settle()
  expect(await pool()).toContain('1 of 1 token OK')
  expect(receiver.texts()).toHaveLength(1)
})

test('many keys that die at once are one message', async () => {
  await save()
  const ids = []
  for (let i = 0; i < 12; i++) ids.push(await addKey(`Key number ${i}`))
  for (const id of ids) await die(id)
  await engine.advance(5_000)
  expect(receiver.texts()).toHaveLength(1)
  expect(receiver.texts()[0]).toMatch(
    /^A token stopped working\n(Key number \d+ .*\n){10}and 2 more$/,
  )
})

test('a receiver that refuses is a finding; the message arrives once it takes it, with the same id', async () => {
  await save()
  receiver.answer(500)
  await die(await addKey('Shop key'))
  await engine.advance(5_000)
  expect(receiver.received).toHaveLength(1)
  const refused = await finding()
  expect(refused?.level).toBe('bad')
  expect(refused?.text).toContain('1 message of the last day not delivered')
  receiver.answer(204)
  await pass(2)
  expect(receiver.received).toHaveLength(2)
  const ids = receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)
  expect(new Set(ids).size).toBe(1)
  expect(await finding()).toMatchObject({ level: 'ok' })
  await pass(5)
  expect(receiver.received).toHaveLength(2)
})

test('a receiver that is gone, or fails for a day: tried each ten minutes, given up after a day', async () => {
  await save()
  receiver.answer(410)
  await die(await addKey('Shop key'))
  await pass(15)
  expect(receiver.received.length).toBeGreaterThan(2)
  expect((await finding())?.text).toContain('webhook: It answered 410')
  const tries = receiver.received.length
  await engine.clock.move(DAY)
  receiver.answer(204)
  await pass(2)
  expect(receiver.received).toHaveLength(tries)
  expect(await statesOf()).toEqual(['failed'])
})

test('a channel that is turned off: what waits is dropped', async () => {
  await save()
  receiver.answer(500)
  await die(await addKey('Shop key'))
  await engine.advance(5_000)
  await save({ targets: DEFAULT_ALARMS.targets })
  receiver.answer(204)
  await engine.settle()
  expect([receiver.received.length, await statesOf()]).toEqual([1, ['dropped']])
})

slowTest('the worker is killed at any statement: every death is told', async () => {
  await save()
  let wasKilled = true
  for (let statements = 1; wasKilled; statements += 3) {
    await die(await addKey(`Key ${statements}`))
    const { killSwitch } = engine.worker()
    killSwitch.killAfter(statements)
    await engine.advance(5_000)
    wasKilled = killSwitch.isDead()
    if (wasKilled) await engine.restart()
    else killSwitch.killAfter(Infinity)
    await pass(4)
    expect(receiver.texts().join('\n')).toContain(`Key ${statements} …`)
  }
})

test('a closed line is told after five minutes, also in quiet hours, without what the provider said', async () => {
  await save({ names: ['line', 'keys'], quietFrom: '00:00', quietUntil: '23:59' })
  await engine.pool.query(
    `insert into provider_gates (scope, reason, closed_until, probe_ms, seen)
     values ('service fake', 'outage', now() + interval '1 day', 60000, 'a prompt about a kite')`,
  )
  await pass(4)
  expect(receiver.received).toEqual([])
  await pass(2)
  expect(receiver.texts()).toEqual([expect.stringContaining('No new videos are ordered\n')])
  expect(receiver.received[0]?.body).not.toContain('kite')
  await pass(60)
  expect(receiver.texts()[1]).toContain('Still, for 65 min: No new videos are ordered')
  await engine.pool.query('delete from provider_gates')
  await pass(2)
  expect(receiver.texts()[2]).toMatch(/^Solved after 6\d min: No new videos are ordered$/)
  expect(receiver.received).toHaveLength(3)
})

test('no key is left: told like a closed line, also in quiet hours', async () => {
  await save({ names: ['line'], quietFrom: '00:00', quietUntil: '23:59' })
  const ids = [await addKey('Shop key'), await addKey('Other key')]
  for (const id of ids) await die(id)
  await pass(7)
  expect(receiver.texts()).toEqual([
    expect.stringMatching(
      /^No new videos are ordered\n0 of 2 tokens OK, 0 paused, 0 without credits, 2 dead/,
    ),
  ])
  await addKey('New key')
  await pass(2)
  expect(receiver.texts()[1]).toMatch(/^Solved after \d+ min: No new videos are ordered$/)
})

test('few keys, and many failures in ten minutes', async () => {
  await save({ names: ['keys', 'failures'], fewKeys: 2, failures: 3 })
  const id = await addKey('Shop key')
  await addKey('Other key')
  await pass(2)
  expect(receiver.received).toEqual([])
  await die(id)
  await pass(1)
  expect(receiver.texts()).toEqual([expect.stringContaining('Few tokens are left\n1 of 2')])
  playRefusing(engine)
  const user = await engine.user()
  for (let i = 0; i < 3; i++) await generate(user)
  await engine.settle()
  playCalm(engine)
  await engine.pool.query(`update videos set error_code = 'busy'`)
  await engine.pool.query(
    `update attempts set settled_at = engine_now() - interval '1 minute' where settled_at is not null`,
  )
  await pass(1)
  expect(receiver.texts().at(-1)).toMatch(
    /^Many videos fail\n3 of 3 videos of the last hour failed/,
  )
})

test('the daily summary is told once, in its hour', async () => {
  await save({ names: [], summaryAt: '08:30' })
  await addKey('Shop key')
  const user = await engine.user()
  await generate(user)
  await engine.settle()
  await engine.clock.moveTo(Math.ceil((await engine.clock.now()) / DAY) * DAY + 8 * HOUR)
  await pass(29)
  expect(receiver.received).toEqual([])
  await pass(30)
  expect(receiver.texts()).toEqual([
    'The day before\nYesterday: 0 plans sold or renewed, 1 video delivered, 0 failed.\n' +
      '0 plans end within three days.\nTokens that work: 1 of 1.',
  ])
  await engine.clock.move(DAY + HOUR)
  await pass(1)
  expect(receiver.received).toHaveLength(1)
})

test('off: nothing is stored and nobody is told', async () => {
  await die(await addKey('Shop key'))
  await engine.advance(5_000)
  await pass(1)
  const { rows } = await engine.pool.query('select 1 from notifications')
  expect(rows).toEqual([])
  expect((await finding())?.text).toContain('Off')
})
