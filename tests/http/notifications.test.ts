import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { readDocument } from '../docs/documents'
import { startMailServer, startReceiver, type Received } from '../support/alarm-receivers'
import { startInstallation, type Installation, type TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { until } from '../support/wait'

// Notifications of ended batches: their page as a browser without scripts uses it, and what a real worker sends
// to receivers on this machine.

const PAGE = '/account/notifications'
let simulator: Simulator
let receiver: Awaited<ReturnType<typeof startReceiver>>
let mail: Awaited<ReturnType<typeof startMailServer>>
let product: Installation

beforeAll(async () => {
  receiver = await startReceiver()
  mail = await startMailServer()
  simulator = await startSimulator({ scenario: { defaults: { generationMs: [50, 100] } } })
  product = await startInstallation({
    worker: true,
    env: {
      ...simulator.env('openai'),
      ALARM_SMTP_URL: mail.url,
      USER_EMAIL: 'on',
      USER_WEBHOOKS: 'on',
      USER_WEBHOOK_HOSTS: receiver.host,
      THROTTLE_SCALE: '1',
    },
  })
})
afterAll(async () => {
  await product.remove()
  await simulator.stop()
  await mail.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.answer(204)
  receiver.received.length = 0
  mail.mails.length = 0
})

const rich = () => product.user({ plan: 'Enterprise', video_limit: 100, speed_limit: 50 })
const send = (user: TestUser, intent: string, fields: Record<string, string> = {}) =>
  sendForm(user, PAGE, { intent, ...fields })
const messagesOf = async ({ userId }: TestUser) => {
  const { rows } = await product.db.query<{
    channel: string
    state: string
    answer: number | null
  }>('select channel, state, answer from notifications where user_id = $1 order by at, id', [
    userId,
  ])
  return rows
}
const isSettled = (user: TestUser, count: number) =>
  until('the messages', async () => {
    const rows = await messagesOf(user)
    return rows.length === count && rows.every(({ state }) => state !== 'waiting')
  })

/** Starts a batch and waits for its end. */
async function runBatch(user: TestUser, count = 2): Promise<string> {
  const prompts = Array.from({ length: count }, (_, i) => `A quiet lake ${i}`)
  const started = await user.post<{ batchId: string }>('/api/videos/bulk-generate', { prompts })
  expect(started.status).toBe(201)
  const { batchId } = started.body
  await until('the end', async () => {
    const { rows } = await product.db.query(
      'select 1 from batches where id = $1 and finished_at is not null',
      [batchId],
    )
    return rows.length > 0
  })
  return batchId
}

/** Undoes the line breaks of quoted-printable. */
const decoded = (text = '') =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
const linkIn = (text = '') =>
  /https?:\/\/\S+?\/confirm-email\?token=[\w-]+/.exec(decoded(text))?.[0]

/** Sets an e-mail address and confirms it. */
async function confirm(user: TestUser, email: string): Promise<void> {
  const asked = await send(user, 'notification-email', { email })
  expect(asked.text).toContain('Link sent')
  const link = new URL(linkIn(mail.mails.at(-1)) ?? '')
  const done = await sendForm(product.client(), link.pathname + link.search, {
    intent: 'confirm-email',
    token: link.searchParams.get('token') ?? '',
  })
  expect(done.text).toContain('The address is confirmed')
  mail.mails.length = 0
}

const secretIn = (html: string) => /data-webhook-secret[^>]*>(whsec_[\w+/=]+)</.exec(html)?.[1]

/** Sets the receiver of these tests, and returns the secret. */
async function setWebhook(user: TestUser): Promise<string> {
  const saved = await send(user, 'notification-webhook', { url: `${receiver.url}/${user.userId}` })
  return secretIn(saved.html) ?? ''
}

type Check = (headers: Received['headers'], body: string, secret: string) => boolean

/** Returns the program of docs/api.md that checks a signature, as it is printed there. */
async function readProgram(): Promise<Check> {
  const part = /^## Webhooks$(.*?)^## /ms.exec(readDocument('docs/api.md'))?.[1] ?? ''
  const text = /^```js\n(.*?)^```$/ms.exec(part)?.[1] ?? ''
  const address = `data:text/javascript,${encodeURIComponent(`${text}export { isOurs }`)}`
  const { isOurs } = (await import(/* @vite-ignore */ address)) as { isOurs: Check }
  return isOurs
}

describe('by e-mail', () => {
  test('U-NOTIFY-1: an address is confirmed by a button behind a link, which works once; the link is stored as a hash', async () => {
    const user = await rich()
    expect((await openPage(user, '/account/sessions')).html).toContain(`href="${PAGE}"`)
    const refused = await send(user, 'notification-email', { email: 'a@b.example, c@d.example' })
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('This is not an e-mail address'),
    ])
    const asked = await send(user, 'notification-email', { email: 'anna@home.example' })
    expect(asked.text).toContain('We sent a link to anna@home.example')
    expect(mail.mails[0]).toContain('To: anna@home.example')
    const link = new URL(linkIn(mail.mails[0]) ?? '')
    const token = link.searchParams.get('token') ?? ''
    const { rows } = await product.db.query<{ row: string; address: string | null }>(
      'select notification_emails::text as row, address from notification_emails where user_id = $1',
      [user.userId],
    )
    expect(rows[0]?.row).not.toContain(token)

    // A mail scanner opens the link: nothing is confirmed by that.
    const visitor = product.client()
    const page = await openPage(visitor, link.pathname + link.search)
    expect(page.text).toContain('asks to be told at anna@home.example')
    const addressOf = async () =>
      (
        await product.db.query<{ address: string | null }>(
          'select address from notification_emails where user_id = $1',
          [user.userId],
        )
      ).rows[0]?.address
    expect(await addressOf()).toBeNull()
    const press = () =>
      sendForm(visitor, link.pathname + link.search, { intent: 'confirm-email', token })
    expect((await press()).text).toContain('The address is confirmed')
    expect(await addressOf()).toBe('anna@home.example')
    expect((await press()).text).toContain('This link was used or is too old')
    expect((await openPage(user, PAGE)).text).toContain('anna@home.example On')
  })

  test('U-NOTIFY-1: a link ends after 24 hours, and with the next link', async () => {
    const user = await rich()
    const ask = async () => {
      await send(user, 'notification-email', { email: 'b@home.example' })
      const link = new URL(linkIn(mail.mails.at(-1)) ?? '')
      return link.searchParams.get('token') ?? ''
    }
    const press = async (token: string) => {
      const path = `/confirm-email?token=${token}`
      return (await sendForm(product.client(), path, { intent: 'confirm-email', token })).status
    }
    const [first, second] = [await ask(), await ask()]
    expect(await press(first)).toBe(409)
    await product.db.query(
      `update notification_emails set token_until = token_until - interval '24 hours' where user_id = $1`,
      [user.userId],
    )
    expect(await press(second)).toBe(409)
    expect((await openPage(user, PAGE)).text).not.toContain('We sent a link')
  })

  test('U-NOTIFY-1: an address gets three links a day, and a user sends three, whoever asks', async () => {
    const [user, other] = [await rich(), await rich()]
    const ask = async (who: TestUser, email: string) =>
      (await send(who, 'notification-email', { email })).status
    for (const email of ['v@home.example', 'v@home.example', 'V@home.example'])
      expect(await ask(user, email)).toBe(303)
    expect(await ask(user, 'w@home.example')).toBe(429)
    expect(await ask(other, 'v@HOME.example')).toBe(429)
    expect(mail.mails).toHaveLength(3)
  })

  test('U-NOTIFY-1: one mail for a batch, with counts and a link, headers of one line, and turned off with one press', async () => {
    const user = await rich()
    await confirm(user, 'carl@home.example')
    const batchId = await runBatch(user)
    await isSettled(user, 1)
    expect(mail.mails).toHaveLength(1)
    const text = decoded(mail.mails[0])
    for (const words of ['Ready: 2', 'Failed: 0', 'Charged: 2 videos', `/batches/${batchId}`])
      expect(text).toContain(words)
    const page = await openPage(user, PAGE)
    expect(page.html).toContain(`href="/batches/${batchId}"`)
    expect((await send(user, 'notification-off', { channel: 'email' })).text).toContain(
      'Turned off',
    )
    await runBatch(user)
    expect(await messagesOf(user)).toHaveLength(1)
    expect((await openPage(user, PAGE)).text).not.toContain('carl@home.example')
  })
})

describe('reminders', () => {
  const HOUR = 3_600_000
  const inHours = (n: number) => new Date(Date.now() + n * HOUR)
  const wishesOf = async ({ userId }: TestUser) => {
    const { rows } = await product.db.query<Record<string, unknown>>(
      'select plan_end, nearly_used, quiet_from, quiet_until from reminder_settings where user_id = $1',
      [userId],
    )
    return rows[0]
  }
  const asked = { planEnd: 'on', nearlyUsed: 'on', quietFrom: '22:00', quietUntil: '07:30' }

  test('U-NOTIFY-24: what is asked for is stored and shown; quiet hours need two times; an older page overwrites nothing unseen', async () => {
    const [user, other] = [await rich(), await rich()]
    const isTicked = async (who: TestUser, name: string) => {
      const { html } = await openPage(who, PAGE)
      return new RegExp(`<input[^>]*name="${name}"[^>]*checked`).test(html)
    }
    expect([await isTicked(user, 'planEnd'), await isTicked(user, 'nearlyUsed')]).toEqual([
      true,
      false,
    ])
    expect((await send(user, 'reminders', asked)).text).toContain('Reminders saved')
    const stored = {
      plan_end: true,
      nearly_used: true,
      quiet_from: '22:00',
      quiet_until: '07:30',
    }
    expect(await wishesOf(user)).toEqual(stored)
    expect(await isTicked(user, 'nearlyUsed')).toBe(true)
    const half = await send(user, 'reminders', { ...asked, quietUntil: '' })
    expect([half.status, half.text]).toEqual([
      400,
      expect.stringContaining('Quiet hours need both times'),
    ])
    const wrong = await send(user, 'reminders', { ...asked, quietUntil: '25:00' })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('not a time')])
    const older = { ...asked, quietFrom: '23:00', quietFromBefore: '', quietUntilBefore: '' }
    expect((await send(user, 'reminders', older)).status).toBe(409)
    expect(await wishesOf(user)).toEqual(stored)
    expect((await send(user, 'reminders', { quietFrom: '', quietUntil: '' })).status).toBe(303)
    const none = { plan_end: false, nearly_used: false, quiet_from: null, quiet_until: null }
    expect(await wishesOf(user)).toEqual(none)
    expect(await wishesOf(other)).toBeUndefined()
  })

  test('U-NOTIFY-24: a worker’s sweep sends one, and the list shows it', async () => {
    const user = await product.user({ plan: 'Business', expiry_date: inHours(20) })
    await confirm(user, 'ends@home.example')
    await product.db.query(
      `select graphile_worker.add_job('system.sweep', '{}'::json, job_key := 'a sweep of a test')`,
    )
    await until('the reminder', async () => (await messagesOf(user))[0]?.state === 'sent')
    const text = decoded(mail.mails[0])
    for (const words of [/Your plan ends (?:today|tomorrow)/, /Its end is .* UTC/, /\/pricing/])
      expect(text).toMatch(words)
    expect((await openPage(user, PAGE)).text).toMatch(/Sent Reelmill: Your plan ends/)
  })

  test('U-NOTIFY-24: each page says the same, with the way to pay, also without a channel', async () => {
    const [soon, trial, ended, nearly, few] = [
      await product.user({ plan: 'Business', expiry_date: inHours(60) }),
      await product.user({ plan: 'Starter', expiry_date: inHours(60) }),
      await product.user({ plan: 'Business', expiry_date: inHours(-30) }),
      await product.user({ plan: 'Starter', video_limit: 20, expiry_date: inHours(60) }),
      await product.user({ plan: 'Starter', video_limit: 4, expiry_date: inHours(500) }),
    ]
    await product.db.query(
      `update users set created_at = now() - interval '60 days' where id = any($1)`,
      [[soon, trial, ended, nearly, few].map(({ userId }) => userId)],
    )
    await product.db.query(
      `insert into trials (user_id, network, video_limit, ends_at)
       select id, '10.8.0.1', video_limit, expiry_date from users where id = $1
       on conflict (user_id) do update set video_limit = excluded.video_limit, ends_at = excluded.ends_at`,
      [trial.userId],
    )
    await product.db.query(
      `insert into quota_days (user_id, day, granted_limit, charged)
       select id, (now() at time zone 'UTC')::date, video_limit, video_limit * 4 / 5 from users where id = any($1)`,
      [[nearly.userId, few.userId]],
    )
    const line = async (user: TestUser) => (await openPage(user, '/dashboard')).text
    expect(await line(soon)).toContain('Your plan ends in 3 days. Renew or upgrade')
    expect(await line(trial)).toContain('Your trial ends in 3 days. See the plans')
    expect(await line(ended)).toContain('Your plan has expired.')
    const both = await line(nearly)
    expect(both).toContain('Your plan ends in 3 days.')
    expect(both).toContain('16 of today’s 20 videos are used. Upgrade plan')
    expect(await line(few)).not.toContain('Upgrade plan')
  })
})

describe('by webhook', () => {
  test('U-NOTIFY-2: one call for a batch, signed as Standard Webhooks say; the secret is shown once', async () => {
    const user = await rich()
    const secret = await setWebhook(user)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await openPage(user, PAGE)).html).not.toContain(secret)
    const { rows } = await product.db.query<{ row: string }>(
      'select notification_webhooks::text as row from notification_webhooks where user_id = $1',
      [user.userId],
    )
    expect(rows[0]?.row).not.toContain(secret.slice(6))
    const batchId = await runBatch(user, 3)
    await isSettled(user, 1)
    expect(receiver.received).toHaveLength(1)
    const { headers, body } = receiver.received[0]!
    const [id, time] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(300)
    const key = Buffer.from(secret.slice(6), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    const isOurs = await readProgram()
    expect(isOurs(headers, body, secret)).toBe(true)
    expect(isOurs(headers, `${body} `, secret)).toBe(false)
    const old = { ...headers, 'webhook-timestamp': `${Number(time) - 3600}` }
    expect(isOurs(old, body, secret)).toBe(false)
    expect(JSON.parse(body)).toEqual({
      event: 'batch.ended',
      id,
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      batchId,
      name: expect.stringContaining('Batch of') as string,
      status: 'completed',
      counts: { ready: 3, failed: 0, cancelled: 0, inProgress: 0 },
      unitsCharged: 3,
      link: expect.stringMatching(new RegExp(`^http.*/batches/${batchId}$`)) as string,
      download: expect.stringContaining(`/api/videos/archive?inOrder=${batchId}&`) as string,
    })
    const renewed = await send(user, 'notification-secret')
    expect(secretIn(renewed.html)).toMatch(/^whsec_/)
    expect(secretIn(renewed.html)).not.toBe(secret)
    // The same address once more shows no secret.
    const again = await send(user, 'notification-webhook', { url: receiver.url })
    expect([again.status, secretIn(again.html)]).toEqual([303, undefined])
  })

  test.each([
    ['http://example.com/x', 'does not begin with https://'],
    ['http://127.0.0.1:9/x', 'does not begin with https://'],
    ['https://127.0.0.1/x', 'is private'],
    ['https://2130706433/x', 'is private'],
    ['https://169.254.169.254/latest', 'is private'],
    ['https://10.1.2.3/x', 'is private'],
    ['https://[::1]/x', 'is private'],
    ['https://[::ffff:127.0.0.1]/x', 'is private'],
    ['https://user@example.com/x', 'carries a user name'],
    ['ftp://example.com/x', 'is not http'],
  ])('S22: the address %s is refused, and what was typed stays', async (url, why) => {
    const user = await rich()
    const sent = await send(user, 'notification-webhook', { url })
    expect([sent.status, sent.text]).toEqual([400, expect.stringContaining(why)])
    expect(sent.html).toContain(`value="${url}"`)
    expect(secretIn(sent.html)).toBeUndefined()
  })

  test('S22: an address that was stored earlier is checked again before it is called', async () => {
    const user = await rich()
    await setWebhook(user)
    await product.db.query('update notification_webhooks set url = $2 where user_id = $1', [
      user.userId,
      'https://127.0.0.1:9/x',
    ])
    const sent = await send(user, 'notification-test', { channel: 'webhook' })
    expect([sent.status, sent.text]).toEqual([
      409,
      expect.stringContaining('The address is refused: 127.0.0.1 is private'),
    ])
  })

  test('S22: a redirect is not followed', async () => {
    const user = await rich()
    await setWebhook(user)
    receiver.answer(307, '', { location: receiver.url.replace('/alarms', '/inside') })
    const sent = await send(user, 'notification-test', { channel: 'webhook' })
    expect([sent.status, sent.text]).toEqual([
      409,
      expect.stringContaining('It answered 307. Redirects are not followed.'),
    ])
    expect(receiver.received.map(({ path }) => path)).toEqual([`/alarms/${user.userId}`])
    expect((await openPage(user, PAGE)).text).toContain('Failed Test')
  })

  test('U-NOTIFY-2: five tests an hour; each is listed with its answer', async () => {
    const user = await rich()
    await setWebhook(user)
    const sendTest = () => send(user, 'notification-test', { channel: 'webhook' })
    expect((await sendTest()).text).toContain('Test sent')
    for (let n = 2; n <= 5; n++) await sendTest()
    expect((await sendTest()).status).toBe(429)
    expect(receiver.received).toHaveLength(5)
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ event: 'test' })
    expect((await openPage(user, PAGE)).text).toContain('webhook · answer 204')
  })

  test('U-NOTIFY-3: one user does not see, test or change what another has', async () => {
    const [anna, bert] = [await rich(), await rich()]
    await setWebhook(anna)
    await confirm(anna, 'dora@home.example')
    const batchId = await runBatch(anna)
    await isSettled(anna, 2)
    receiver.received.length = 0
    const page = await openPage(bert, PAGE)
    for (const secret of ['dora@home.example', anna.userId, batchId])
      expect(page.html).not.toContain(secret)
    expect((await send(bert, 'notification-test', { channel: 'webhook' })).status).toBe(409)
    expect((await send(bert, 'notification-secret')).status).toBe(404)
    await send(bert, 'notification-off', { channel: 'webhook' })
    await send(bert, 'notification-off', { channel: 'email' })
    expect(receiver.received).toEqual([])
    expect((await send(anna, 'notification-test', { channel: 'webhook' })).text).toContain(
      'Test sent',
    )
    expect((await openPage(anna, PAGE)).text).toContain('dora@home.example On')
  })

  test('issue 53.5: the news of a batch carries its ZIP, which takes its owner’s sign-in; a batch without clips has none', async () => {
    const [anna, bert] = [await rich(), await rich()]
    await confirm(anna, 'zip@home.example')
    const batchId = await runBatch(anna)
    await isSettled(anna, 1)
    const link = /Download them as ZIP: (\S+)/.exec(decoded(mail.mails[0]))?.[1] ?? ''
    const { pathname, search } = new URL(link)
    const load = (who: TestUser | ReturnType<typeof product.client>) =>
      who.send('GET', pathname + search, { headers: { accept: 'text/html' } })
    const zip = await load(anna)
    expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
    // Signed out, the batch's page is what follows the sign-in; of another user's batch nothing is told.
    expect((await load(product.client())).headers.get('location')).toBe(
      `/login?redirectTo=${encodeURIComponent(`/batches/${batchId}`)}`,
    )
    expect((await load(bert)).headers.get('location')).toBe(`/batches/${batchId}`)
    const rowOf = async () => (await openPage(anna, PAGE)).html.includes(`inOrder=${batchId}`)
    expect(await rowOf()).toBe(true)
    await product.db.query('update videos set deleted_at = now() where batch_id = $1', [batchId])
    expect(await rowOf()).toBe(false)
  })

  test('U-NOTIFY-2: single videos send nothing', async () => {
    const user = await rich()
    await setWebhook(user)
    await user.post('/api/videos/generate', { prompt: 'A red boat' })
    await until('the video', async () => {
      const { rows } = await product.db.query(
        `select 1 from videos where user_id = $1 and status = 'completed'`,
        [user.userId],
      )
      return rows.length === 1
    })
    await runBatch(user)
    await isSettled(user, 1)
    expect(receiver.received).toHaveLength(1)
  })
})

test('U-NOTIFY-4: what the operator has not switched on is not shown; a form of it is refused', async () => {
  const other = await startInstallation()
  try {
    const user = await other.user()
    const page = await openPage(user, PAGE)
    expect(page.text).toContain('Notifications are not offered here.')
    // The page is for who follows an old link; the menu does not lead to it.
    expect((await openPage(user, '/usage')).html).not.toContain(`href="${PAGE}"`)
    expect(page.text).not.toMatch(/On this device|By e-mail|By webhook/)
    expect(page.html).not.toContain('value="notification-email"')
    expect(page.html).not.toContain('value="notification-webhook"')
    const sent = await sendForm(user, PAGE, {
      intent: 'notification-webhook',
      url: 'https://example.com',
    })
    expect(sent.status).toBe(403)
    const asked = await sendForm(user, PAGE, { intent: 'notification-email', email: 'a@b.example' })
    expect(asked.status).toBe(403)
  } finally {
    await other.remove()
  }
})
