import { beforeAll, describe, expect } from 'vitest'
import { RIGHTS, type Right } from '../../app/domain/context'
import { ACCESS } from '../../app/http/access/access'
import { makeApiKey, programOf } from '../support/api-key'
import type { Client } from '../support/client'
import { addVideos } from '../support/ended-videos'
import { useInstallation } from '../support/shared-installation'
import { slowTest, test } from '../support/slow'

// Checks the whole access table with every kind of principal: what must be refused is refused, and
// what is open is not refused. The ids in the addresses are well-formed and do not exist.

type Program = Client & { userId: string }
const product = useInstallation()
const clients = new Map<string, () => Client>()

beforeAll(async () => {
  const set = (id: string, what: string) =>
    product.db.query(`update users set ${what} where id = $1`, [id])
  const make = async (name: string, change: (user: Program) => Promise<unknown>) => {
    const user = await product.user()
    await change(user)
    clients.set(name, () => user)
  }
  clients.set('anonymous', () => product.client())
  clients.set('a forged cookie', () => forged())
  await make('a user', async () => undefined)
  await make('an editor', (user) => set(user.userId, `role = 'editor'`))
  await make('a helper with every right', async (user) => {
    await set(user.userId, `role = 'editor'`)
    await product.db.query(
      `insert into helper_rights (user_id, rights, regenerate_per_day) values ($1, $2, 100)`,
      [user.userId, RIGHTS],
    )
  })
  for (const right of RIGHTS)
    await make(withOne(right), async (user) => {
      await set(user.userId, `role = 'editor'`)
      await product.db.query(
        `insert into helper_rights (user_id, rights, regenerate_per_day) values ($1, $2, 100)`,
        [user.userId, [right]],
      )
    })
  await make('an expired user', (user) =>
    set(user.userId, `expiry_date = now() - interval '9 days'`),
  )
  await make('a disabled administrator', (user) =>
    set(user.userId, `role = 'admin', is_active = false`),
  )
  await make('a deleted administrator', (user) =>
    set(user.userId, `role = 'admin', deleted_at = now()`),
  )
  await make('a demoted administrator', async (user) => {
    await set(user.userId, `role = 'admin'`)
    expect((await user.get('/api/admin/stats/online')).status).toBe(200)
    await set(user.userId, `role = 'user'`)
  })
  await make('a revoked session', async (user) => {
    await set(user.userId, `role = 'admin'`)
    await product.db.query('delete from sessions where user_id = $1', [user.userId])
  })
  await make('an ended session', async (user) => {
    await set(user.userId, `role = 'admin'`)
    await product.db.query(
      `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
      [user.userId],
    )
  })
  await make('an administrator', (user) => set(user.userId, `role = 'admin'`))
})

function forged(): Client {
  const client = product.client()
  const send = client.send.bind(client)
  client.send = (method, path, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', 'session=ImFkbWluIg%3D%3D.c2lnbmF0dXJl')
    return send(method, path, { ...init, headers })
  }
  return client
}

const STRANGERS = new Set([
  'anonymous',
  'a forged cookie',
  'a disabled administrator',
  'a deleted administrator',
  'a revoked session',
  'an ended session',
])
const ADMIN = 'an administrator'
const HELPER = 'a helper with every right'
const withOne = (right: Right) => `a helper with the right ${right} alone`

const isCall = (path: string) => path.startsWith('/api/') || path.startsWith('/media/')
const example = (path: string) =>
  path
    .replace(':file', '00000000-0000-4000-8000-000000000000.mp4')
    .replace(/:\w+/, '00000000-0000-4000-8000-000000000000')

// Cells that end sessions or delete all users would end the test as well. Their refusals are
// tested.
const NOT_AS_ADMIN = new Set(['/api/admin/users/delete-all', '/api/auth/logout', '/logout'])

const cells = Object.entries(ACCESS).flatMap(([path, entry]) =>
  Object.entries(entry)
    .filter(([, principal]) => principal !== 'anyone')
    .map(([method, principal]) => ({ path, method, principal })),
)

async function ask(name: string, method: string, path: string) {
  const client = clients.get(name)?.() ?? product.client()
  const response = await client.send(method, example(path), {
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: '{}' }),
  })
  const text = await response.text()
  return { status: response.status, text, location: response.headers.get('location') ?? '' }
}

/**
 * Returns the expected response of a cell for this principal: a status, a redirect to sign-in, or
 * access.
 */
function expected(name: string, { path, principal }: (typeof cells)[number]) {
  if (STRANGERS.has(name)) return isCall(path) ? 401 : 'sign in'
  if (principal === 'user' || principal === 'program' || name === ADMIN) return 'open'
  if (name === HELPER && principal !== 'admin') return 'open'
  const rights = RIGHTS.filter((right) => name === withOne(right))
  if (rights.length > 0 && (principal === 'helper' || rights.some((right) => right === principal)))
    return 'open'
  return 403
}

const NAMES = [
  ...STRANGERS,
  ...['a user', 'an editor', HELPER, 'an expired user', 'a demoted administrator', ADMIN],
]

describe('A-API-1, U-API-22: the access table with every principal', () => {
  test.each(NAMES)('%s', everyCell)
  slowTest.each(RIGHTS.map(withOne))('%s', everyCell)

  async function everyCell(name: string): Promise<void> {
    const mine = cells.filter(({ path }) => name !== ADMIN || !NOT_AS_ADMIN.has(path))
    const wrong: string[] = []
    const check = async (cell: (typeof cells)[number]) => {
      const want = expected(name, cell)
      const response = await ask(name, cell.method, cell.path)
      const leaks = want !== 'open' && /Total Users|tokenMasked|"users":/.test(response.text)
      if (!isAsWanted(want, response) || leaks)
        wrong.push(`${cell.method} ${cell.path}: ${response.status}, not ${want}`)
    }
    for (let at = 0; at < mine.length; at += 8) await Promise.all(mine.slice(at, at + 8).map(check))
    expect(wrong).toEqual([])
  }

  test('a key opens what is for programs and nothing else, an administrator’s as well as a user’s', async () => {
    const all = Object.entries(ACCESS)
      .filter(([path]) => !path.endsWith('*'))
      .flatMap(([path, entry]) =>
        Object.entries(entry).map(([method, principal]) => ({ path, method, principal })),
      )
    expect(all.filter(({ principal }) => principal === 'program').length).toBeGreaterThan(20)
    for (const columns of [{ role: 'admin' }, { plan: 'Enterprise' }] as const) {
      const key = await makeApiKey(await product.user(columns))
      clients.set('a key', () => programOf(product.url, key))
      const wrong: string[] = []
      for (const { path, method, principal } of all) {
        const { status, text } = await ask('a key', method, path)
        const isRefused = status === 403 && text.includes('API keys are only for')
        const isOpen = status !== 401 && status < 500 && !isRefused
        if (principal === 'program' ? !isOpen : !isRefused)
          wrong.push(`${method} ${path} ${principal}: ${status}`)
      }
      expect(wrong).toEqual([])
    }
  })

  test('every /admin route is for administrators in the table, or for a right', () => {
    const forAdmins = cells.filter(
      ({ principal }) => principal !== 'user' && principal !== 'program',
    )
    expect(forAdmins.length).toBeGreaterThan(15)
    for (const { path } of cells.filter(({ path }) => /^\/(api\/)?admin\b/.test(path)))
      expect(forAdmins.map((cell) => cell.path)).toContain(path)
  })
})

type Given = Awaited<ReturnType<typeof ask>>

/** Pages redirect visitors to sign in. A typed form goes through /resume. */
function isAsWanted(want: number | 'open' | 'sign in', { status, location, text }: Given): boolean {
  const leadsToSignIn = [303, 307].includes(status) && /^\/(login|resume)/.test(location)
  if (want === 'sign in') return leadsToSignIn
  if (want === 'open') return status !== 401 && !leadsToSignIn && !isRoleRefusal(status, text)
  return status === want
}

/** Returns whether the request was refused because of the role, and not because of its content. */
const isRoleRefusal = (status: number, text: string) =>
  status === 403 && /only for administrators|Access Denied/.test(text)

describe('U-ROLE-3: another user’s video cannot be distinguished from one that does not exist', () => {
  const NOBODYS = '00000000-0000-4000-8000-000000000000'
  const SECRET = 'A prompt that only its owner knows'
  let video = ''
  beforeAll(async () => {
    const { userId } = await product.user()
    const [id = ''] = await addVideos(product, {
      userId,
      status: 'completed',
      prompt: SECRET,
      withFiles: true,
    })
    video = id
  })

  // Every address with the id of a video, and those with ids in the query.
  const addresses = [
    ...cells.filter(({ path }) => path.includes(':videoId')),
    { path: '/media/:videoId.mp4', method: 'GET' },
    { path: '/media/:videoId.jpg', method: 'GET' },
    { path: '/api/videos/archive?ids=:videoId', method: 'GET' },
    { path: '/resources/prompts?choice=selected&ids=:videoId', method: 'GET' },
    { path: '/dashboard?dialog=preview&on=:videoId', method: 'GET' },
  ]

  test.each(NAMES.filter((name) => name !== ADMIN))('%s', async (name) => {
    const client = clients.get(name)?.() ?? product.client()
    const told = async (method: string, path: string, id: string) => {
      const response = await client.send(method, path.replace(':videoId', id), {
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: JSON.stringify({ prompt: 'another' }) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true
      const body = isJson ? text.replace(/"requestId":"[^"]*"/, '').replaceAll(id, '') : ''
      return { text, response: { status: response.status, body } }
    }
    for (const { method, path } of addresses) {
      const [foreign, none] = [await told(method, path, video), await told(method, path, NOBODYS)]
      expect({ method, path, ...foreign.response }).toEqual({ method, path, ...none.response })
      expect(foreign.text).not.toContain(SECRET)
      if (method === 'GET' && isCall(path))
        expect([401, 403, 404]).toContain(foreign.response.status)
    }
    const { rows } = await product.db.query(
      `select prompt, status, generation from videos where id = $1 and deleted_at is null`,
      [video],
    )
    expect(rows).toEqual([{ prompt: SECRET, status: 'completed', generation: 1 }])
  })
})

test('the data of an administrator’s page is as protected as the page', async () => {
  for (const name of ['a user', 'an editor', 'a demoted administrator']) {
    for (const route of ['_layout', 'admin._index', 'admin.activity', 'admin.users.trash']) {
      const data = encodeURIComponent(`routes/_admin+/${route}`)
      for (const path of ['/admin', '/app']) {
        const { status, text } = await ask(name, 'GET', `${path}?_data=${data}`)
        expect([403, 404, 400, 405, 500].includes(status) || !/"stats"|"entries"/.test(text)).toBe(
          true,
        )
        expect(text).not.toMatch(/"stats"|"entries"|totalCount/)
      }
    }
  }
})
