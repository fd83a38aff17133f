import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../support/client'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { formTokenIn, openPage, sendForm } from '../support/page'
import { stopClock, switchOn, type StandingClock } from '../support/second-factor'

const product = useInstallation({ env: { THROTTLE_SCALE: '2' } })
let clock: StandingClock
beforeAll(async () => {
  clock = await stopClock(product.db)
})

type Program = TestUser
type Fields = Record<string, string>

/** Returns an administrator who signed in `minutes` ago. */
async function adminAfter(minutes: number): Promise<Program> {
  const admin = await product.user({ role: 'admin' })
  await product.db.query(
    `update sessions set created_at = engine_now() - make_interval(mins => $2) where user_id = $1`,
    [admin.userId, minutes],
  )
  return admin
}
const doneBy = async ({ userId }: Program) => {
  const { rows } = await product.db.query<{ action: string }>(
    `select action from trail_entries where actor_id = $1 and action not like 'auth.%' order by at, id`,
    [userId],
  )
  return rows.map(({ action }) => action)
}
const decoded = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x27;', "'")
/** Returns the hidden fields of the confirmation form, as a browser sends them. */
const hiddenIn = (html: string): [string, string][] =>
  [
    ...(/name="ownPassword".*?<\/form>/s.exec(html)?.[0] ?? '').matchAll(
      /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
    ),
  ].map(([, name = '', value = '']) => [decoded(name), decoded(value)])

/** Posts as a browser does: after a 307 it sends the same form to the new location. */
async function post(client: Client, path: string, body: URLSearchParams) {
  let at = path
  for (let hops = 0; hops < 10; hops++) {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const response = await client.send('POST', at, { body, headers })
    const location = response.headers.get('location')
    if (response.status !== 307 || location === null)
      return { at, status: response.status, location, html: await response.text() }
    at = location
  }
  throw new Error(`led in a circle by ${at}`)
}

async function sendFrom(client: Client, page: string, fields: Fields) {
  const { html } = await openPage(client, page)
  const address = page === '/admin' ? '/admin?index' : page
  return post(client, address, new URLSearchParams({ formToken: formTokenIn(html), ...fields }))
}

/** Submits the confirmation page with the proof. */
const confirm = (client: Client, asked: { at: string; html: string }, proof: Fields) =>
  post(client, asked.at, new URLSearchParams([...hiddenIn(asked.html), ...Object.entries(proof)]))

const PASSWORD = { ownPassword: 'secret-1' }

const NUMBERS = { videoLimit: '3', speedLimit: '1', videoGenerationSpeed: '60', expireDays: '30' }
/** Returns the fields of the form of a user, as the page shows them. */
const edited = ({ userId }: Program, changed: Fields) => ({
  intent: 'edit-user',
  id: userId,
  role: 'user',
  plan: 'Starter',
  isActive: 'on',
  ...NUMBERS,
  password: '',
  ...changed,
})

/** Every form that requires a confirmation. Some fields need a user. */
const FORMS: [string, (user: Program) => Fields, string][] = [
  ['/admin', ({ userId }) => ({ intent: 'delete-user', id: userId }), 'user.delete'],
  ['/admin', (user) => edited(user, { role: 'editor' }), 'user.edit'],
  ['/admin', (user) => edited(user, { password: 'another-secret' }), 'user.edit'],
  ['/admin', (user) => edited(user, { bearerToken: 'token-of-a-user' }), 'user.edit'],
  [
    '/admin',
    () => ({
      intent: 'create-user',
      phone: '03339990001',
      password: 'another-secret',
      role: 'admin',
      plan: 'Starter',
      ...NUMBERS,
    }),
    'user.create',
  ],
  ['/admin/tokens', () => ({ intent: 'add-token', token: 'a-token-by-form' }), 'token.add'],
  ['/admin/tokens', () => ({ intent: 'add-tokens', tokens: 'one-token\ntwo-token' }), 'token.add'],
  ['/admin/tokens', () => ({ intent: 'remove-all' }), 'tokens.remove-all'],
  [
    '/admin/users/import',
    () => ({ mode: 'import', text: '03339990002|another-secret' }),
    'user.import',
  ],
  [
    '/admin/users/assign-tokens',
    () => ({ mode: 'assign', text: 'some-token\nother-token' }),
    'tokens.assign',
  ],
]

describe('the password again', () => {
  test.each(FORMS)(
    'a form of %s waits for it and is carried out afterwards (%#)',
    async (page, of, action) => {
      const admin = await adminAfter(16)
      const asked = await sendFrom(admin, page, of(await product.user()))
      expect(asked.at).toMatch(/^\/admin\/confirm\?to=/)
      expect(asked.status).toBe(403)
      expect(asked.html).toContain('Confirm it’s you')
      expect(await doneBy(admin)).toEqual([])

      const done = await confirm(admin, asked, PASSWORD)
      expect(done.at.split('?')[0]).toBe(page)
      expect([200, 303]).toContain(done.status)
      expect([...new Set(await doneBy(admin))]).toEqual([action])
    },
  )

  test('changes the session’s token: a copied cookie ends, and the form is carried out', async () => {
    const admin = await adminAfter(16)
    const elsewhere = product.client()
    await elsewhere.post('/api/auth/login', { username: admin.username, password: 'secret-1' })
    const copied = admin.cookieHeader
    const isIn = async (cookie: string) =>
      (await fetch(`${product.url}/api/auth/me`, { headers: { cookie } })).status === 200
    const adding = { intent: 'add-token', token: 'token-by-renewed' }
    const asked = await sendFrom(admin, '/admin/tokens', adding)
    expect(await isIn(copied)).toBe(true)
    await confirm(admin, asked, PASSWORD)
    expect(await doneBy(admin)).toEqual(['token.add'])
    expect(await isIn(copied)).toBe(false)
    expect(await isIn(admin.cookieHeader)).toBe(true)
    expect(await isIn(elsewhere.cookieHeader)).toBe(true)

    const again = admin.cookieHeader
    const { html } = await openPage(admin, '/admin/tokens')
    const proof = { formToken: formTokenIn(html), password: 'secret-1' }
    const file = await post(admin, '/admin/users/export', new URLSearchParams(proof))
    expect(file.status).toBe(200)
    expect(await isIn(again)).toBe(false)
  })

  test('restoring a user and disabling an administrator require it', async () => {
    const admin = await adminAfter(0)
    const [user, other] = [await product.user(), await product.user({ role: 'admin' })]
    await admin.call('DELETE', `/api/admin/users/${user.userId}`)
    await clock.move(16 * 60)
    const restore = { intent: 'restore', id: user.userId }
    const asked = await sendFrom(admin, '/admin/users/trash', restore)
    expect(asked.html).toContain('Confirm it’s you')
    const disable = { isActive: false }
    expect((await admin.call('PATCH', `/api/admin/users/${other.userId}`, disable)).status).toBe(
      403,
    )
    await confirm(admin, asked, PASSWORD)
    expect((await admin.call('PATCH', `/api/admin/users/${other.userId}`, disable)).status).toBe(
      200,
    )
    expect(await doneBy(admin)).toEqual(['user.delete', 'user.restore', 'user.edit'])
  })

  test('creating a set-password link requires it', async () => {
    const admin = await adminAfter(0)
    const name = '03339990003'
    await sendForm(admin, '/admin/users/import', { mode: 'import', text: `${name}|[HASHED]` })
    const { rows } = await product.db.query<{ id: string }>(
      'select id from users where username = $1',
      [name],
    )
    await clock.move(16 * 60)
    const asked = await sendFrom(admin, '/admin', {
      intent: 'password-link',
      id: rows[0]?.id ?? '',
    })
    const links = async () =>
      (await doneBy(admin)).filter((action) => action === 'user.password-link').length
    expect(await links()).toBe(1)
    await confirm(admin, asked, PASSWORD)
    expect(await links()).toBe(2)
  })

  test('calls return 403 with a code and a message, and change nothing', async () => {
    const admin = await adminAfter(16)
    const { userId } = await product.user()
    const user = `/api/admin/users/${userId}`
    const calls: [string, string, unknown?][] = [
      ['DELETE', user],
      ['PATCH', user, { password: 'another-secret' }],
      ['PUT', user, { role: 'admin' }],
      ['DELETE', '/api/admin/users/delete-all'],
      [
        'POST',
        '/api/admin/users/bulk-import',
        { users: [{ username: '03339990004', password: 'x1y2z3' }] },
      ],
      ['POST', '/api/admin/users/assign-tokens', { tokens: ['a-token-by-call'] }],
      ['POST', '/api/admin/extra-tokens', { token: 'a-token-by-call' }],
      ['DELETE', '/api/admin/extra-tokens/delete-all'],
      ['DELETE', '/api/admin/videos/delete-by-status?status=all'],
    ]
    for (const [method, path, body] of calls) {
      const response = await admin.call(method, path, body)
      expect([method, path, response.status, response.body.code]).toEqual([
        method,
        path,
        403,
        'PASSWORD_NEEDED',
      ])
      expect(response.body.error).toContain('Sign in again')
    }
    expect(await doneBy(admin)).toEqual([])
    // Following the message solves it: after signing in again the call succeeds.
    await admin.post('/api/auth/login', { username: admin.username, password: 'secret-1' })
    expect((await admin.call('DELETE', user)).status).toBe(200)
  })

  test('L4: everyday actions require a password of the last 12 hours', async () => {
    const stale = await adminAfter(12 * 60 + 1)
    const buyer = await product.user()
    const sale = { phone: '03339990006', plan: 'Starter' }
    const path = `/api/admin/users/${buyer.userId}`
    for (const refused of [
      await stale.call('PATCH', path, { videoLimit: 9 }),
      await stale.post(`${path}/reset-counter`),
      await stale.post('/api/admin/users/quick-create', sale),
    ])
      expect([refused.status, refused.body]).toMatchObject([403, { code: 'PASSWORD_NEEDED' }])
    const asked = await sendFrom(stale, '/admin', edited(buyer, { videoLimit: '8' }))
    expect(asked.at).toMatch(/^\/admin\/confirm\?to=/)
    expect(await doneBy(stale)).toEqual([])
    expect((await confirm(stale, asked, PASSWORD)).status).toBe(303)
    expect((await stale.post('/api/admin/users/quick-create', sale)).status).toBe(201)

    const admin = await adminAfter(12 * 60 - 1)
    const { userId } = await product.user()
    const user = `/api/admin/users/${userId}`
    expect((await admin.call('PATCH', user, { videoLimit: 9, isActive: false })).status).toBe(200)
    expect((await admin.post(`${user}/reset-counter`)).status).toBe(200)
    const id = (await product.user()).userId
    const renewed = await sendFrom(admin, '/admin', { intent: 'renew', id })
    expect(renewed.location).toContain('/admin/changes/')
    const quick = { phone: '03339990005', plan: 'Starter' }
    expect((await admin.post('/api/admin/users/quick-create', quick)).status).toBe(201)
    const saved = await sendFrom(admin, '/admin', edited(await product.user(), { videoLimit: '8' }))
    expect(saved.status).toBe(303)
  })

  test('is valid for 15 minutes, in this session only', async () => {
    const admin = await adminAfter(14)
    const elsewhere = product.client()
    await elsewhere.post('/api/auth/login', { username: admin.username, password: 'secret-1' })
    const add = (client: Client, token: string) => client.post('/api/admin/extra-tokens', { token })
    expect((await add(admin, 'token-at-14')).status).toBe(201)
    await clock.move(16 * 60)
    const asked = await sendFrom(admin, '/admin/tokens', {
      intent: 'add-token',
      token: 'token-later',
    })
    await confirm(admin, asked, PASSWORD)
    expect((await add(admin, 'token-after')).status).toBe(201)
    expect((await add(elsewhere, 'token-elsewhere')).status).toBe(403)
    await clock.move(16 * 60)
    expect((await add(admin, 'token-too-late')).status).toBe(403)
  })

  test('a wrong password is reported, counted and recorded, and what was typed is kept', async () => {
    const admin = await adminAfter(16)
    const typed = { intent: 'add-tokens', tokens: 'first-kept\n"second" & <third>' }
    const asked = await sendFrom(admin, '/admin/tokens', typed)
    let last = asked
    for (let i = 0; i < 20; i++) {
      last = await confirm(admin, last, { ownPassword: 'wrong-1' })
      expect(last.status).toBe(400)
      expect(last.html).toContain('This is not your password')
    }
    const limited = await confirm(admin, last, PASSWORD)
    expect(limited.status).toBe(429)
    expect(limited.html).toContain('Too many wrong passwords')
    expect(hiddenIn(limited.html).map(([name]) => name)).toEqual(['intent', 'tokens', 'formToken'])
    expect(limited.html).not.toContain('wrong-1')
    expect(await doneBy(admin)).toEqual([])
    const { rows } = await product.db.query(
      `select 1 from trail_entries where action = 'auth.wrong-password' and actor_id = $1`,
      [admin.userId],
    )
    expect(rows).toHaveLength(20)
  })

  const cancel = (client: Client, asked: { at: string; html: string }) =>
    post(
      client,
      asked.at,
      new URLSearchParams([...hiddenIn(asked.html), ['ownPassword', ''], ['notConfirmed', 'yes']]),
    )

  test.each(FORMS)('a cancelled form of %s returns to its page (%#)', async (page, of) => {
    const admin = await adminAfter(16)
    const fields = of(await product.user())
    const asked = await sendFrom(admin, page, fields)
    expect(asked.html).toContain('name="notConfirmed"')
    const back = await cancel(admin, asked)
    expect([back.at.split('?')[0], back.status]).toEqual([page, 200])
    expect(back.html).toContain('Cancelled')
    expect(back.html).toContain('Nothing was changed.')
    expect(await doneBy(admin)).toEqual([])
    const typed = fields.text ?? fields.tokens ?? fields.token
    if (typed !== undefined) expect(decoded(back.html)).toContain(typed.split('\n')[0])
  })

  test('a cancelled dialog returns with everything except secrets, and can be sent again', async () => {
    const admin = await adminAfter(16)
    const user = await product.user()
    const page = `/admin?dialog=edit&on=${user.userId}`
    const typed = edited(user, { videoLimit: '77', role: 'editor', password: 'another-secret' })
    const asked = await sendFrom(admin, page, typed)
    const back = await cancel(admin, asked)
    expect(back.html).toMatch(/name="videoLimit"[^>]*value="77"|value="77"[^>]*name="videoLimit"/)
    expect(back.html).toMatch(/<option value="editor" selected/)
    expect(back.html).not.toContain('another-secret')
    expect(back.html).toContain('Nothing was changed. Type the user’s password again.')
    // The confirmation page itself has the typed secret and does not ask for it.
    expect(asked.html).not.toContain('Type the password again')
    const wrong = await confirm(admin, asked, { ownPassword: 'wrong-1' })
    expect(wrong.html).toContain('This is not your password')
    expect(wrong.html).not.toContain('Type the password again')
    // The confirmation is required again, and the form has no fields left from the cancelled
    // attempt.
    const again = await sendFrom(admin, page, typed)
    expect(again.html).toContain('Confirm it’s you')
    await confirm(admin, again, PASSWORD)
    expect(await doneBy(admin)).toEqual(['user.edit'])
  })

  test('accepts the code of an account with a second factor', async () => {
    const admin = await adminAfter(0)
    const { app } = await switchOn(admin, clock.now)
    await clock.move(16 * 60)
    const asked = await sendFrom(admin, '/admin/tokens', {
      intent: 'add-token',
      token: 'coded-token',
    })
    expect(asked.html).toContain('name="code"')
    expect((await confirm(admin, asked, PASSWORD)).html).toContain('Type the code')
    const wrong = await confirm(admin, asked, { ...PASSWORD, code: '000000' })
    expect(wrong.html).toContain('This code is wrong')
    expect(await doneBy(admin)).toEqual([])
    await confirm(admin, asked, { ...PASSWORD, code: app.code() })
    expect(await doneBy(admin)).toEqual(['token.add'])
    const { rows } = await product.db.query(
      `select 1 from trail_entries where action = 'auth.confirm' and actor_id = $1`,
      [admin.userId],
    )
    expect(rows).toHaveLength(1)
  })

  test('opened by its address it redirects, and to our own pages only', async () => {
    const admin = await adminAfter(16)
    const to = (path: string) => `/admin/confirm?${new URLSearchParams({ to: path })}`
    const { html } = await openPage(admin, to('/admin/tokens'))
    expect(html).toContain('you are not asked for it in the next 15 minutes')
    expect(html).not.toContain('more than 15 minutes ago')
    const page = await sendForm(admin, to('/admin/tokens'), PASSWORD)
    expect(page).toMatchObject({ status: 303, location: '/admin/tokens' })
    for (const address of [
      'https://evil.example/',
      '//evil.example/',
      String.raw`/\evil.example`,
    ]) {
      const { location } = await sendForm(admin, to(address), PASSWORD)
      expect(location).toBe('/admin')
      const sent = await sendFrom(admin, to(address), {
        intent: 'reset-all',
        expected: '1',
        typed: '1',
        ...PASSWORD,
      })
      expect(sent.at.startsWith('/admin?')).toBe(true)
    }
    const stranger = product.client()
    expect((await stranger.send('GET', '/admin/confirm')).headers.get('location')).toMatch(
      /^\/login/,
    )
    const user = await product.user()
    expect((await user.send('GET', '/admin/confirm')).status).toBe(403)
  })

  test('a form of another session confirms nothing', async () => {
    const admin = await adminAfter(16)
    const body = { ...PASSWORD, formToken: 'forged', intent: 'add-token', token: 'forged-token' }
    const response = await post(admin, '/admin/confirm?to=/admin/tokens', new URLSearchParams(body))
    expect(response.status).toBe(403)
    expect(response.html).toContain('This form is out of date')
    const token = 'still-refused'
    expect((await admin.post('/api/admin/extra-tokens', { token })).status).toBe(403)
  })
})
