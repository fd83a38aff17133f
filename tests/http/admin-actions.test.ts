import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startInstallation, type Installation, type TestUser } from '../support/installation'
import { addVideos } from '../support/ended-videos'
import { findViolations } from '../support/invariants'
import { formTokenIn, openPage, sendForm, STARTER_FIELDS, valueOf } from '../support/page'

// The administrators' forms and the messages they show, both on success and when the server fails.

let product: Installation
type User = TestUser
let admin: User
beforeAll(async () => {
  // Throttles as in production: wrong passwords are counted.
  product = await startInstallation({ env: { THROTTLE_SCALE: '1' } })
  admin = await product.user({ role: 'admin' })
})
afterAll(async () => {
  expect(await findViolations(product.db)).toEqual({})
  await product.remove()
})

type Fields = Record<string, string | readonly string[]>
const page = (path: string) => openPage(admin, path)
const send = (path: string, fields: Fields) => sendForm(admin, path, fields)
let phones = 51_000_000
const newPhone = () => `0344${phones++}`
const newUserFields = () => ({
  intent: 'create-user',
  phone: newPhone(),
  password: 'secret-1',
  ...STARTER_FIELDS,
})
const one = async (statement: string, values: unknown[] = []) =>
  (await product.db.query<{ id: string }>(statement, values)).rows[0]?.id ?? ''

/** Makes inserts into the activity log fail, and with them every action of an administrator. */
async function whileNothingWorks(run: () => Promise<void>): Promise<void> {
  await product.db.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'forced'; end $$;
    create trigger refuse before insert on trail_entries execute function refuse()`)
  try {
    await run()
  } finally {
    await product.db.query('drop function refuse cascade')
  }
}

type Refusal = { error: string; code: string }
const SERVER_TEXT =
  /Something went wrong on our side\. If it happens again, contact us and quote \S+\./

describe('when the server fails', () => {
  test('A-ERR-1, A-POOL-6, A-ASSIGN-3, A-IMPORT-11: each failed action on users and tokens is named', async () => {
    const user = await product.user()
    const { body: token } = await admin.post<{ id: string }>('/api/admin/extra-tokens', {
      token: 'tok-forced-0123456789',
    })
    const { intent: _, ...edit } = { ...newUserFields(), bearerToken: '', isActive: 'on' }
    const id = user.userId
    const cases: [string, string, Fields][] = [
      ['Failed to create user', '/admin?dialog=create', newUserFields()],
      [
        'Failed to create user',
        '/admin?dialog=quick',
        { intent: 'quick-create', phone: newPhone(), plan: 'Starter' },
      ],
      [
        'Failed to update user',
        `/admin?dialog=edit&on=${id}`,
        { ...edit, intent: 'edit-user', id, password: '' },
      ],
      ['Failed to delete user', `/admin?dialog=delete&on=${id}`, { intent: 'delete-user', id }],
      ['Failed to delete users', '/admin?dialog=delete-all', { intent: 'delete-all', count: '1' }],
      ['Failed to reset counter', `/admin?dialog=reset&on=${id}`, { intent: 'reset-counter', id }],
      [
        'Failed to reset counters',
        '/admin?dialog=reset-all',
        { intent: 'reset-all', expected: '1', typed: '1' },
      ],
      ['Failed to add token', '/admin', { intent: 'add-token', token: 'another-token-012345' }],
      ['Failed to remove token', '/admin/tokens', { intent: 'remove', id: token.id }],
      ['Failed to delete tokens', '/admin/tokens', { intent: 'remove-all' }],
      ['Bulk import failed', '/admin/tokens', { intent: 'add-tokens', tokens: 'one-more-0123456' }],
      [
        'Bulk Import Failed',
        '/admin/users/import',
        { intent: 'import-users', text: `${newPhone()}|secret-1`, mode: 'import' },
      ],
      [
        'Token Assignment Failed',
        '/admin/users/assign-tokens',
        { intent: 'assign-tokens', text: 'tok-assign-0123456789', mode: 'assign' },
      ],
    ]
    const before = await product.db.query('select id, username, deleted_at from users order by id')
    await whileNothingWorks(async () => {
      for (const [title, path, fields] of cases) {
        const { text } = await send(path, fields)
        expect(text, title).toContain(title)
        expect(text, title).toMatch(SERVER_TEXT)
      }
    })
    const after = await product.db.query('select id, username, deleted_at from users order by id')
    expect(after.rows).toEqual(before.rows)
    expect(product.web.output()).toContain('forced')
  })

  test('A-QUICK-5: creating a user with a known phone links to the existing account', async () => {
    const { username } = await product.user()
    for (const [dialog, fields] of [
      ['quick', { intent: 'quick-create', plan: 'Business' }],
      ['create', newUserFields()],
    ] as const) {
      const sent = { ...fields, phone: `+${username}` }
      const { text, html } = await send(`/admin?dialog=${dialog}`, sent)
      expect(text).toContain('User already exists')
      expect(text).toContain('Edit or renew this user')
      expect(html).toContain(`href="/admin?search=${username}"`)
    }
  })

  test('A-API-29: every refusal and every failure of a call is JSON with a message', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000'
    const calls: [string, string, unknown][] = [
      ['POST', '/api/admin/users', { phone: '1' }],
      ['PATCH', `/api/admin/users/${nobody}`, { videoLimit: 1 }],
      ['PUT', `/api/admin/users/${nobody}`, { videoLimit: 'x' }],
      ['DELETE', `/api/admin/users/${nobody}`, undefined],
      ['DELETE', `/api/admin/users/${admin.userId}`, undefined],
      ['POST', `/api/admin/users/${nobody}/reset-counter`, {}],
      ['POST', '/api/admin/users/quick-create', {}],
      ['POST', '/api/admin/users/bulk-import', { users: [] }],
      ['POST', '/api/admin/users/assign-tokens', { tokens: [] }],
      ['POST', '/api/admin/extra-tokens', { token: ' ' }],
      ['DELETE', `/api/admin/extra-tokens/${nobody}`, undefined],
      ['DELETE', '/api/admin/videos/delete-by-status?status=gone', undefined],
      ['POST', '/api/admin/videos/regenerate-selected', { videoIds: [] }],
      ['POST', '/api/admin/prompts', { text: ' ' }],
      ['POST', '/api/admin/prompts/bulk', { prompts: ' ' }],
      ['PUT', `/api/admin/prompts/${nobody}`, { text: 'x' }],
      ['DELETE', `/api/admin/prompts/${nobody}`, undefined],
      ['POST', '/api/admin/prompts/delete-selected', {}],
      ['POST', `/api/admin/prompts/set-daily/${nobody}`, {}],
      ['GET', '/api/admin/users?page=0', undefined],
      ['GET', '/api/admin/nothing-here', undefined],
    ]
    for (const [method, path, body] of calls) {
      const response = await admin.call<Refusal>(method, path, body)
      expect([400, 404, 409], `${method} ${path}`).toContain(response.status)
      expect(response.body.error, `${method} ${path}`).toMatch(/^\w.+ .+/)
      expect(response.body.code, `${method} ${path}`).toMatch(/^[A-Z_]+$/)
    }
    await whileNothingWorks(async () => {
      const failed = await admin.post<Refusal>('/api/admin/users/reset-all-counters')
      expect(failed.status).toBe(500)
      expect(failed.body.error).toMatch(SERVER_TEXT)
      expect(JSON.stringify(failed.body)).not.toContain('forced')
    })
  })

  test('A-ERR-1: a form that failed keeps what was typed, except secrets', async () => {
    const fields = { ...newUserFields(), bearerToken: 'tok-typed-0123456789' }
    await whileNothingWorks(async () => {
      const { status, html } = await send('/admin?dialog=create', fields)
      expect(status).toBe(500)
      expect(html).toContain(`value="${fields.phone}"`)
      expect(html).not.toMatch(/tok-typed|secret-1/)
    })
  })

  test('A-ERR-1: messages for an import of none or too many users, and for tokens without users or users without tokens', async () => {
    const panel = async (name: string, text: string) =>
      (await send(`/admin/users/${name}`, { intent: 'x', text, mode: 'import' })).text
    expect(await panel('import', ' \n# nothing')).toContain('No Data Found')
    const many = Array.from({ length: 101 }, (_, i) => `user${i}|secret-1`).join('\n')
    const tooMany = await panel('import', many)
    expect(tooMany).toContain('Too Many Users')
    expect(tooMany).toContain('Maximum 100 users allowed at once')
    expect(await panel('import', 'onlyname')).toContain('Format Errors')
    expect(await panel('assign-tokens', ' ')).toContain('No Tokens Found')
    await product.db.query(`update users set role = 'admin' where role <> 'admin'`)
    expect(await panel('assign-tokens', 'tok-x-0123456789')).toContain('No Users Found')
    await product.db.query(`update users set role = 'user' where id <> $1`, [admin.userId])
  })

  test('A-ERR-2, A-ERR-3: each failed action on videos and prompts is named', async () => {
    const user = await product.user()
    const [video = ''] = await addVideos(product, { userId: user.userId, status: 'error', n: 2 })
    await admin.post('/api/admin/prompts', { text: 'A kite' })
    const promptId = await one('select id from prompts limit 1')
    const prompts: [string, Fields][] = [
      ['Failed to create prompt', { intent: 'create', text: 'x' }],
      ['Failed to import prompts', { intent: 'import', prompts: 'x\ny' }],
      ['Failed to update prompt', { intent: 'update', promptId, text: 'y' }],
      ['Failed to delete prompt', { intent: 'delete', promptId }],
      ['Failed to delete prompts', { intent: 'delete-selected', promptIds: promptId }],
      ['Failed to set daily prompt', { intent: 'set-daily', promptId }],
    ]
    const videos: [string, Fields][] = [
      [
        'Failed to delete videos',
        { intent: 'delete-all', status: 'error', expected: '1', typed: '1' },
      ],
      ['Delete failed', { intent: 'delete', on: video }],
      ['Regeneration failed', { intent: 'regenerate-selected', ids: video }],
      ['Regeneration failed', { intent: 'regenerate-all', expected: '2', typed: '2' }],
    ]
    await whileNothingWorks(async () => {
      for (const [title, fields] of prompts) {
        const { text } = await send('/admin/prompts', fields)
        expect(text, title).toContain(title)
        expect(text, title).toMatch(SERVER_TEXT)
      }
      for (const [title, fields] of videos) {
        const { text } = await send('/admin/videos', fields)
        expect(text, title).toContain(title)
        expect(text, title).toMatch(SERVER_TEXT)
      }
    })
    const { rows } = await product.db.query('select 1 from videos where deleted_at is null')
    expect(rows).toHaveLength(2)
  })
})

describe('when an action succeeds', () => {
  test('A-OK-1: each action on prompts and videos shows its toast', async () => {
    const said = async (path: string, fields: Fields) => (await send(path, fields)).text
    const prompts = '/admin/prompts'
    expect(await said(prompts, { intent: 'create', text: 'A boat' })).toContain('Prompt created')
    const promptId = await one(`select id from prompts where text = 'A boat'`)
    const change = { intent: 'update', promptId, text: 'A slow boat' }
    expect(await said(prompts, change)).toContain('Prompt updated')
    expect(await said(prompts, { intent: 'import', prompts: 'x\ny' })).toContain('Prompts imported')
    const daily = await said(prompts, { intent: 'set-daily', promptId })
    expect(daily).toContain('Daily prompt updated')
    expect(await said(prompts, { intent: 'delete', promptId })).toContain('Prompt deleted')
    const x = await one(`select id from prompts where text = 'x'`)
    const y = await one(`select id from prompts where text = 'y'`)
    const both = await said(prompts, { intent: 'delete-selected', promptIds: [x, y] })
    expect(both).toContain('Prompts deleted')

    await product.db.query('delete from videos')
    const user = await product.user()
    const [a = '', b = ''] = await addVideos(product, {
      userId: user.userId,
      status: 'error',
      n: 3,
    })
    const videos = '/admin/videos'
    expect(await said(videos, { intent: 'delete', on: a })).toContain('Video deleted')
    const again = await said(videos, { intent: 'regenerate-selected', ids: b })
    expect(again).toContain('Regeneration started')
    expect(again).toContain('1 video queued for regeneration.')
    const gone = await said(videos, {
      intent: 'delete-all',
      status: 'error',
      expected: '1',
      typed: '1',
    })
    expect(gone).toContain('Videos deleted')
    expect(gone).toContain('1 video deleted.')
    // As for users, one click is not enough: the number has to be typed.
    const order = { intent: 'delete-all', status: 'all', expected: '2' }
    for (const typed of ['', '3']) {
      const refused = await said(videos, { ...order, typed })
      expect(refused).toContain('Failed to delete videos')
      expect(refused).toContain(typed === '' ? 'Type the number shown' : 'Nothing was deleted.')
    }
    // The digits of any script count.
    expect(await said(videos, { ...order, typed: '٢' })).toContain('1 video deleted.')
  })

  test('A-OK-1, A-DELUSER-2: deleting all users requires typing their number', async () => {
    const ask = await page('/admin?dialog=delete-all')
    const number = /Type (\d+) to continue/.exec(ask.text)?.[1] ?? ''
    const wrong = await send('/admin?dialog=delete-all', {
      intent: 'delete-all',
      count: String(Number(number) + 1),
    })
    expect(wrong.text).toContain('Failed to delete users')
    expect(valueOf(wrong.html, 'delete-all-count')).toBe(String(Number(number) + 1))
    const { text } = await send('/admin?dialog=delete-all', {
      intent: 'delete-all',
      count: `${number.slice(0, -1)}.${number.slice(-1)}`,
    })
    expect(text).toContain('All users deleted')
    expect(text).toContain('All non-admin users have been removed.')
  })
})

test('A-IMPORT-11: without scripts only the lines that could not be imported stay in the box', async () => {
  const [taken, fresh] = [newPhone(), newPhone()]
  const into = (text: string) =>
    send('/admin/users/import', { intent: 'import-users', mode: 'import', text })
  const boxOf = ({ html }: { html: string }) =>
    /<textarea[^>]*name="text"[^>]*>([^<]*)/.exec(html)?.[1]?.trim()
  expect(boxOf(await into(`${taken}|secret-1`))).toBe('')
  const half = await into(`# note\n${taken}|secret-1\nonlyname\n${fresh}|secret-1|30\n`)
  expect(half.text).toContain('1 created · 2 failed')
  expect(boxOf(half)).toBe(`# note\n${taken}|secret-1\nonlyname`)
})

describe('a link for the first password', () => {
  const LINK = /\/set-password\?token=[\w-]+/
  const importHashed = async (phone: string) => {
    const { text } = await send('/admin/users/import', {
      intent: 'import-users',
      text: `${phone}|[HASHED]`,
      mode: 'import',
    })
    return LINK.exec(text)?.[0] ?? ''
  }
  const setPassword = (path: string, newPassword: string) => {
    const token = new URLSearchParams(path.split('?')[1]).get('token') ?? ''
    const client = product.client()
    return sendForm(client, path, { intent: 'set-password', token, newPassword }).then(
      (response) => ({
        ...response,
        client,
      }),
    )
  }

  test('A-IMPORT-7, Q-18: the link sets the password once, without signing in; before that nobody can sign in', async () => {
    const phone = newPhone()
    const link = await importHashed(phone)
    expect(link).toMatch(LINK)
    const before = await product.client().post('/api/auth/login', {
      username: phone,
      password: 'password-not-set',
    })
    expect(before.status).toBe(401)
    const shown = await openPage(product.client(), link)
    expect(shown.html).toContain(`value="${phone}"`)
    expect(shown.headers.get('cache-control')).toContain('no-store')
    const short = await setPassword(link, '12345')
    expect(short.text).toContain('Password must be at least 6 characters')
    const both = await Promise.all([setPassword(link, 'mine-123'), setPassword(link, 'theirs-1')])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
    const winner = both.find(({ status }) => status === 303)
    expect((await winner?.client.get('/api/auth/me'))?.body).toMatchObject({ username: phone })
    const again = await openPage(product.client(), link)
    expect(again.text).toContain('This link was used or is too old. Ask for a new one.')
    const signIns = await Promise.all(
      ['mine-123', 'theirs-1'].map((password) =>
        product.client().post('/api/auth/login', { username: phone, password }),
      ),
    )
    expect(signIns.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('Q-18: an administrator creates a link later; it is shown once and stored in no table or log', async () => {
    const phone = newPhone()
    await importHashed(phone)
    const id = await one('select id from users where username = $1', [phone])
    const row = (await page(`/admin?search=${phone}`)).text
    expect(row).toContain('No password')
    const made = await send('/admin', { intent: 'password-link', id })
    const link = LINK.exec(made.text)?.[0] ?? ''
    expect(made.text).toContain('it will not be shown again')
    expect((await page('/admin')).html).not.toContain('set-password?token')
    const secret = link.split('token=')[1] ?? 'missing'
    const { rows } = await product.db.query(
      `select 1 from trail_entries where action = 'user.password-link' and subject_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(2)
    const dump = await product.db.query('select t::text from trail_entries as t')
    expect(JSON.stringify(dump.rows)).not.toContain(secret)

    // A link is dead while the account is disabled, after the password was set by other means,
    // after a week, and if it belongs to another account or was altered.
    const dead = async () => (await openPage(product.client(), link)).text.includes('too old')
    expect(await dead()).toBe(false)
    await product.db.query('update users set is_active = false where id = $1', [id])
    expect(await dead()).toBe(true)
    await product.db.query('update users set is_active = true where id = $1', [id])
    const bent = `${link.slice(0, -2)}${link.endsWith('AA') ? 'BB' : 'AA'}`
    expect((await openPage(product.client(), bent)).text).toContain('too old')
    await admin.call('PATCH', `/api/admin/users/${id}`, { password: 'from-admin-1' })
    expect(await dead()).toBe(true)
    expect((await setPassword(link, 'too-late-1')).status).toBe(409)
    expect(product.web.output()).not.toContain(secret)
    const refused = await send('/admin', { intent: 'password-link', id })
    expect(refused.text).toContain('Failed to make the link')
  })
})

describe('the export of all users', () => {
  test('A-EXPORT-1: tokens are masked; clear text needs the administrator’s password', async () => {
    const token = 'tok-exported-0123456789'
    const phone = newPhone()
    await admin.post('/api/admin/users', { phone, password: 'secret-1', bearerToken: token })
    const plain = await admin.send('GET', '/admin/users/export')
    const lines = await plain.text()
    expect(plain.headers.get('content-disposition')).toMatch(/users-\d{4}-\d\d-\d\d\.txt/)
    expect(lines).toContain(phone)
    expect(lines).not.toContain(token)
    expect(lines).not.toMatch(/argon2|secret-1/)

    const html = (await page('/admin?dialog=export-tokens')).html
    const formToken = formTokenIn(html)
    const ask = (password: string) =>
      admin.submit('/admin/users/export', { formToken, password, intent: 'export-tokens' })
    const wrong = await ask('not-mine')
    expect(wrong.status).toBe(303)
    expect((await page(wrong.headers.get('location') ?? '')).text).toContain(
      'This is not your password',
    )
    const response = await ask('secret-1')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const clear = await response.text()
    expect(clear).toContain(`|${token}|`)
    expect(clear).not.toMatch(/argon2|secret-1/)
    const forged = await admin.submit('/admin/users/export', { password: 'secret-1' })
    expect(forged.status).toBe(303)
    expect((await page(forged.headers.get('location') ?? '')).text).toContain(
      'This form is out of date',
    )
    const { text } = await page('/admin/activity')
    expect(text).toContain('downloaded all data with tokens in clear')
    // Wrong passwords are counted per user.
    for (let i = 0; i < 10; i++) await ask(`guess-${i}`)
    expect((await page('/admin')).text).toContain('Too many wrong passwords')
  })
})
