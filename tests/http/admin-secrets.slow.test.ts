import { expect, test } from 'vitest'
import type { CreatedUser } from '../../app/domain/administration/types'
import { until } from '../support/wait'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation({ worker: true, env: { LOG_LEVEL: 'trace' } })

const PASSWORDS = [
  'Canary-Pass-Create1',
  'Canary-Pass-Edit2',
  'Canary-Pass-Import3',
  'Canary-Pass-Bad4',
]
const TOKENS = [
  'canary-token-create-0123456789abcdef',
  'canary-token-edit-0123456789abcdef',
  'canary-token-import-0123456789abcdef',
  'canary-token-assign-0123456789abcdef',
  'canary-token-pool-0123456789abcdef',
  'canary-token-failed-0123456789abcdef',
]

test('known passwords and tokens are in no dump, log or later response', async () => {
  const admin = await product.user({ role: 'admin' })
  const phone = '03550000001'
  const fields = { phone, password: PASSWORDS[0], bearerToken: TOKENS[0], plan: 'Starter' }
  const { body } = await admin.post<CreatedUser>('/api/admin/users', fields)
  const responses: string[] = []
  const keep = async (method: string, path: string, json?: unknown) => {
    const response = await admin.send(method, path, {
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    responses.push(`${method} ${path}\n${await response.text()}`)
  }
  await keep('POST', '/api/admin/users', fields)
  await keep('PATCH', `/api/admin/users/${body.user.id}`, {
    password: PASSWORDS[1],
    bearerToken: TOKENS[1],
  })
  await keep('PATCH', `/api/admin/users/${body.user.id}`, {
    password: PASSWORDS[3],
    bearerToken: TOKENS[1],
    videoLimit: 'x',
  })
  await keep('POST', '/api/admin/users/bulk-import', {
    users: [
      { username: '03550000002', password: PASSWORDS[2], bearerToken: TOKENS[2] },
      { username: '03550000002', password: PASSWORDS[3], bearerToken: TOKENS[2] },
    ],
  })
  await keep('POST', '/api/admin/users/assign-tokens', { tokens: [TOKENS[3]] })
  await keep('POST', '/api/admin/extra-tokens', { token: TOKENS[4] })
  await keep('POST', '/api/admin/extra-tokens', { token: TOKENS[4] })
  // The token is in use, and a call fails halfway.
  const user = product.client()
  await user.post('/api/auth/login', { username: '03550000002', password: PASSWORDS[2] })
  const { body: video } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'a' })
  await until('the video', async () => {
    const { body: state } = await user.get<{ status: string }>(`/api/videos/${video.id}/status`)
    return state.status === 'completed'
  })
  await product.db.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'forced'; end $$;
    create trigger refuse before insert on trail_entries execute function refuse()`)
  await keep('POST', '/api/admin/extra-tokens', { token: TOKENS[5] })
  const failing = { phone: '03550000009', password: PASSWORDS[3], bearerToken: TOKENS[5] }
  await keep('POST', '/api/admin/users', failing)
  await product.db.query('drop function refuse cascade')
  const { rows: changed } = await product.db.query('select 1 from trail_entries')
  expect(changed.length).toBeGreaterThanOrEqual(4)
  for (const path of [
    ...['/api/admin/users', '/admin', `/admin?dialog=edit&on=${body.user.id}`, '/admin/activity'],
    ...['/admin/users/export', '/admin?dialog=credentials', '/api/auth/me', '/admin/tokens'],
    ...['/api/admin/extra-tokens', '/admin/system', '/admin/users/trash', '/admin/videos'],
    ...['/api/videos?limit=100', '/dashboard', '/metrics', '/api/admin/stats/online'],
    '/admin/users/change?scope=filter&kind=renew',
  ]) {
    await keep('GET', path)
  }

  const { rows: tables } = await product.db.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`,
  )
  const dump: string[] = []
  for (const { name } of tables) {
    // Table names come from the catalogue. Bytes are also searched as text.
    const { rows } = await product.db.query<{ row: string }>(
      `select t::text as row from ${name} as t`,
    )
    dump.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  expect(dump.some((row) => row.includes('03550000002'))).toBe(true)
  expect(product.web.output()).toContain('forced')
  expect(product.worker?.output()).toContain('videos.fetch')
  const hex = (text: string) => Buffer.from(text).toString('hex')
  for (const secret of [...PASSWORDS, ...TOKENS]) {
    const places = [...dump, ...responses, product.web.output(), product.worker?.output() ?? '']
    expect(places.filter((text) => text.includes(secret) || text.includes(hex(secret)))).toEqual([])
  }
})
