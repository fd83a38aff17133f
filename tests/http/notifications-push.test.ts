import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { startInstallation, type Installation, type TestUser } from '../support/installation'
import { openPage, sendForm, submitForm } from '../support/page'
import {
  readSender,
  startPushService,
  type Browser,
  type PushService,
} from '../support/push-service'
import { until } from '../support/wait'

// Web Push: its part of the page as a browser without scripts uses it, and what a real web server and
// worker send to a push service on this machine.

const PAGE = '/account/notifications'
const CHROME =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
let simulator: Simulator
let service: PushService
let product: Installation

beforeAll(async () => {
  service = await startPushService()
  simulator = await startSimulator({ scenario: { defaults: { generationMs: [50, 100] } } })
  product = await startInstallation({
    worker: true,
    env: { ...simulator.env('openai'), WEB_PUSH: 'on', WEB_PUSH_HOSTS: service.host },
  })
})
afterAll(async () => {
  await product.remove()
  await simulator.stop()
  await service.stop()
})
beforeEach(() => {
  service.received.length = 0
})

const rich = () => product.user({ plan: 'Enterprise', video_limit: 100, speed_limit: 50 })
const send = (user: TestUser, intent: string, fields: Record<string, string> = {}) =>
  sendForm(user, PAGE, { intent, ...fields })
const tell = (user: TestUser, { subscription }: Browser) =>
  send(user, 'notification-device', { ...subscription })
const idIn = (html: string) =>
  /name="id" value="([0-9a-f-]{36})"/.exec(
    html.slice(html.indexOf('Devices that are told')),
  )?.[1] ?? ''
const runBatch = async (user: TestUser) => {
  const started = await user.post<{ batchId: string }>('/api/videos/bulk-generate', {
    prompts: ['A quiet lake', 'A loud lake'],
  })
  expect(started.status).toBe(201)
  return started.body.batchId
}

test('U-NOTIFY-16: a browser that asked is listed, tested, told of a batch by the worker, and removed without scripts', async () => {
  const user = await rich()
  const browser = service.newBrowser()
  const page = await openPage(user, PAGE)
  expect(page.text).toContain('Notifications need scripts')
  const told = await tell(user, browser)
  expect(told.text).toContain('Notifications are on')
  expect(told.text).toMatch(/This device Since .* not told yet/)

  expect((await send(user, 'notification-test', { channel: 'push' })).text).toContain('Test sent')
  expect(browser.shown()).toMatchObject([{ title: 'Reelmill', url: PAGE }])
  const batchId = await runBatch(user)
  await until('the message', () => Promise.resolve(browser.mine().length === 2))
  expect(browser.shown()[1]).toMatchObject({ body: '2 ready', url: `/batches/${batchId}` })
  // The web server and the worker name themselves by one pair of keys, which the page hands out.
  const keys = browser.mine().map((one) => readSender(one).key)
  expect(new Set(keys).size).toBe(1)
  expect((await openPage(user, PAGE)).html).toContain(keys[0])
  await until('its record', async () =>
    /Sent “Batch of .*” is done: 2 ready .* devices/.test((await openPage(user, PAGE)).text),
  )
  const listed = await openPage(user, PAGE)
  expect(listed.text).toContain('last told')
  const removed = await send(user, 'notification-remove', { id: idIn(listed.html) })
  expect(removed.text).toContain('Device removed')
  expect(removed.text).not.toContain('Since')
  expect((await send(user, 'notification-test', { channel: 'push' })).status).toBe(409)
})

test('U-NOTIFY-16: the browser is named by its user agent; signing out there ends what it is told', async () => {
  const user = await rich()
  const browser = service.newBrowser()
  const device = { intent: 'notification-device', ...browser.subscription }
  const asked = await submitForm(user, PAGE, device, { headers: { 'user-agent': CHROME } })
  expect(asked.status).toBe(303)
  expect((await openPage(user, PAGE)).text).toContain('Chrome on Android')
  const batchId = await runBatch(user)
  await until('the message', () => Promise.resolve(browser.mine().length === 1))
  expect(browser.shown()[0]?.url).toBe(`/batches/${batchId}`)
  expect((await user.post('/api/auth/logout')).status).toBeLessThan(300)
  const { rows } = await product.db.query(
    `select 1 from push_subscriptions where user_id = $1 and exists (select from sessions where id = session_id)`,
    [user.userId],
  )
  expect(rows).toEqual([])
})

test('U-NOTIFY-18: an address that the browser’s service has renewed replaces the one before, while the session goes on and the device is told', async () => {
  const user = await rich()
  const [before, after] = [service.newBrowser(), service.newBrowser()]
  const renew = ({ subscription }: Browser, who = user) =>
    who.call('PUT', '/api/account/device', subscription)
  // Never asked: nothing is added.
  expect((await renew(after)).status).toBe(404)
  await tell(user, before)
  const other = await rich()
  expect((await renew(after, other)).status).toBe(404)
  expect((await renew(after)).status).toBe(200)
  await send(user, 'notification-test', { channel: 'push' })
  expect([before.mine().length, after.mine().length]).toEqual([0, 1])
  const { subscription } = after
  const inside = { ...subscription, endpoint: 'https://127.0.0.1/x' }
  expect((await renew({ ...after, subscription: inside })).status).toBe(400)
  const removed = await send(user, 'notification-remove', {
    id: idIn((await openPage(user, PAGE)).html),
  })
  expect(removed.text).toContain('Device removed')
  expect((await renew(after)).status).toBe(404)
  await tell(user, before)
  await user.post('/api/auth/logout')
  expect((await renew(after)).status).toBe(401)
  const { rows } = await product.db.query<{ endpoint: string }>(
    'select endpoint from push_subscriptions where user_id = $1',
    [user.userId],
  )
  expect(rows).not.toContainEqual({ endpoint: after.subscription.endpoint })
})

test('U-NOTIFY-16: one user does not see, test or remove a browser of another', async () => {
  const [anna, bert] = [await rich(), await rich()]
  const browser = service.newBrowser()
  const id = idIn((await tell(anna, browser)).html)
  expect(id).not.toBe('')
  expect((await openPage(bert, PAGE)).html).not.toContain(id)
  expect((await send(bert, 'notification-remove', { id })).status).toBe(404)
  expect((await send(bert, 'notification-test', { channel: 'push' })).status).toBe(409)
  await send(bert, 'notification-off', { channel: 'push' })
  expect(browser.mine()).toEqual([])
  expect((await send(anna, 'notification-test', { channel: 'push' })).text).toContain('Test sent')
})

test.each([
  ['http://example.com/x', 'does not begin with https://'],
  ['https://127.0.0.1/x', 'is private'],
  ['https://2130706433/x', 'is private'],
  ['https://169.254.169.254/latest', 'is private'],
  ['https://[::ffff:127.0.0.1]/x', 'is private'],
  ['https://user@example.com/x', 'carries a user name'],
])('S22: a push service at %s is refused', async (endpoint, why) => {
  const user = await rich()
  const { subscription } = service.newBrowser()
  const sent = await send(user, 'notification-device', { ...subscription, endpoint })
  expect([sent.status, sent.text]).toEqual([400, expect.stringContaining(why)])
})

test('S22: an address that was stored earlier is checked again before it is called, and a redirect is not followed', async () => {
  const user = await rich()
  const browser = service.newBrowser()
  await tell(user, browser)
  browser.answer(307)
  const redirected = await send(user, 'notification-test', { channel: 'push' })
  expect([redirected.status, redirected.text]).toEqual([
    409,
    expect.stringContaining('It answered 307'),
  ])
  expect(service.received).toHaveLength(1)
  await product.db.query(
    `update push_subscriptions set endpoint = 'https://127.0.0.1:9/x' where user_id = $1`,
    [user.userId],
  )
  const sent = await send(user, 'notification-test', { channel: 'push' })
  expect([sent.status, sent.text]).toEqual([
    409,
    expect.stringContaining('The address is refused: 127.0.0.1 is private'),
  ])
})

test.each([
  [400, '{"reason":"BadJwtToken"}', 'It answered 400: BadJwtToken'],
  [403, '{"code":403,"errno":109,"message":"Wrong key"}', 'It answered 403: Wrong key'],
  [403, '<p>the key in the authorization header</p>', '403: the key in the authorization header'],
  [500, 'a secret', 'It answered 500'],
])('a refusal: a push service’s reason for %i is told', async (status, body, told) => {
  const user = await rich()
  const browser = service.newBrowser()
  await tell(user, browser)
  browser.answer(status, body)
  const sent = await send(user, 'notification-test', { channel: 'push' })
  expect(sent.text).toContain(told)
  expect(sent.text).not.toContain('a secret')
})

test('U-NOTIFY-16: keys with which nothing can be encrypted are refused', async () => {
  const user = await rich()
  const { subscription } = service.newBrowser()
  const point = Buffer.from(subscription.p256dh, 'base64url')
  point.writeUInt8(point.readUInt8(64) ^ 1, 64)
  for (const wrong of [
    { p256dh: point.toString('base64url') },
    { p256dh: 'AAAA' },
    { auth: 'AAAA' },
  ]) {
    const sent = await send(user, 'notification-device', { ...subscription, ...wrong })
    expect([sent.status, sent.text]).toEqual([400, expect.stringContaining('keys cannot be used')])
  }
})

test('U-NOTIFY-16: the service worker shows a message, opens its page, and keeps nothing', async () => {
  const script = await (await product.client().send('GET', '/service-worker.js')).text()
  for (const part of ["addEventListener('push'", "addEventListener('notificationclick'"])
    expect(script).toContain(part)
  expect(script).not.toMatch(/\bcaches\b|indexedDB/)
})

test('U-NOTIFY-4: Web Push that is not switched on is not shown; a form of it is refused', async () => {
  const other = await startInstallation()
  try {
    const user = await other.user()
    const page = await openPage(user, PAGE)
    expect(page.text).not.toContain('On this device')
    await user.post('/api/videos/bulk-generate', { prompts: ['A quiet lake', 'A loud lake'] })
    const panel = await openPage(user, '/app')
    expect(panel.text).toContain('Stop All Process')
    expect(panel.text).not.toContain('Notify me when it is done')
    const { subscription } = service.newBrowser()
    const sent = await sendForm(user, PAGE, { intent: 'notification-device', ...subscription })
    expect(sent.status).toBe(403)
    const { rows } = await other.db.query('select 1 from push_keys')
    expect(rows).toEqual([])
  } finally {
    await other.remove()
  }
})
