import { describe, expect, test } from 'vitest'
import { makeApiKey, programOf } from '../support/api-key'
import { addVideos } from '../support/ended-videos'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import type { VideoPage } from '../support/videos'

const product = useInstallation()
const KEYS = '/account/keys'
const CHANGES = '/api/videos/changes'
const OWN = { ownPassword: 'secret-1' }

const enterprise = () => product.user({ plan: 'Enterprise' })
const programFor = async (user: TestUser) => programOf(product.url, await makeApiKey(user))
const set = (user: TestUser, what: string) =>
  product.db.query(`update users set ${what} where id = $1`, [user.userId])
const setKeys = (user: TestUser, what: string) =>
  product.db.query(`update api_keys set ${what} where user_id = $1`, [user.userId])
const keysOf = async (user: TestUser) => {
  const { rows } = await product.db.query<{ row: string; id: string; used: string | null }>(
    `select api_keys::text as row, id, last_used_at::text as used from api_keys where user_id = $1`,
    [user.userId],
  )
  return rows
}
const activityOf = async (user: TestUser) => {
  const { rows } = await product.db.query<{ action: string; key: string | null }>(
    `select action, after->>'apiKey' as key from trail_entries
     where subject_id = $1 and action like '%key%' order by at, id`,
    [user.userId],
  )
  return rows.map(({ action, key }) => `${action} ${key ?? ''}`.trim())
}

describe('the page of API keys', () => {
  test('a key is made with the password, shown once, listed, stored as a hash, and ended with the password', async () => {
    const user = await enterprise()
    expect((await openPage(user, '/account/sessions')).html).toContain(`href="${KEYS}"`)
    const create = (fields: Record<string, string>) =>
      sendForm(user, KEYS, { intent: 'create-key', name: 'Nightly', ...OWN, ...fields })
    for (const [fields, problem] of [
      [{ ownPassword: 'wrong-1' }, 'This is not your password'],
      [{ name: '  ' }, 'Name is required'],
      [{ lastDay: '2026-02-30' }, 'This is not a day'],
      [{ lastDay: '2020-01-01' }, 'This day has passed'],
    ] as const) {
      const refused = await create(fields)
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(problem)])
    }
    const made = await create({ lastDay: '2099-12-31' })
    const [, key = ''] = /data-api-key[^>]*>(rm_[0-9A-Za-z]{42})</.exec(made.html) ?? []
    expect(key).not.toBe('')
    expect(made.html.split(key).length - 1).toBeLessThanOrEqual(3)
    const page = await openPage(user, KEYS)
    expect(page.html).not.toContain(key)
    expect(page.text).toContain(`Nightly ${key.slice(0, 7)}…`)
    expect(page.text).toMatch(/never used · ends 1 Jan 2100, 00:00/)
    const [stored] = await keysOf(user)
    expect(stored?.row).not.toContain(key.slice(8))
    // The same form once more, as after a reload.
    expect((await create({})).text).toContain('Another key has this name')

    const program = programOf(product.url, key)
    expect((await program.get(CHANGES)).status).toBe(200)
    const id = stored?.id ?? ''
    const end = (by: TestUser, ownPassword: string) =>
      sendForm(by, KEYS, { intent: 'end-key', id, ownPassword })
    const stranger = await enterprise()
    await makeApiKey(stranger)
    expect((await end(stranger, 'secret-1')).text).toContain('This key has already been ended')
    expect((await end(user, 'wrong-1')).text).toContain('This is not your password')
    expect((await program.get(CHANGES)).status).toBe(200)
    expect((await end(user, 'secret-1')).text).toContain('Nightly does not work any more.')
    expect((await program.get(CHANGES)).status).toBe(401)
    expect(await activityOf(user)).toEqual(['auth.api-key Nightly', 'auth.end-api-key Nightly'])
  })

  test('C18: an account has at most ten keys, and a link in its menu; without the right there is no form, and no key', async () => {
    const user = await enterprise()
    for (let n = 1; n <= 10; n++) await makeApiKey(user, `Key ${n}`)
    await expect(makeApiKey(user, 'Key 11')).rejects.toThrow('at most 10 keys')
    const link = `href="${KEYS}"`
    expect((await openPage(user, '/app')).html).toContain(link)
    const starter = await product.user()
    expect((await openPage(starter, '/app')).html).not.toContain(link)
    const page = await openPage(starter, KEYS)
    expect(page.text).toContain('API keys are part of the Enterprise plan')
    expect(page.html).not.toContain('value="create-key"')
    await expect(makeApiKey(starter)).rejects.toThrow('does not include API keys')
    expect((await openPage(starter, '/account/sessions')).text).toContain(
      'Programs with API keys stay',
    )
  })
})

describe('a request with an API key', () => {
  test('makes the calls of its user from any origin, without cookies, and is noted once an hour', async () => {
    const user = await enterprise()
    const admin = await product.user({ role: 'admin' })
    const program = await programFor(user)
    const order = await program.post<{ id: string }>(
      '/api/videos/generate',
      { prompt: 'A red boat' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example', ...cookieOf(admin) },
    )
    expect(order.status).toBe(201)
    const { body } = await user.get<VideoPage>('/api/videos')
    expect(body.videos.map(({ id }) => id)).toEqual([order.body.id])
    // A page without scripts would get its toast as a cookie.
    const none = await program.send('GET', '/api/videos/archive?ids=&from=/dashboard')
    expect([order.headers.get('set-cookie'), none.status]).toEqual([null, 400])
    expect(none.headers.get('set-cookie')).toBeNull()

    const used = async () => (await keysOf(user)).map((key) => key.used)
    const [first] = await used()
    await program.get(CHANGES)
    expect(await used()).toEqual([first])
    await setKeys(user, `last_used_at = now() - interval '61 minutes'`)
    const [old] = await used()
    await Promise.all([program.get(CHANGES), program.get(CHANGES)])
    expect(await used()).not.toEqual([old])
  })

  test('the key counts and not the cookie beside it; other bearer tokens are not ours', async () => {
    const user = await enterprise()
    const key = await makeApiKey(user)
    const ask = async (path: string, authorization: string) => {
      const response = await user.send('GET', path, { headers: { authorization } })
      return response.status
    }
    expect(await ask(CHANGES, `Bearer ${key}`)).toBe(200)
    expect(await ask('/api/auth/me', `Bearer ${key}`)).toBe(403)
    for (const wrong of [`${key}x`, `${key.slice(0, -1)}_`, 'rm_', 'rm_'.padEnd(45, '0')])
      expect(await ask(CHANGES, `Bearer ${wrong}`)).toBe(401)
    expect(await ask(CHANGES, 'Bearer of-a-proxy')).toBe(200)
    expect(await ask('/api/auth/me', 'Bearer of-a-proxy')).toBe(200)
    expect(await ask('/api/nope', `Bearer ${key}`)).toBe(404)
  })

  test.each([
    ['in quotes', { authorization: 'Bearer "rm_x"' }, 'Send the API key without quotes'],
    ['in single quotes', { authorization: "Bearer 'rm_x'" }, 'Send the API key without quotes'],
    ['as Token', { authorization: 'Token rm_x' }, 'Authorization: Bearer rm_…'],
    ['as Basic', { authorization: 'Basic cm1feDo=' }, 'Authorization: Bearer rm_…'],
    ['alone', { authorization: 'rm_x' }, 'Authorization: Bearer rm_…'],
    ['in a header of its own', { 'x-api-key': 'rm_x' }, 'Authorization: Bearer rm_…'],
    ['not filled in', { authorization: 'Bearer $KEY' }, 'The variable $KEY was not replaced'],
    ['not filled in, in braces', { authorization: 'Bearer ${KEY}' }, 'The variable ${KEY} was not'],
    ['empty', { authorization: 'Bearer ' }, 'There is no API key after “Bearer”'],
    ['of another service', { authorization: 'Bearer sk-1234' }, 'API keys begin with rm_'],
    ['not sent', {}, 'Please sign in'],
  ])('issue 49: a key that is %s is refused in words that help', async (_, headers, words) => {
    const response = await fetch(product.url + CHANGES, { headers: { ...headers } })
    expect(response.status).toBe(401)
    const { code, error } = (await response.json()) as { code: string; error: string }
    expect(code).toBe('NOT_SIGNED_IN')
    expect(error).toContain(words)
  })

  test('the account decides: disabled, expired, ended keys, another plan, a new password, deletion', async () => {
    const user = await enterprise()
    const program = await programFor(user)
    const answer = async (path = CHANGES) => (await program.get(path)).status
    await set(user, 'is_active = false')
    expect(await answer()).toBe(401)
    await set(user, `is_active = true, expiry_date = now() - interval '9 days'`)
    expect(await answer()).toBe(200)
    const order = await program.post('/api/videos/generate', { prompt: 'A red boat' })
    expect([order.status, order.body.code]).toEqual([403, 'ACCOUNT_EXPIRED'])
    await set(user, `expiry_date = null, plan = 'Business'`)
    const refused = await program.get(CHANGES)
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
    expect((await openPage(user, KEYS)).text).toContain('Your keys are refused for now.')
    await set(user, `plan = 'Enterprise'`)
    await user.post('/api/auth/user/change-password', {
      oldPassword: 'secret-1',
      newPassword: 'secret-2',
    })
    expect(await answer()).toBe(200)
    await setKeys(user, `expires_at = now() - interval '1 second'`)
    expect(await answer()).toBe(401)
    await setKeys(user, 'expires_at = null')
    const admin = await product.user({ role: 'admin' })
    expect((await admin.call('DELETE', `/api/admin/users/${user.userId}`)).status).toBe(200)
    expect([await answer(), await keysOf(user)]).toEqual([401, []])
  })

  test('an administrator’s key sees the administrator’s own videos only', async () => {
    const [user, admin] = [await product.user(), await product.user({ role: 'admin' })]
    const program = await programFor(admin)
    const [theirs = ''] = await addVideos(product, {
      userId: user.userId,
      status: 'completed',
      withFiles: true,
    })
    const [own = ''] = await addVideos(product, {
      userId: admin.userId,
      status: 'completed',
      withFiles: true,
    })
    const { body } = await program.get<VideoPage>('/api/videos?scope=all')
    expect(body.videos.map(({ id }) => id)).toEqual([own])
    const status = async (path: string) => (await program.send('GET', path)).status
    expect(await status(`/media/${own}.mp4`)).toBe(200)
    for (const path of [`/media/${theirs}.mp4`, `/api/videos/${theirs}/download`])
      expect(await status(path)).toBe(404)
  })
})

test('administrators allow keys to a user, see them and end them, with a recent password', async () => {
  const [user, admin] = [await product.user(), await product.user({ role: 'admin' })]
  const page = `/admin/users/${user.userId}`
  expect((await openPage(admin, page)).text).toContain('Not included in the plan.')
  const allow = (isAllowed: string) =>
    sendForm(admin, page, { intent: 'allow-keys', id: user.userId, isAllowed })
  expect((await allow('yes')).text).toContain('Allowed by an administrator.')
  const program = await programFor(user)
  expect((await program.get(CHANGES)).status).toBe(200)
  await allow('no')
  expect((await program.get(CHANGES)).status).toBe(403)
  await allow('yes')
  expect((await program.get(CHANGES)).status).toBe(200)
  expect((await openPage(admin, page)).text).toContain('A program rm_')
  const [key] = await keysOf(user)
  const end = () =>
    sendForm(admin, page, { intent: 'end-key', id: user.userId, keyId: key?.id ?? '' })
  await product.db.query(
    `update sessions set created_at = now() - interval '1 day' where user_id = $1`,
    [admin.userId],
  )
  expect((await end()).location).toMatch(/^\/admin\/confirm/)
  expect((await program.get(CHANGES)).status).toBe(200)
  await product.db.query(`update sessions set created_at = now() where user_id = $1`, [
    admin.userId,
  ])
  await end()
  expect((await program.get(CHANGES)).status).toBe(401)
  expect(await activityOf(user)).toEqual([
    ...['user.api-keys', 'auth.api-key A program', 'user.api-keys', 'user.api-keys'],
    'user.end-api-key A program',
  ])
})

const cookieOf = (user: TestUser) => ({ cookie: user.cookieHeader })
