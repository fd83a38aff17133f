import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { ALARM_NAMES } from '../../app/domain/business/types'
import { webhookSealedAs } from '../../app/domain/notifications/sealed'
import { createVault } from '../../app/platform/secrets/vault.server'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { startMailServer, startReceiver } from '../support/alarm-receivers'
import { startInstallation, type Installation, type TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { until } from '../support/wait'
import { slowTest, test } from '../support/slow'

// Alarms to administrators: their settings, a test, and what a real worker and a web server without
// one send to receivers on this machine.

const PAGE = '/admin/settings'
const TOKEN = '123456:telegram-token'
let simulator: Simulator
let receiver: Awaited<ReturnType<typeof startReceiver>>
/** Of users. */
let slow: Awaited<ReturnType<typeof startReceiver>>
let mail: Awaited<ReturnType<typeof startMailServer>>
let product: Installation
let admin: TestUser

beforeAll(async () => {
  receiver = await startReceiver()
  slow = await startReceiver()
  mail = await startMailServer()
  simulator = await startSimulator()
  product = await startInstallation({
    env: {
      ...simulator.env('runway'),
      VIDEO_PROVIDER_TOKEN: '',
      ALARM_WEBHOOK_SECRET: 'a secret of the receiver',
      ALARM_WEBHOOK_HOSTS: receiver.host,
      ALARM_TELEGRAM_TOKEN: TOKEN,
      ALARM_TELEGRAM_URL: `http://${receiver.host}`,
      ALARM_SMTP_URL: mail.url,
      USER_WEBHOOKS: 'on',
      USER_WEBHOOK_HOSTS: slow.host,
    },
  })
  admin = await product.user({ role: 'admin' })
})
afterAll(async () => {
  await product.remove()
  await simulator.stop()
  await mail.stop()
  await receiver.stop()
  await slow.stop()
})
beforeEach(() => {
  receiver.answer(204)
  receiver.received.length = 0
  mail.mails.length = 0
})
afterEach(async () => {
  for (const table of ['business_settings', 'alarms', 'alarm_notices', 'notifications'])
    await product.db.query(`delete from ${table}`)
})

const NUMBERS = { fewKeys: '2', failures: '20' }
const save = (fields: Record<string, string | readonly string[]>) =>
  sendForm(admin, PAGE, { intent: 'alarms', names: [...ALARM_NAMES], ...NUMBERS, ...fields })
const sendTest = () => sendForm(admin, PAGE, { intent: 'test-alarms' })

/** Makes users whose programs are called now. */
async function tellSlowUsers(count: number): Promise<void> {
  const vault = createVault([product.env.ENCRYPTION_KEY ?? ''])
  const ids = Array.from({ length: count }, () => randomUUID())
  const ciphers = ids.map((id) => vault.seal(webhookSealedAs(id), 'whsec_c2VjcmV0'))
  await product.db.query(
    `insert into users (id, username, video_limit, speed_limit, video_generation_speed)
     select id, 'slow ' || id, 1, 1, 1 from unnest($1::uuid[]) as one(id)`,
    [ids],
  )
  await product.db.query(
    `insert into notification_webhooks (user_id, url, secret_cipher)
     select id, $2, cipher from unnest($1::uuid[], $3::bytea[]) as one(id, cipher)`,
    [ids, slow.url, ciphers],
  )
  await product.db.query(
    `with waiting as (
       insert into notifications (id, user_id, channel, title, body, at, state, next_try_at)
       select gen_random_uuid(), id, 'webhook', 'Test', '{}', now(), 'waiting', now()
       from unnest($1::uuid[]) as one(id) returning user_id
     )
     select add_wake_ups(json_agg(json_build_object('name', 'notifications.send', 'key', 'slow ' || user_id,
       'payload', json_build_object('userId', user_id, 'channel', 'webhook')))) from waiting`,
    [ids],
  )
}
const messages = () => receiver.texts().join('\n')

describe('the settings', () => {
  test('a test goes to every channel; a refusal names the channel, without the bot’s token', async () => {
    const saved = await save({ webhook: receiver.url, telegram: '-100', email: 'a@b.example' })
    expect(saved.text).toContain('Alarms saved')
    receiver.answer(200, '{"ok":true,"result":{}}')
    expect((await sendTest()).text).toContain('Test sent by webhook and telegram and email')
    const [hook, telegram] = receiver.received
    expect(JSON.parse(hook?.body ?? '')).toMatchObject({ name: 'test', product: 'Reelmill' })
    expect(telegram?.path).toBe(`/bot${TOKEN}/sendMessage`)
    expect(JSON.parse(telegram?.body ?? '')).toMatchObject({ chat_id: '-100' })
    expect(mail.mails[0]).toContain('Subject: Reelmill: Test')
    expect(mail.mails[0]).toContain('To: a@b.example')

    receiver.answer(400, '{"ok":false,"description":"Bad Request: chat not found"}')
    const refused = await sendTest()
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('telegram: ')
    expect(refused.text).toContain('answered 400: Bad Request: chat not found')
    expect(refused.text).not.toContain(TOKEN)
    const { rows } = await product.db.query<{ after: Record<string, unknown> }>(
      `select after from trail_entries where action = 'setting.alarms'`,
    )
    expect(rows[0]?.after).toMatchObject({ webhook: receiver.host, telegram: '-100' })
  })

  test.each([
    ['{"ok":false,"description":"Forbidden: bot was kicked"}', ': Forbidden: bot was kicked'],
    ['<html>a proxy</html>', ''],
  ])('a refusal: Telegram’s 200 without ok is no test that was sent', async (body, why) => {
    await save({ telegram: '-100' })
    receiver.answer(200, body)
    const refused = await sendTest()
    expect(refused.status).toBe(409)
    expect(refused.text).toContain(`answered 200${why}`)
  })

  test.each([
    ['http://127.0.0.1:9/x', 'does not begin with https://'],
    ['https://127.0.0.1/x', 'is private'],
    ['https://169.254.169.254/latest', 'is private'],
    ['https://[::1]/x', 'is private'],
    ['ftp://example.com/x', 'is not http'],
    ['https://user@example.com/x', 'carries a user name'],
  ])('S22: the address %s is refused, and what was typed stays', async (webhook, why) => {
    const sent = await save({ webhook })
    expect(sent.status).toBe(400)
    expect(sent.text).toContain(why)
    expect(sent.html).toContain(`value="${webhook}"`)
  })

  test('S22: an address that was stored earlier is checked again before it is called', async () => {
    await save({ webhook: receiver.url })
    await product.db.query(
      `update business_settings set value = replace(value::text, $1, 'https://127.0.0.1:9/x')::json`,
      [receiver.url],
    )
    const sent = await sendTest()
    expect(sent.text).toContain('webhook: The address is refused: 127.0.0.1 is private')
  })

  test('wrong values are named, and unticked alarms stay unticked', async () => {
    const sent = await save({ telegram: 'me', fewKeys: '0', quietFrom: '25:00' })
    for (const words of ['number of a chat', 'must be at least 1', 'This is not a time'])
      expect(sent.text).toContain(words)
    await save({ email: 'a@b.example', names: 'disk' })
    const { html } = await openPage(admin, PAGE)
    const ticked = [...html.matchAll(/<input[^>]*name="names"[^>]*>/g)]
      .filter(([tag]) => tag.includes('checked'))
      .map(([tag]) => /value="([^"]+)"/.exec(tag)?.[1])
    expect(ticked).toEqual(['disk'])
  })

  test('only administrators, and with their password, change it', async () => {
    const editor = await product.user({ role: 'editor' })
    expect((await editor.submit(PAGE, { intent: 'alarms' })).status).toBe(403)
    await product.db.query(
      `update sessions set created_at = engine_now() - interval '1 hour' where user_id = $1`,
      [admin.userId],
    )
    expect((await save({ email: 'a@b.example' })).location).toContain('/admin/confirm')
    await product.db.query('update sessions set created_at = engine_now()')
  })
})

slowTest('without a worker the web server tells that there is none', async () => {
  await product.db.query('delete from worker_processes')
  await save({ webhook: receiver.url, names: 'worker' })
  await until('the first look', async () => {
    const { rowCount } = await product.db.query('select 1 from alarms')
    return rowCount === 1
  })
  await product.db.query(`update alarms set started_at = started_at - interval '1 minute'`)
  await until('the message', () => receiver.received.length > 0)
  expect(messages()).toContain('No worker is running')
  expect(receiver.received).toHaveLength(1)
})

describe('with a worker', () => {
  beforeAll(async () => {
    await product.startWorker()
  })

  test('a dead key reaches the phone within 60 s, with its label', async () => {
    await save({ webhook: receiver.url, names: 'key-lost' })
    const key = 'key_night_0123456789_DEAD'
    await admin.post('/api/admin/extra-tokens', { token: key, label: 'Shop key of 03001234567' })
    simulator.token(key, { dead: true })
    const user = await product.user()
    const prompt = 'a secret kite'
    const startedAt = performance.now()
    expect((await user.post('/api/videos/generate', { prompt })).status).toBe(201)
    await until('the message', () => receiver.received.length > 0)
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    expect(messages()).toContain(
      'A token stopped working\nShop key of …4567 …DEAD: the provider refuses it.',
    )
    const all = receiver.received.map(({ body }) => body).join()
    for (const secret of [key, prompt, '03001234567']) expect(all).not.toContain(secret)
  })

  test('a claim is told with its plan and amount, unless it was decided meanwhile', async () => {
    const quiet = { quietFrom: '00:00', quietUntil: '23:59' }
    const claims = { webhook: receiver.url, names: 'claim' }
    await save({ ...claims, ...quiet })
    const report = (plan: string, amount: string) =>
      sendForm(product.client(), '/paid', {
        intent: 'claim',
        phone: `0399888${amount}`,
        plan,
        amount,
        method: 'bank',
        currency: 'PKR',
      })
    await report('Starter', '1111')
    await report('Business', '2222')
    const waiting = () => product.db.query('select 1 from alarm_notices')
    await until('both notices', async () => (await waiting()).rowCount === 2)
    const { rows } = await product.db.query<{ id: string }>(
      "select id from payments where plan = 'Starter'",
    )
    const reason = 'Nothing arrived'
    await sendForm(admin, '/admin/payments', {
      intent: 'reject-payment',
      id: rows[0]?.id ?? '',
      reason,
    })
    await save(claims)
    await report('Enterprise', '3333')
    // In one message, or in two if the sweep came before the third claim.
    await until('the last claim', () => messages().includes('Enterprise, 3,333 PKR by bank.'))
    expect(messages()).toContain('A payment waits to be confirmed\nBusiness, 2,222 PKR by bank.')
    expect(messages()).not.toContain('Starter')
  })

  test('an administrator’s sign-in from a new device is told, from a known one it is not', async () => {
    await save({ webhook: receiver.url, names: 'sign-in' })
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const login = { username: admin.username, password: 'secret-1' }
    const phone = product.client()
    const signIn = (client = phone) =>
      client.post('/api/auth/login', login, { 'user-agent': userAgent })
    expect((await signIn()).status).toBe(200)
    await until('the message', () => receiver.received.length > 0)
    expect(messages()).toContain(
      `An administrator signed in from a new device\n…${admin.username.slice(-4)} on Firefox on Linux.`,
    )
    // On the same device a customer signs in, and then the administrator again.
    const customer = await product.user()
    await phone.post('/api/auth/login', { username: customer.username, password: 'secret-1' })
    await signIn()
    await customer.post('/api/auth/login', { username: customer.username, password: 'secret-1' })
    await signIn(product.client())
    await until('the second device', () => receiver.received.length > 1)
    expect(receiver.received).toHaveLength(2)
    const { rows } = await product.db.query(
      'select 1 from known_devices where user_id = $1 and user_agent = $2',
      [admin.userId, userAgent],
    )
    expect(rows).toHaveLength(2)
  })

  test('issue 50.4: an alarm leaves at once while the receivers of a hundred users answer slowly', async () => {
    await save({ webhook: receiver.url, names: 'key-lost' })
    const release = slow.hold()
    await tellSlowUsers(100)
    await until('calls that wait', () => Promise.resolve(slow.received.length >= 8))
    await admin.post('/api/admin/extra-tokens', { token: 'key_evening_0123456789', label: 'Shop' })
    await product.db.query(`update credentials set state = 'dead', death = 'refused'`)
    await until('the alarm', () => receiver.received.length > 0)
    const { rows } = await product.db.query<{ n: number }>(
      `select count(*)::int as n from notifications where user_id is not null and state = 'waiting'`,
    )
    expect(rows[0]?.n).toBe(100)
    release()
  })
})
