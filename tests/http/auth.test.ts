import { describe, expect, test } from 'vitest'
import { startInstallation } from '../support/installation'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation()

type Failure = { error: string; code: string; fields?: Record<string, string[]> }
let numbers = 20_000_000
const newPhone = () => `0311${numbers++}`

describe('registering', () => {
  test('U-API-3, U-ROLE-1: a new account is signed in, has the role user and the trial', async () => {
    const client = product.client()
    const phone = newPhone()
    const response = await client.post<{ success: boolean; user: Record<string, unknown> }>(
      '/api/auth/register',
      {
        phone,
        password: 'secret-1',
      },
    )
    expect(response.status).toBe(201)
    expect(response.body.success).toBe(true)
    expect(response.body.user).toMatchObject({
      username: phone,
      phone,
      role: 'user',
      plan: 'Starter',
      isActive: true,
      daysLeft: 3,
      videoLimit: 3,
      speedLimit: 1,
      videoGenerationSpeed: 90,
      videosGeneratedToday: 0,
      videosGeneratedThisMonth: 0,
    })
    expect((await client.get('/api/auth/me')).body).toEqual(response.body.user)
  })

  test('U-REG-2: seven digits are too few, eight are enough, other characters do not count', async () => {
    const register = (phone: string) =>
      product.client().post<Failure>('/api/auth/register', { phone, password: 'secret-1' })
    const short = await register('(03) 12-34 5')
    expect(short.status).toBe(400)
    expect(short.body).toMatchObject({
      code: 'BAD_INPUT',
      error: 'Phone number must be at least 8 characters',
      fields: { phone: ['Phone number must be at least 8 characters'] },
    })
    expect((await register(newPhone().slice(0, 8))).status).toBe(201)
  })

  test('U-REG-3: a password needs six characters', async () => {
    const register = (password: string) =>
      product.client().post<Failure>('/api/auth/register', { phone: newPhone(), password })
    const short = await register('12345')
    expect(short.status).toBe(400)
    expect(short.body.error).toBe('Password must be at least 6 characters')
    expect((await register('tr33#x')).status).toBe(201)
  })

  test('U-REG-6: a phone has one account, in any notation', async () => {
    const phone = newPhone()
    const body = { phone, password: 'secret-1' }
    await product.client().post('/api/auth/register', body)
    const again = await product.client().post<Failure>('/api/auth/register', {
      ...body,
      phone: `+${phone.slice(0, 4)} ${phone.slice(4)}`,
    })
    expect(again.status).toBe(409)
    expect(again.body.error).toContain('already has an account')
  })

  test('U-REG-7: ten concurrent requests create one account', async () => {
    const body = { phone: newPhone(), password: 'secret-1' }
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => product.client().post('/api/auth/register', body)),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(9)
  })

  test('without a trial an account has no plan', async () => {
    const closed = await startInstallation({ env: { SIGNUP_TRIAL_VIDEOS: '0' } })
    const user = await closed.user()
    const me = await user.get<{ plan: null; expiryDate: null }>('/api/auth/me')
    expect(me.body).toMatchObject({ plan: null, expiryDate: null, daysLeft: null })
    const refused = await user.post<Failure>('/api/videos/generate', { prompt: 'a' })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'NO_ACTIVE_PLAN' })
    expect(refused.body.error).toContain('No active plan')
    await closed.remove()
  })
})

describe('signing in', () => {
  test('U-API-2: the right password returns username and role, a wrong one an error', async () => {
    const user = await product.user()
    const client = product.client()
    const wrong = await client.post<Failure>('/api/auth/login', {
      username: user.username,
      password: 'wrong-1',
    })
    expect(wrong.status).toBe(401)
    expect(wrong.body.error).toBe('Wrong username or password')
    expect((await client.get('/api/auth/me')).status).toBe(401)

    const right = await client.post('/api/auth/login', {
      username: ` ${user.username.slice(0, 4)}-${user.username.slice(4)} `,
      password: 'secret-1',
    })
    expect(right.status).toBe(200)
    expect(right.body).toEqual({ username: user.username, role: 'user' })
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  test('U-LOGIN-2: both fields are required: the page marks them and sets no session', async () => {
    const page = await (await product.client().send('GET', '/login')).text()
    for (const name of ['username', 'password']) {
      expect(page).toMatch(new RegExp(`<input[^>]*name="${name}"[^>]* required=""`))
    }
    const { username } = await product.user()
    for (const [fields, marked] of [
      [{}, ['username', 'password']],
      [{ username: '  ', password: 'secret-1' }, ['username']],
      [{ username, password: '' }, ['password']],
    ] as const) {
      const client = product.client()
      const response = await client.submit('/login', { intent: 'sign-in', ...fields })
      const html = await response.text()
      expect(response.status).toBe(400)
      expect(client.cookieHeader).not.toContain('session')
      const inputs = [...html.matchAll(/<input[^>]*aria-invalid="true"[^>]*>/g)]
      expect(inputs.map(([input]) => /name="(\w+)"/.exec(input)?.[1])).toEqual(marked)
      expect((await client.get('/api/auth/me')).status).toBe(401)
    }
  })

  test('an unknown name gets the same response as a wrong password', async () => {
    const unknown = await product
      .client()
      .post<Failure>('/api/auth/login', { username: '0399000000', password: 'secret-1' })
    expect(unknown.status).toBe(401)
    expect(unknown.body.error).toBe('Wrong username or password')
  })

  test('U-LOGIN-8: the cookie is inaccessible to scripts and other sites, and its token is not stored', async () => {
    const user = await product.user()
    const response = await product.client().send('POST', '/api/auth/login', {
      body: JSON.stringify({ username: user.username, password: 'secret-1' }),
      headers: { 'content-type': 'application/json' },
    })
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^session=.*; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    const token = Buffer.from(
      decodeURIComponent(/session=([^.;]*)/.exec(cookie)?.[1] ?? ''),
      'base64',
    ).toString()
    const { rows } = await product.db.query<{ found: boolean }>(
      `select bool_or(encode(id_hash, 'escape') like '%' || $1 || '%') as found from sessions`,
      [token.slice(1, 20)],
    )
    expect(rows[0]?.found).toBe(false)
  })

  test('U-API-4: after signing out the old cookie is invalid', async () => {
    const user = await product.user()
    const copy = user.cookieHeader
    expect((await user.post('/api/auth/logout')).body).toEqual({ success: true })
    const replay = await fetch(`${product.url}/api/auth/me`, { headers: { cookie: copy } })
    expect(replay.status).toBe(401)
  })

  test('a disabled account cannot sign in, and its open session ends with the next request', async () => {
    const user = await product.user()
    await product.db.query('update users set is_active = false where id = $1', [user.userId])
    expect((await user.get('/api/auth/me')).status).toBe(401)
    const refused = await product
      .client()
      .post<Failure>('/api/auth/login', { username: user.username, password: 'secret-1' })
    expect(refused.status).toBe(403)
    expect(refused.body.code).toBe('ACCOUNT_DISABLED')
  })

  test('a cookie that was tampered with is not accepted', async () => {
    const user = await product.user()
    const forged = user.cookieHeader.replace(/session=./, 'session=X')
    const response = await fetch(`${product.url}/api/auth/me`, { headers: { cookie: forged } })
    expect(response.status).toBe(401)
  })
})

describe('throttles', () => {
  test('only failures count: ten wrong passwords per name, then 429, also for thirty concurrent requests', async () => {
    const throttled = await startInstallation({ env: { THROTTLE_SCALE: '1' } })
    const user = await throttled.user()
    const signIn = (password: string) =>
      throttled.client().post<Failure>('/api/auth/login', { username: user.username, password })
    for (let i = 0; i < 12; i++) expect((await signIn('secret-1')).status).toBe(200)
    const guesses = await Promise.all(Array.from({ length: 30 }, () => signIn('wrong-1')))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10)
    const refused = guesses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(20)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused[0]?.body.error).toMatch(
      /^Too many failed sign-ins\. Try again in \d+ minutes\.$/,
    )
    expect((await signIn('secret-1')).status).toBe(429)
    await throttled.remove()
  })

  test('an address can register at most thirty accounts per hour', async () => {
    const throttled = await startInstallation({ env: { THROTTLE_SCALE: '0.1' } })
    const register = () =>
      throttled
        .client()
        .post<Failure>('/api/auth/register', { phone: newPhone(), password: 'secret-1' })
    for (let i = 0; i < 3; i++) expect((await register()).status).toBe(201)
    expect((await register()).status).toBe(429)
    await throttled.remove()
  })
})

describe('changing the password', () => {
  test('U-API-5, U-PWD-4, U-PWD-5, U-PWD-6: the old password is required; afterwards only the new one works, and other sessions have ended', async () => {
    const user = await product.user()
    const elsewhere = product.client()
    await elsewhere.post('/api/auth/login', { username: user.username, password: 'secret-1' })

    const wrong = await user.post<Failure>('/api/auth/user/change-password', {
      oldPassword: 'nope-1',
      newPassword: 'secret2',
    })
    expect(wrong.status).toBe(400)
    expect(wrong.body.error).toBe('The old password is wrong')
    const short = await user.post<Failure>('/api/auth/user/change-password', {
      oldPassword: 'secret-1',
      newPassword: '12345',
    })
    expect(short.body.error).toBe('Password must be at least 6 characters')

    const changed = await user.post('/api/auth/user/change-password', {
      oldPassword: 'secret-1',
      newPassword: 'secret2',
    })
    expect(changed.body).toEqual({ success: true })
    expect((await user.get('/api/auth/me')).status).toBe(200)
    expect((await elsewhere.get('/api/auth/me')).status).toBe(401)
    const signIn = (password: string) =>
      product.client().post('/api/auth/login', { username: user.username, password })
    expect((await signIn('secret-1')).status).toBe(401)
    expect((await signIn('secret2')).status).toBe(200)
  })
})

describe('what every signed-in user may do', () => {
  test.each(['user', 'editor'] as const)(
    'U-ROLE-2: %s generates, sees and deletes their own videos, uses the daily prompt, changes their password',
    async (role) => {
      await product.db.query(`insert into prompts (id, text) values (gen_random_uuid(), 'A kite')`)
      const person = await product.user({ role })
      const made = await person.post<{ id: string }>('/api/videos/generate', { prompt: 'a boat' })
      expect(made.status).toBe(201)
      type List = { videos: { id: string }[] }
      expect((await person.get<List>('/api/videos')).body.videos).toMatchObject([
        { id: made.body.id },
      ])
      expect((await person.get(`/api/videos/${made.body.id}/status`)).status).toBe(200)
      expect((await person.call('DELETE', `/api/videos/${made.body.id}`)).status).toBe(200)
      expect((await person.get<List>('/api/videos')).body.videos).toEqual([])
      const daily = await person.get<{ id: string }>('/api/prompts/daily')
      expect(daily.status).toBe(200)
      expect((await person.post(`/api/prompts/${daily.body.id}/copy`)).status).toBe(200)
      const passwords = { oldPassword: 'secret-1', newPassword: 'secret2' }
      expect((await person.post('/api/auth/user/change-password', passwords)).status).toBe(200)
    },
  )
})
