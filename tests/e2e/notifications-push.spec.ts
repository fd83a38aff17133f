import type { Page, Worker } from '@playwright/test'
import { call } from './support/calls'
import { chromiumOnly, expect, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'

test.use({ serviceWorkers: 'allow' })

/** A public address, so that no name is looked up. Nothing is sent to it. */
const ENDPOINT = 'https://93.184.216.34/push/of-a-browser'

/** Answers as a browser maker's service would, which these browsers do not reach. Counts what it is asked. */
async function stubPush(page: Page, permission: NotificationPermission): Promise<void> {
  chromiumOnly('Firefox has no Web Push when a program drives it')
  await page.addInitScript(
    ({ endpoint, given }) => {
      let granted: NotificationPermission = given === 'denied' ? 'denied' : 'default'
      let subscription: object | null = null
      const ask = (name: string) => {
        const { dataset } = document.documentElement
        dataset.asked = `${dataset.asked ?? ''}${name} `
      }
      Object.defineProperty(Notification, 'permission', { get: () => granted })
      Notification.requestPermission = () => {
        ask('user')
        granted = given
        return Promise.resolve(given)
      }
      Object.assign(PushManager.prototype, {
        getSubscription: () => Promise.resolve(subscription),
        subscribe: async (options: { applicationServerKey: Uint8Array }) => {
          ask(`service:${options.applicationServerKey.length}`)
          const pair = await crypto.subtle.generateKey(
            { name: 'ECDH', namedCurve: 'P-256' },
            true,
            ['deriveBits'],
          )
          const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
          const text = (bytes: Uint8Array) =>
            btoa(String.fromCharCode(...bytes))
              .replaceAll('+', '-')
              .replaceAll('/', '_')
              .replaceAll('=', '')
          const keys = { p256dh: text(point), auth: text(new Uint8Array(16)) }
          subscription = { options, toJSON: () => ({ endpoint, keys }) }
          return subscription
        },
      })
    },
    { endpoint: ENDPOINT, given: permission },
  )
}

test('U-NOTIFY-17: a press asks this browser, which is then listed and removed; nothing is asked before @scripts', async ({
  page,
  signIn,
}) => {
  await stubPush(page, 'granted')
  await signIn()
  await page.goto('/account/notifications')
  const button = page.getByRole('button', { name: 'Notify me on this device' })
  await expect(button).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-asked')
  await button.click()
  await expectToast(page, 'Notifications are on')
  await expect(page.locator('html')).toHaveAttribute('data-asked', 'user service:65 ')
  const device = page.getByRole('list', { name: 'Devices that are told' }).getByRole('listitem')
  await expect(device).toContainText('This device')
  await expect(page.getByText('This device is notified.')).toBeVisible()
  await expect(button).toBeHidden()
  await device.getByRole('button', { name: /^Remove/ }).click()
  await expectToast(page, 'Device removed')
  await expect(button).toBeVisible()
})

test('U-NOTIFY-17: a user who refuses is told how to allow it @scripts', async ({
  page,
  signIn,
}) => {
  await stubPush(page, 'denied')
  await signIn()
  await page.goto('/account/notifications')
  await expect(page.getByText('Your browser blocks notifications from this site.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notify me on this device' })).toBeHidden()
})

test('U-NOTIFY-17: the devices are listed, also without scripts, which the button needs @looks', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  if (withScripts) await stubPush(page, 'granted')
  const { userId } = await signIn()
  await page.goto('/account/notifications')
  await lookAt(page, { name: 'push-none', withScripts })
  const sentence = page.locator('noscript p')
  await (withScripts ? expect(sentence).toBeHidden() : expect(sentence).toBeVisible())
  await product.db.query(
    `insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, device, created_at, told_at)
     select gen_random_uuid(), user_id, id, 'https://93.184.216.34/' || id, '', '', 'Chrome on Android', now(), now()
     from sessions where user_id = $1`,
    [userId],
  )
  await page.goto('/account/notifications')
  await lookAt(page, { name: 'push-some', withScripts })
  await page.getByRole('button', { name: 'Remove Chrome on Android' }).click()
  await expectToast(page, 'Device removed')
  await expect(page.getByText('Chrome on Android')).toBeHidden()
})

test('U-NOTIFY-17: the panel of a running batch leads to the page @looks', async ({
  page,
  signInToWait,
  withScripts,
}) => {
  await signInToWait({ video_limit: 9, speed_limit: 1, video_generation_speed: 180 })
  await call(page, 'POST', '/api/videos/bulk-generate', { prompts: ['A boat', 'A lake'] })
  await page.goto('/app')
  await lookAt(page, { name: 'push-panel', withScripts })
  await page.getByRole('link', { name: 'Notify me when it is done' }).click()
  await expect(page.getByRole('heading', { name: 'Notifications', exact: true })).toBeVisible()
})

type Scope = {
  clients: { matchAll: () => Promise<unknown[]>; openWindow: (url: string) => Promise<null> }
  registration: { showNotification: (title: string, options: object) => Promise<void> }
}
type Happens = {
  type: 'push' | 'notificationclick'
  message: object
  tabs?: string[]
  action?: string
}

/** Lets something happen to a service worker, and returns what it does with the browser. */
const happens = (worker: Worker, event: Happens) =>
  worker.evaluate(async ({ type, message, tabs = [], action = '' }) => {
    const { clients, registration } = globalThis as unknown as Scope
    const done: unknown[] = []
    const note = (...what: unknown[]) => Promise.resolve(void done.push(what))
    registration.showNotification = (title, options) => note('show', title, options)
    clients.matchAll = () =>
      Promise.resolve(tabs.map((url) => ({ url, focus: () => note('focus', url) })))
    clients.openWindow = (url) => note('open', url).then(() => null)
    let work: Promise<unknown> | undefined
    const fields = {
      action,
      data: { json: () => message },
      notification: { close: () => void note('close'), data: message },
      waitUntil: (promise: Promise<unknown>) => void (work = promise),
    }
    globalThis.dispatchEvent(Object.assign(new Event(type), fields))
    await work
    return done
  }, event)

test('U-NOTIFY-17: the service worker shows what arrives, and a press opens its page or the tab that shows it @scripts', async ({
  page,
  context,
}) => {
  chromiumOnly('runs code in the service worker')
  await page.goto('/login')
  const { origin } = new URL(page.url())
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no service worker')
  const url = '/batches/1'
  const [title, body, tag] = ['“Summer fair” is done', '97 ready, 3 failed', 'an-id']
  // A message of the same tag replaces the one that is shown.
  const options = { body, tag, icon: '/icon-192.png', data: { url } }
  expect(await happens(worker, { type: 'push', message: { title, body, tag, url } })).toEqual([
    ['show', title, options],
  ])
  // A batch with clips has a button that loads them.
  const download = '/api/videos/archive?inOrder=1'
  expect(
    await happens(worker, { type: 'push', message: { title, body, tag, url, download } }),
  ).toEqual([
    [
      'show',
      title,
      {
        ...options,
        data: { url, download },
        actions: [{ action: 'download', title: 'Download as ZIP' }],
      },
    ],
  ])
  const message = { url, download }
  expect(await happens(worker, { type: 'notificationclick', message, action: 'download' })).toEqual(
    [['close'], ['open', `${origin}${download}`]],
  )
  const press = (to: string, ...tabs: string[]) =>
    happens(worker, { type: 'notificationclick', message: { url: to }, tabs })
  const here = `${origin}${url}`
  expect(await press(url, `${origin}/app`)).toEqual([['close'], ['open', here]])
  expect(await press(url, `${origin}/app`, here)).toEqual([['close'], ['focus', here]])
  expect(await press('https://elsewhere.example/')).toEqual([['close']])
})

test('U-NOTIFY-18: the service worker tells the server of a renewed address, and asks for one if it got none @scripts', async ({
  page,
  context,
}) => {
  chromiumOnly('runs code in the service worker')
  await page.goto('/login')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no service worker')
  const told = (given: 'new' | 'old' | 'none') =>
    worker.evaluate(async (given) => {
      type Scope = { registration: { pushManager: object }; fetch: (...sent: unknown[]) => unknown }
      const scope = globalThis as unknown as Scope
      const sent: unknown[] = []
      const named = (endpoint: string) => ({
        options: { endpoint },
        toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
      })
      const subscribe = (options: { endpoint: string }) =>
        Promise.resolve(named(`again ${options.endpoint}`))
      Object.assign(Object.getPrototypeOf(scope.registration.pushManager) as object, { subscribe })
      scope.fetch = (...call) => Promise.resolve(void sent.push(call))
      let work: Promise<unknown> | undefined
      const fields = {
        newSubscription: given === 'new' ? named('new') : null,
        oldSubscription: given === 'none' ? null : named('old'),
        waitUntil: (promise: Promise<unknown>) => void (work = promise),
      }
      globalThis.dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), fields))
      await work
      return sent
    }, given)
  const call = (endpoint: string) => [
    '/api/account/device',
    {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint, p256dh: 'p', auth: 'a' }),
    },
  ]
  expect(await told('new')).toEqual([call('new')])
  expect(await told('old')).toEqual([call('again old')])
  expect(await told('none')).toEqual([])
})
