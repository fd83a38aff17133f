import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client'
import { useInstallation } from '../support/shared-installation'
import { openPage, sendForm, sendPassword } from '../support/page'

const product = useInstallation()

const CHROME =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

const signIn = (client: Client, username: string, userAgent = CHROME, password = 'secret-1') =>
  client.post('/api/auth/login', { username, password }, { 'user-agent': userAgent })
const isIn = async (cookie: string): Promise<boolean> =>
  (await fetch(`${product.url}/api/auth/me`, { headers: { cookie } })).status === 200
/** Returns the client's cookies, as a thief would copy them. */
const copyOf = (client: Client) => client.cookieHeader

describe('session ids', () => {
  test('signing in again ends the presented session, even another user’s, and creates a new id', async () => {
    const [one, two] = [await product.user(), await product.user()]
    const first = copyOf(one)
    expect((await signIn(one, one.username)).status).toBe(200)
    const second = copyOf(one)
    expect(second).not.toBe(first)
    expect(await isIn(first)).toBe(false)
    expect(await isIn(second)).toBe(true)
    expect((await signIn(one, two.username)).status).toBe(200)
    expect(await isIn(second)).toBe(false)
    expect(await isIn(copyOf(two))).toBe(true)
  })

  test('a wrong password ends no session', async () => {
    const user = await product.user()
    expect((await signIn(user, user.username, CHROME, 'wrong-1')).status).toBe(401)
    expect((await user.get('/api/auth/me')).status).toBe(200)
  })

  test('U-PWD-5: a changed password also ends a copied cookie, and the browser continues with a new one', async () => {
    const user = await product.user()
    const copied = copyOf(user)
    await user.post('/api/auth/user/change-password', {
      oldPassword: 'secret-1',
      newPassword: 'secret2',
    })
    expect(await isIn(copied)).toBe(false)
    expect((await user.get('/api/auth/me')).status).toBe(200)
    const again = copyOf(user)
    const page = await sendPassword(user, 'secret2', 'secret3')
    expect(page.text).toContain('Password changed')
    expect(await isIn(again)).toBe(false)
    expect((await user.get('/api/auth/me')).status).toBe(200)
  })

  test('Q-49: use extends a session by 30 days, up to 90 days after signing in', async () => {
    const user = await product.user()
    const age = (days: number) =>
      product.db.query(
        `update sessions set created_at = now() - $2 * interval '1 day',
           last_seen_at = now() - interval '1 day' where user_id = $1`,
        [user.userId, days],
      )
    const daysLeft = async () => {
      const { rows } = await product.db.query<{ days: number }>(
        `select round(extract(epoch from expires_at - now()) / 86400)::int as days
         from sessions where user_id = $1`,
        [user.userId],
      )
      return rows[0]?.days
    }
    for (const [days, left] of [
      [10, 30],
      [80, 10],
    ] as const) {
      await age(days)
      expect((await user.send('GET', '/usage')).status).toBe(200)
      expect(await daysLeft()).toBe(left)
    }
    await age(91)
    await product.db.query(
      `update sessions set expires_at = now() + interval '20 days' where user_id = $1`,
      [user.userId],
    )
    expect((await user.get('/api/auth/me')).status).toBe(401)
  })
})

describe('the list of sessions', () => {
  test('each session is listed with its device; one is ended, then the others', async () => {
    const user = await product.user()
    const [phone, desk, old] = [product.client(), product.client(), product.client()]
    await signIn(user, user.username, FIREFOX)
    await signIn(phone, user.username, CHROME)
    await signIn(desk, user.username, FIREFOX)
    await signIn(old, user.username, '')
    const stranger = await product.user()

    const page = await openPage(user, '/account/sessions')
    expect(page.text).toContain('Firefox on Linux This device')
    expect(page.text).toContain('Chrome on Android')
    expect(page.html).not.toContain('AppleWebKit')
    const ids = [...page.html.matchAll(/name="ids"[^>]*value="([0-9a-f-]{36})"/g)].map(
      ([, id]) => id,
    )
    expect(ids).toHaveLength(3)
    const chrome =
      /value="([0-9a-f-]{36})"(?:(?!value=).)*Chrome on Android/s.exec(page.html)?.[1] ?? ''
    const choose = (client: Client, id: string, ownPassword = 'secret-1') =>
      sendForm(client, '/account/sessions', { intent: 'end-chosen', ids: [id], ownPassword })

    // Another user's session cannot be ended by its id.
    expect((await choose(stranger, chrome)).text).toContain('These sessions have already ended')
    expect(await isIn(copyOf(phone))).toBe(true)

    const ended = await choose(user, chrome)
    expect(ended.text).toContain('1 device signed out.')
    expect(await isIn(copyOf(phone))).toBe(false)
    expect(await isIn(copyOf(desk))).toBe(true)
    const twice = await choose(user, chrome)
    expect(twice.status).toBe(404)
    expect(twice.text).toContain('These sessions have already ended')
    const nothing = await sendForm(user, '/account/sessions', {
      intent: 'end-chosen',
      ownPassword: 'secret-1',
    })
    expect(nothing.text).toContain('Choose a device')

    const others = await sendForm(user, '/account/sessions', {
      intent: 'end-others',
      ownPassword: 'secret-1',
    })
    expect(others.text).toContain('2 devices signed out.')
    expect(others.text).toContain('You are signed in nowhere else.')
    for (const client of [desk, old]) expect(await isIn(copyOf(client))).toBe(false)
    expect(await isIn(copyOf(user))).toBe(true)
    expect(await isIn(copyOf(stranger))).toBe(true)
  })

  test('ending sessions requires the password as well as an open session, and the selection is kept', async () => {
    const [user, phone] = [await product.user(), product.client()]
    await signIn(phone, user.username)
    const { html } = await openPage(user, '/account/sessions')
    const id = /name="ids"[^>]*value="([0-9a-f-]{36})"/.exec(html)?.[1] ?? ''
    for (const ownPassword of ['', 'wrong-1'])
      for (const intent of ['end-chosen', 'end-others']) {
        const refused = await sendForm(user, '/account/sessions', {
          intent,
          ownPassword,
          ids: [id],
        })
        expect(refused.status).toBe(400)
        expect(refused.html).toMatch(/<input[^>]*checked=""[^>]*value="[0-9a-f-]{36}"/)
        expect(refused.html).not.toContain('wrong-1')
      }
    expect(await isIn(copyOf(phone))).toBe(true)
    const { rows } = await product.db.query(
      `select 1 from trail_entries where action = 'auth.wrong-password' and actor_id = $1`,
      [user.userId],
    )
    expect(rows).toHaveLength(2)
  })

  test('ending sessions replaces this one’s token: a copied cookie ends too', async () => {
    const [user, phone] = [await product.user(), product.client()]
    await signIn(phone, user.username)
    const copied = copyOf(user)
    await sendForm(user, '/account/sessions', { intent: 'end-others', ownPassword: 'secret-1' })
    expect(await isIn(copied)).toBe(false)
    expect(await isIn(copyOf(user))).toBe(true)
  })

  test('of two sessions that end each other concurrently, one remains', async () => {
    const [user, phone] = [await product.user(), product.client()]
    await signIn(phone, user.username)
    const end = { intent: 'end-others', ownPassword: 'secret-1' }
    const both = [user, phone].map((client) => sendForm(client, '/account/sessions', end))
    for (const { status } of await Promise.all(both)) expect(status).toBeLessThan(500)
    const signedIn = await Promise.all([user, phone].map((client) => isIn(copyOf(client))))
    expect(signedIn.filter(Boolean)).toHaveLength(1)
  })

  test('the account card, the dialog and the password page link to the list', async () => {
    const user = await product.user()
    for (const path of ['/app', '/dashboard?dialog=change-password', '/account/password'])
      expect((await openPage(user, path)).html).toContain('href="/account/sessions"')
  })

  test('a form of another session ends no session', async () => {
    const user = await product.user()
    await signIn(product.client(), user.username)
    const response = await user.send('POST', '/account/sessions', {
      body: new URLSearchParams({ intent: 'end-others', formToken: 'forged' }),
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(response.status).toBeGreaterThanOrEqual(400)
    const { rows } = await product.db.query('select 1 from sessions where user_id = $1', [
      user.userId,
    ])
    expect(rows).toHaveLength(2)
  })
})
