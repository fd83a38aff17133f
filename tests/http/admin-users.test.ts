import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CreatedUser, ImportResult, ManagedUser } from '../../app/domain/administration/types'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { findViolations } from '../support/invariants'
import { sendForm } from '../support/page'

const product = useInstallation()
type Program = TestUser
let admin: Program
beforeAll(async () => {
  admin = await product.user({ role: 'admin', video_limit: 100 })
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

type Failure = { error: string; code: string; fields?: Record<string, string[]> }
let phones = 20_000_000
const newPhone = () => `0311${phones++}`
const good = () => ({
  phone: newPhone(),
  password: 'secret-1',
  role: 'user',
  plan: 'Starter',
  videoLimit: 20,
  speedLimit: 1,
  videoGenerationSpeed: 60,
  expireDays: 30,
})
const create = (fields: Record<string, unknown> = {}) =>
  admin.post<CreatedUser & Failure>('/api/admin/users', { ...good(), ...fields })
const made = async (fields: Record<string, unknown> = {}) => {
  const { body, status } = await create(fields)
  expect(status).toBe(201)
  return body.user
}
const signIn = async (username: string, password: string) => {
  const client = product.client()
  const { status } = await client.post('/api/auth/login', { username, password })
  return { client, status }
}
const edit = (id: string, fields: Record<string, unknown>, method = 'PATCH') =>
  admin.call<{ user: ManagedUser } & Failure>(method, `/api/admin/users/${id}`, fields)
const rowOf = async (id: string) => {
  const { rows } = await product.db.query<Record<string, unknown>>(
    'select * from users where id = $1',
    [id],
  )
  return rows[0]
}

describe('creating', () => {
  test('A-API-3, A-CREATE-1: the response contains the account with its password once, and the password works', async () => {
    const phone = newPhone()
    const { status, body } = await create({
      phone: `+92 ${phone}`,
      plan: 'Business',
      bearerToken: '',
    })
    expect(status).toBe(201)
    expect(body.password).toBe('secret-1')
    expect(body.user).toMatchObject({
      username: `92${phone}`,
      phone: `92${phone}`,
      role: 'user',
      plan: 'Business',
      videoLimit: 20,
      speedLimit: 1,
      videoGenerationSpeed: 60,
      daysLeft: 30,
      isActive: true,
      tokenMasked: null,
      videosGeneratedToday: 0,
      videosGeneratedThisMonth: 0,
    })
    expect((await signIn(`92${phone}`, 'secret-1')).status).toBe(200)
    const list = await admin.get<ManagedUser[]>(`/api/admin/users?search=${phone}`)
    expect(JSON.stringify(list.body)).not.toContain('secret-1')
  })

  test('A-API-3: a second account for a phone is refused with a message', async () => {
    const phone = newPhone()
    await made({ phone })
    const again = await create({ phone: `(${phone.slice(0, 4)}) ${phone.slice(4)}` })
    expect(again.status).toBe(409)
    expect(again.body.error).toBe('User already exists')
  })

  const PHONE = 'Phone number must be at least 8 characters'
  const PASSWORD = 'Password must be at least 6 characters'
  test.each([
    ['A-CREATE-3', 'phone', '0300123', PHONE],
    ['A-CREATE-3', 'phone', '+(0)3 0-0', PHONE],
    ['A-CREATE-4', 'password', '12345', PASSWORD],
    ['A-CREATE-5', 'role', 'root', 'Role must be admin, editor or user'],
    ['A-CREATE-5', 'plan', 'Gold', 'Plan must be Starter, Professional, Business or Enterprise'],
    ['A-CREATE-6', 'videoLimit', 0, 'Must be at least 1'],
    ['A-CREATE-6', 'speedLimit', 0, 'Must be at least 1'],
    ['A-CREATE-7', 'videoGenerationSpeed', -1, 'Must be at least 0 seconds'],
    ['A-CREATE-7', 'videoGenerationSpeed', 181, 'Cannot exceed 180 seconds'],
    ['A-CREATE-8', 'expireDays', 0, 'Must be at least 1 day'],
    ['A-CREATE-9', 'videoLimit', 'abc', 'Daily video limit must be a number'],
  ])('%s: %s %j is refused', async (_id, field, value, sentence) => {
    const { status, body } = await create({ [field]: value })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'BAD_INPUT',
      error: sentence,
      fields: { [field]: [sentence] },
    })
  })

  test.each([
    ['A-CREATE-3', 'phone', '12345678', 'username', '12345678'],
    ['A-CREATE-4', 'password', 'tr33#x', 'role', 'user'],
    ['A-CREATE-6', 'videoLimit', 1, 'videoLimit', 1],
    ['A-CREATE-6', 'speedLimit', 1, 'speedLimit', 1],
    ['A-CREATE-7', 'videoGenerationSpeed', 0, 'videoGenerationSpeed', 0],
    ['A-CREATE-7', 'videoGenerationSpeed', 180, 'videoGenerationSpeed', 180],
    ['A-CREATE-8', 'expireDays', 1, 'daysLeft', 1],
    ['A-CREATE-8', 'expireDays', '٩٠', 'daysLeft', 90],
    ['A-CREATE-9', 'videoLimit', '12.9', 'videoLimit', 12],
    ['A-CREATE-9', 'videoLimit', '12abc', 'videoLimit', 12],
    // As some language writes them, which is how the page shows them.
    ['A-CREATE-9', 'videoLimit', '1.234', 'videoLimit', 1234],
    ['A-CREATE-9', 'videoLimit', '12,345', 'videoLimit', 12_345],
    ['A-CREATE-9', 'videoLimit', '1,00,000', 'videoLimit', 100_000],
    ['A-CREATE-9', 'videoLimit', '1\u202f234', 'videoLimit', 1234],
    ['A-CREATE-9', 'videoLimit', 1.234, 'videoLimit', 1],
    ['A-CREATE-9', 'videoLimit', 12.9, 'videoLimit', 12],
    ['A-CREATE-10', 'bearerToken', '   ', 'tokenMasked', null],
  ])('%s: %s %j is accepted', async (_id, field, value, stored, expected) => {
    expect(await made({ [field]: value })).toMatchObject({ [stored]: expected })
  })

  test('A-PLAN-5: numbers sent with a plan are kept; missing ones are the plan’s', async () => {
    expect(await made({ plan: 'Business', videoLimit: 450 })).toMatchObject({
      plan: 'Business',
      videoLimit: 450,
    })
    const { body } = await admin.post<CreatedUser>('/api/admin/users', {
      phone: newPhone(),
      password: 'secret-1',
      plan: 'Professional',
    })
    expect(body.user).toMatchObject({
      role: 'user',
      videoLimit: 120,
      speedLimit: 3,
      videoGenerationSpeed: 60,
      daysLeft: 30,
    })
  })

  test('Q-17: without days, a user gets 30 and an editor never expires', async () => {
    const days = async (role: string) => (await made({ role, expireDays: undefined })).daysLeft
    expect(await days('user')).toBe(30)
    expect(await days('editor')).toBeNull()
    expect((await made({ role: 'editor', expireDays: 5 })).daysLeft).toBe(5)
  })

  test('A-QUICK-1, A-API-9: a phone and a plan are enough; the response has five fields', async () => {
    const { status, body } = await admin.post<Record<string, string>>(
      '/api/admin/users/quick-create',
      { phone: '+92 300-7654399', plan: 'Business' },
    )
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual([
      'expiryDate',
      'password',
      'phone',
      'plan',
      'username',
    ])
    expect(body).toMatchObject({
      username: '923007654399',
      phone: '923007654399',
      plan: 'Business',
    })
    const { client, status: signedIn } = await signIn('923007654399', body.password ?? '')
    expect(signedIn).toBe(200)
    const me = await client.get('/api/auth/me')
    expect(me.body).toMatchObject({
      videoLimit: 400,
      speedLimit: 5,
      videoGenerationSpeed: 45,
      daysLeft: 30,
    })
  })

  test.each([
    ['', 400, 'Please enter a phone number'],
    ['+-() ', 400, 'Please enter a phone number'],
    ['(0300) 1', 400, PHONE],
  ])('A-QUICK-2: %j is refused', async (phone, status, error) => {
    const response = await admin.post<Failure>('/api/admin/users/quick-create', {
      phone,
      plan: 'Starter',
    })
    expect([response.status, response.body.error]).toEqual([status, error])
  })

  test('A-QUICK-5: an existing phone is refused', async () => {
    const user = await made()
    const response = await admin.post<Failure>('/api/admin/users/quick-create', {
      phone: user.phone,
      plan: 'Starter',
    })
    expect([response.status, response.body.error]).toEqual([409, 'User already exists'])
  })
})

describe('editing', () => {
  test.each(['PATCH', 'PUT'])(
    'A-API-4: %s changes the named fields and nothing else',
    async (method) => {
      const user = await made({ plan: 'Business', videoLimit: 400 })
      const { status, body } = await edit(user.id, { videoLimit: 450 }, method)
      expect(status).toBe(200)
      expect(body.user).toEqual({ ...user, videoLimit: 450 })
    },
  )

  test('A-EDIT-2: an empty password keeps the old one, five characters are refused, a new one works', async () => {
    const user = await made()
    expect((await edit(user.id, { password: '' })).status).toBe(200)
    expect((await signIn(user.username, 'secret-1')).status).toBe(200)
    const short = await edit(user.id, { password: '12345' })
    expect([short.status, short.body.error]).toEqual([400, PASSWORD_TOO_SHORT])
    expect((await edit(user.id, { password: 'another1' })).status).toBe(200)
    expect((await signIn(user.username, 'secret-1')).status).toBe(401)
    expect((await signIn(user.username, 'another1')).status).toBe(200)
    expect((await edit(user.id, { isActive: 'yes' })).status).toBe(400)
  })
  const PASSWORD_TOO_SHORT = 'Password must be at least 6 characters'

  test.each(['PATCH', 'PUT'])(
    'A-EDIT-5, A-API-4: %s that disables, or changes password or role, ends the session at the next request',
    async (method) => {
      for (const change of [{ isActive: false }, { password: 'another1' }, { role: 'editor' }]) {
        const user = await made()
        const { client } = await signIn(user.username, 'secret-1')
        expect((await client.get('/api/auth/me')).status).toBe(200)
        await edit(user.id, change, method)
        expect((await client.get('/api/auth/me')).status).toBe(401)
      }
    },
  )

  test('A-EDIT-5: a disabled user cannot sign in, and waiting videos are cancelled with their units returned', async () => {
    const user = await made({ videoLimit: 5 })
    const { client } = await signIn(user.username, 'secret-1')
    await client.post('/api/videos/bulk-generate', { prompts: ['a', 'b', 'c'] })
    await client.post('/api/videos/generate', { prompt: 'a single one' })
    expect((await edit(user.id, { isActive: false })).body.user.isActive).toBe(false)
    expect((await signIn(user.username, 'secret-1')).status).toBe(403)
    const { rows } = await product.db.query<{ status: string; error_message: string }>(
      'select status, error_message from videos where user_id = $1',
      [user.id],
    )
    expect(rows).toEqual(
      Array.from({ length: 4 }, () => ({ status: 'error', error_message: 'Cancelled' })),
    )
    expect((await edit(user.id, { isActive: true })).body.user.videosGeneratedToday).toBe(0)
    expect((await signIn(user.username, 'secret-1')).status).toBe(200)
  })

  test('a token is replaced, shown as its mask, removed by an empty value; never shown in clear', async () => {
    const user = await made({ bearerToken: 'tok-first-0123456789-canary' })
    const mask = user.tokenMasked
    expect(mask).toMatch(/^tok-fi.*•/)
    const kept = await edit(user.id, { bearerToken: mask, videoLimit: 7 })
    expect(kept.body.user).toMatchObject({ tokenMasked: mask, videoLimit: 7 })
    expect((await edit(user.id, { videoLimit: 8 })).body.user.tokenMasked).toBe(mask)
    const replaced = await edit(user.id, { bearerToken: ' other-token-9876543210-canary ' })
    expect(replaced.body.user.tokenMasked).toMatch(/^other-.*•/)
    const stale = await edit(user.id, { bearerToken: mask })
    expect(stale.body.user.tokenMasked).toMatch(/^other-.*•/)
    expect((await edit(user.id, { bearerToken: '' })).body.user.tokenMasked).toBeNull()
    const { rows } = await product.db.query('select 1 from credentials')
    expect(rows).toEqual([])
  })

  test('Q-44: the days restart only when they change or with renewFromToday', async () => {
    const user = await made({ expireDays: 10 })
    expect((await edit(user.id, { expireDays: 10 })).body.user.expiryDate).toBe(user.expiryDate)
    const renewed = await edit(user.id, { expireDays: 10, renewFromToday: true })
    expect(renewed.body.user.expiryDate).not.toBe(user.expiryDate)
    expect((await edit(user.id, { expireDays: 40 })).body.user.daysLeft).toBe(40)
  })

  test('A-API-4: an unknown or malformed id returns 404', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nobody']) {
      expect((await edit(id, { videoLimit: 5 })).status).toBe(404)
      expect((await admin.call('DELETE', `/api/admin/users/${id}`, {})).status).toBe(404)
      expect((await admin.post(`/api/admin/users/${id}/reset-counter`)).status).toBe(404)
    }
  })

  test('Q-42: administrators cannot lock themselves out, and at least one administrator always remains', async () => {
    for (const change of [{ role: 'user' }, { isActive: false }]) {
      const response = await edit(admin.userId, change)
      expect(response.status).toBe(409)
    }
    const other = await made({ role: 'admin' })
    const { client } = await signIn(other.username, 'secret-1')
    // Two concurrent demotions: the first one wins. The other is refused or has lost its rights.
    const responses = await Promise.all([
      edit(other.id, { role: 'user' }),
      client.call('PATCH', `/api/admin/users/${admin.userId}`, { role: 'user' }),
    ])
    expect(responses.filter(({ status }) => status === 200).length).toBe(1)
    const { rows } = await product.db.query<{ n: number }>(
      `select count(*)::int as n from users where role = 'admin' and is_active and deleted_at is null`,
    )
    expect(rows[0]?.n).toBe(1)
    await product.db.query(`update users set role = 'admin' where id = $1`, [admin.userId])
    await product.db.query(`update users set role = 'user' where id = $1`, [other.id])
    admin = Object.assign(admin, {})
    if ((await admin.get('/api/auth/me')).status === 401) {
      await admin.post('/api/auth/login', { username: admin.username, password: 'secret-1' })
    }
  })

  test('over-posting: thirty other fields have no effect', async () => {
    const user = await made()
    const before = await rowOf(user.id)
    const names = [
      ...Object.keys(before ?? {}).filter((name) => name !== 'role' && name !== 'plan'),
      ...['passwordHash', 'createdAt', 'deletedAt', 'credentialId', 'isAdmin', 'admin', 'daysLeft'],
      ...[
        'videosGeneratedToday',
        'tokenMasked',
        'sessions',
        'user',
        'token',
        'secret',
        'grants',
        'scope',
        'tier',
        'ownerId',
        'isRoot',
      ],
    ]
    const extra: Record<string, unknown> = { constructor: { role: 'admin' } }
    for (const name of names) extra[name] = 'x'
    expect(Object.keys(extra).length).toBeGreaterThanOrEqual(30)
    expect((await edit(user.id, extra)).status).toBe(200)
    expect(await rowOf(user.id)).toEqual(before)
    const { body } = await admin.post<CreatedUser>('/api/admin/users', {
      ...extra,
      id: user.id,
      isActive: false,
      ...good(),
    })
    expect(body.user.id).not.toBe(user.id)
    expect(body.user).toMatchObject({ isActive: true, role: 'user', email: null })
  })
})

describe('counters', () => {
  test('A-RESET-1, A-API-7: one user’s counters are reset and the user can generate again', async () => {
    const user = await made({ videoLimit: 1 })
    const { client } = await signIn(user.username, 'secret-1')
    expect((await client.post('/api/videos/generate', { prompt: 'a' })).status).toBe(201)
    expect((await client.post('/api/videos/generate', { prompt: 'b' })).status).toBe(429)
    const response = await admin.post(`/api/admin/users/${user.id}/reset-counter`)
    expect([response.status, response.body]).toEqual([200, { success: true, count: 1 }])
    const me = await client.get('/api/auth/me')
    expect(me.body).toMatchObject({ videosGeneratedToday: 0, videosGeneratedThisMonth: 0 })
    expect((await client.post('/api/videos/generate', { prompt: 'b' })).status).toBe(201)
    const { rows } = await product.db.query(
      `select before, after from trail_entries
        where action = 'user.reset-counter' and subject_id = $1`,
      [user.id],
    )
    expect(rows).toEqual([{ before: { videos: 1 }, after: { videos: 0 } }])
  })

  test('A-RESET-2, A-API-8: all users’ counters are reset', async () => {
    const response = await admin.post<{ success: boolean; count: number }>(
      '/api/admin/users/reset-all-counters',
    )
    expect(response.body.success).toBe(true)
    const { body } = await admin.get<ManagedUser[]>('/api/admin/users')
    expect(body.every((user) => user.videosGeneratedThisMonth === 0)).toBe(true)
    expect(body.every((user) => user.videosGeneratedToday === 0)).toBe(true)
  })
})

describe('listing', () => {
  test('A-API-2: an array of users with the fields of the contract and no secrets', async () => {
    const user = await made({ bearerToken: 'tok-listed-0123456789' })
    const { body, headers } = await admin.get<ManagedUser[]>('/api/admin/users')
    expect(Number(headers.get('x-total-count'))).toBe(body.length)
    const found = body.find(({ id }) => id === user.id)
    const contract = [
      ...['id', 'username', 'phone', 'email', 'role', 'plan', 'isActive', 'expiryDate', 'daysLeft'],
      ...['videoLimit', 'speedLimit', 'videoGenerationSpeed', 'videosGeneratedToday'],
      ...['videosGeneratedThisMonth', 'createdAt', 'tokenMasked'],
    ]
    expect(Object.keys(found ?? {}).sort()).toEqual(contract.sort())
    const me = await (await signIn(user.username, 'secret-1')).client.get('/api/auth/me')
    const { tokenMasked, ...asOwner } = found ?? user
    expect(me.body).toEqual(asOwner)
    expect(tokenMasked).toContain('•')
    expect(JSON.stringify(body)).not.toMatch(/tok-listed-0|argon2|secret-1/)
  })

  test('A-API-2: pages, search, role and status', async () => {
    const phone = newPhone()
    const user = await made({ phone, role: 'editor' })
    const find = async (query: string) =>
      (await admin.get<ManagedUser[]>(`/api/admin/users?${query}`)).body.map(({ id }) => id)
    expect(await find(`search=${phone.slice(-6)}`)).toEqual([user.id])
    expect(await find(`search=%2B${phone.slice(0, 4)}-${phone.slice(4)}`)).toEqual([user.id])
    expect(await find(`search=${phone}&role=user`)).toEqual([])
    expect(await find(`search=${phone}&role=editor&status=active`)).toEqual([user.id])
    expect(await find(`search=${phone}&status=inactive`)).toEqual([])
    expect(await find('search=%25')).toEqual([])
    const page = await admin.get<ManagedUser[]>('/api/admin/users?page=2&limit=3')
    expect(page.body).toHaveLength(3)
    expect(Number(page.headers.get('x-total-count'))).toBeGreaterThan(6)
    for (const query of ['role=root', 'status=gone', 'page=0', 'limit=x']) {
      expect((await admin.get(`/api/admin/users?${query}`)).status).toBe(400)
    }
  })
})

describe('importing', () => {
  const send = (users: unknown[]) =>
    admin.post<{ results: ImportResult[] } & Failure>('/api/admin/users/bulk-import', { users })

  test('A-API-10, A-IMPORT-5, A-IMPORT-6, A-IMPORT-8, A-IMPORT-9: one result per line, defaults for unreadable values', async () => {
    const phone = newPhone()
    const { body, status } = await send([
      {
        username: phone,
        password: 'secret-1',
        role: 'boss',
        videoLimit: 'x',
        bearerToken: '[NONE]',
      },
      { username: newPhone(), password: '123' },
      { username: '', password: 'secret-1' },
      { username: newPhone(), password: 'secret-1', videoGenerationSpeed: 181 },
    ])
    expect(status).toBe(200)
    expect(body.results.map(({ success, error }) => [success, error])).toEqual([
      [true, undefined],
      [false, 'Password must be at least 6 characters'],
      [false, 'Username is required'],
      [false, 'Cannot exceed 180 seconds'],
    ])
    const list = await admin.get<ManagedUser[]>(`/api/admin/users?search=${phone}`)
    expect(list.body[0]).toMatchObject({
      username: phone,
      email: `${phone}@example.com`,
      role: 'user',
      videoLimit: 100,
      speedLimit: 5,
      videoGenerationSpeed: 10,
      daysLeft: 30,
      tokenMasked: null,
    })
  })

  test('A-IMPORT-10: 100 users are accepted, 101 and none are refused', async () => {
    const many = (n: number) =>
      Array.from({ length: n }, () => ({ username: newPhone(), password: 'x' }))
    expect((await send(many(100))).body.results).toHaveLength(100)
    const tooMany = await send(many(101))
    expect([tooMany.status, tooMany.body.error]).toEqual([400, 'Maximum 100 users allowed at once'])
    const none = await send([])
    expect([none.status, none.body.error]).toEqual([400, 'No Data Found'])
  })

  test('a repeated import changes nothing and reports that per line', async () => {
    const username = newPhone()
    const users = [
      { username, password: 'secret-1' },
      { username, password: 'secret-1' },
    ]
    const first = await send(users)
    expect(first.body.results.map(({ success }) => success)).toEqual([true, false])
    expect(first.body.results[1]?.error).toBe('This username is in the list twice')
    const id =
      (await admin.get<ManagedUser[]>(`/api/admin/users?search=${username}`)).body[0]?.id ?? ''
    const before = await rowOf(id)
    const second = await send(users)
    expect(second.body.results[0]).toEqual({
      username,
      success: false,
      error: 'User already exists. Nothing was changed.',
    })
    expect(await rowOf(id)).toEqual(before)
  })

  test('A-IMPORT-7: a [HASHED] marker creates an account that no password opens; an existing account keeps its password', async () => {
    const fresh = newPhone()
    const known = await made()
    const { body } = await send([
      { username: fresh, password: '[HASHED]' },
      { username: known.username, password: '[HASHED]', videoLimit: 77, plan: 'Starter' },
    ])
    expect(body.results.map(({ success }) => success)).toEqual([true, true])
    for (const guess of ['[HASHED]', 'password-not-set', 'secret-1']) {
      expect((await signIn(fresh, guess)).status).toBe(401)
    }
    expect((await signIn(known.username, 'secret-1')).status).toBe(200)
    const list = await admin.get<ManagedUser[]>(`/api/admin/users?search=${known.username}`)
    expect(list.body[0]).toMatchObject({ videoLimit: 77, expiryDate: known.expiryDate })
  })
})

describe('tokens for all', () => {
  test('A-ASSIGN-2, A-API-11: 7 users and 3 tokens give 7/3/4, in turn', async () => {
    await admin.call('DELETE', '/api/admin/users/delete-all', {})
    const users = []
    for (let i = 0; i < 7; i++) users.push(await made({ role: i === 0 ? 'editor' : 'user' }))
    await edit(users[1]?.id ?? '', { isActive: false })
    const tokens = ['tok-a-0123456789', ' tok-b-0123456789 ', 'tok-c-0123456789', '']
    const { text } = await sendForm(admin, '/admin/users/assign-tokens', {
      text: ['one', 'two', 'six'].map((word) => `${word}-0123456789`).join('\n'),
    })
    expect(text).toContain('3 tokens for 7 users')
    expect(text).not.toContain('repeats line')
    const twice = await sendForm(admin, '/admin/users/assign-tokens', {
      text: ['one', '', ' two ', 'one', 'two', 'one'].join('\n'),
    })
    expect(twice.text).toContain('2 tokens for 7 users')
    expect(twice.text).toContain(
      'Each token counts once: Line 4 repeats line 1 Line 5 repeats line 3 Line 6 repeats line 1',
    )
    const lines = [...text.matchAll(/(\d{12}) (\w{3})•/g)]
    expect(lines.map(([, username]) => username)).toEqual(users.map(({ username }) => username))
    expect(lines.map(([, , word]) => word).join(' ')).toBe('one two six one two six one')
    const { status, body } = await admin.post('/api/admin/users/assign-tokens', { tokens })
    expect([status, body]).toEqual([200, { assigned: 7, tokensUsed: 3, repeated: 4 }])
    const { rows } = await product.db.query<{ n: number }>(
      'select count(*)::int as n from users where credential_id is not null and deleted_at is null group by credential_id order by n',
    )
    expect(rows.map(({ n }) => n)).toEqual([2, 2, 3])
  })

  test('A-ASSIGN-2: of more tokens than users, the rest is neither assigned nor stored', async () => {
    const stored = async () => {
      const { rows } = await product.db.query<{ n: number }>(
        'select count(*)::int as n from credentials where pool_position is null',
      )
      return rows[0]?.n ?? 0
    }
    const before = await stored()
    const tokens = Array.from({ length: 9 }, (_, i) => `tok-${i}-of-nine-0123456789`)
    const { body } = await admin.post('/api/admin/users/assign-tokens', { tokens })
    expect(body).toEqual({ assigned: 7, tokensUsed: 7, repeated: 0 })
    // Seven in place of the three of the test above.
    expect(await stored()).toBe(before + 4)
  })

  test('A-ASSIGN-3: at least one token and one user are required', async () => {
    const none = await admin.post<Failure>('/api/admin/users/assign-tokens', { tokens: [' '] })
    expect([none.status, none.body.error]).toEqual([400, 'Please enter at least one token.'])
    await admin.call('DELETE', '/api/admin/users/delete-all', {})
    const nobody = await admin.post<Failure>('/api/admin/users/assign-tokens', {
      tokens: ['tok-a'],
    })
    expect([nobody.status, nobody.body.error]).toEqual([
      400,
      'There are no users to assign tokens to',
    ])
  })
})

describe('deleting', () => {
  test('A-DELUSER-1, A-API-5: the user, their videos and line entries are removed at once; a second call is 404; one’s own id is refused', async () => {
    const user = await made()
    const { client } = await signIn(user.username, 'secret-1')
    await client.post('/api/videos/generate', { prompt: 'a' })
    const response = await admin.call('DELETE', `/api/admin/users/${user.id}`, {})
    expect([response.status, response.body]).toEqual([200, { success: true }])
    expect((await client.get('/api/auth/me')).status).toBe(401)
    expect((await signIn(user.username, 'secret-1')).status).toBe(401)
    const { rows } = await product.db.query(
      'select 1 from videos where user_id = $1 and deleted_at is null union all select 1 from line_entries where user_id = $1',
      [user.id],
    )
    expect(rows).toEqual([])
    expect((await admin.call('DELETE', `/api/admin/users/${user.id}`, {})).status).toBe(404)
    expect((await admin.call('DELETE', `/api/admin/users/${admin.userId}`, {})).status).toBe(409)
    // The phone can be used again.
    expect((await create({ phone: user.phone })).status).toBe(201)
  })

  test('A-DELUSER-2, A-API-6: all users are deleted except administrators, who keep their videos', async () => {
    await admin.post('/api/videos/generate', { prompt: 'mine' })
    for (const role of ['user', 'editor']) {
      const user = await made({ role })
      const { client } = await signIn(user.username, 'secret-1')
      await client.post('/api/videos/generate', { prompt: 'his' })
    }
    const { rows: others } = await product.db.query(
      `select 1 from users where role <> 'admin' and deleted_at is null`,
    )
    const { status, body } = await admin.call('DELETE', '/api/admin/users/delete-all', {})
    expect(status).toBe(200)
    expect(body).toEqual({
      message: 'All non-admin users have been removed.',
      count: others.length,
    })
    const { rows } = await product.db.query<{ prompt: string }>(
      'select prompt from videos where deleted_at is null',
    )
    expect(rows).toEqual([{ prompt: 'mine' }])
    const left = await admin.get<ManagedUser[]>('/api/admin/users')
    expect(left.body.map(({ role }) => role)).toEqual(['admin'])
    await admin.call('DELETE', '/api/videos/delete-by-status?status=all', {})
  })
})

describe('live figures', () => {
  test('A-LIVE-1, A-API-15: a user seen six minutes ago is offline, one seen 270 s ago and the administrator are online', async () => {
    await product.db.query('delete from sessions where user_id <> $1', [admin.userId])
    const [early, late] = [await product.user(), await product.user()]
    await product.db.query(
      `update sessions set last_seen_at = now() - interval '6 minutes' where user_id = $1`,
      [early.userId],
    )
    await product.db.query(
      `update sessions set last_seen_at = now() - interval '270 seconds' where user_id = $1`,
      [late.userId],
    )
    await admin.send('GET', '/admin')
    const online = async () => (await admin.get('/api/admin/stats/online')).body
    expect(await online()).toEqual({ onlineUsers: 2, generatingUsers: 0 })
    // Polls of an open page are no visit, opening a page is one.
    await product.db.query('delete from sessions where user_id = $1', [late.userId])
    await early.get('/api/videos/changes')
    expect(await online()).toMatchObject({ onlineUsers: 1 })
    await early.send('GET', '/usage')
    expect(await online()).toMatchObject({ onlineUsers: 2 })
  })

  test('A-LIVE-1: each minute in which a user opens pages is noted, so an active user stays online', async () => {
    const user = await product.user()
    const seen = async () => {
      const { rows } = await product.db.query<{ at: Date }>(
        'select last_seen_at as at from sessions where user_id = $1',
        [user.userId],
      )
      return rows[0]?.at
    }
    const setSeen = (ago: string) =>
      product.db.query(
        'update sessions set last_seen_at = now() - $2::interval where user_id = $1',
        [user.userId, ago],
      )
    await setSeen('61 seconds')
    const before = await seen()
    await user.send('GET', '/usage')
    expect(await seen()).not.toEqual(before)
    // Negative: however slow this machine is, this is less than a minute ago.
    await setSeen('-1 hour')
    const noted = await seen()
    await user.send('GET', '/usage')
    expect(await seen()).toEqual(noted)
  })

  test('A-LIVE-2: a user with five waiting videos counts once', async () => {
    const user = await product.user({ video_limit: 10 })
    await user.post('/api/videos/bulk-generate', { prompts: ['a', 'b', 'c', 'd', 'e'] })
    const { body } = await admin.get<{ generatingUsers: number }>('/api/admin/stats/online')
    expect(body.generatingUsers).toBe(1)
  })
})
