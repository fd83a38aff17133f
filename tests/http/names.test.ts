import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportResult, ManagedUser } from '../../app/domain/administration/types'
import type { Client } from '../support/client'
import { startInstallation, type Installation } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { sendForm } from '../support/page'

const product = useInstallation()
let admin: Client
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})

type Failure = { error: string; fields?: Record<string, string[]> }
let numbers = 1_000_000
const digits = () => String(numbers++)
const register = (phone: string, at = product) =>
  at.client().post<Failure>('/api/auth/register', { phone, password: 'secret-1' })
const signIn = (username: string, at = product) =>
  at.client().post<{ username: string }>('/api/auth/login', { username, password: 'secret-1' })

/** Spellings of 03xx1234567 that users paste and type. */
const spellings = (n: string) => [
  `\u202a0344${n}\u202c`,
  `\u200e0344\u200b${n}`,
  `0344\u2011${n}`,
  `0344 – ${n.slice(0, 3)}_${n.slice(3)}*#,`,
  `۰۳۴۴${n}`,
  Array.from(`0344${n}`, (d) => String.fromCodePoint(0xff10 + Number(d))).join(''),
]

describe('one canonical form of a phone number', () => {
  test('Q-29: U-LOGIN-3: each spelling registers, signs in and is found as the same user', async () => {
    const n = digits()
    expect((await register(spellings(n)[0]!)).status).toBe(201)
    for (const spelling of spellings(n)) {
      expect((await register(spelling)).status).toBe(409)
      const entered = await signIn(spelling)
      expect(entered.body.username).toBe(`0344${n}`)
      const found = await admin.get<ManagedUser[]>(
        `/api/admin/users?${new URLSearchParams({ search: spelling })}`,
      )
      expect(found.body.map(({ username }) => username)).toEqual([`0344${n}`])
    }
  })

  test('Q-29: created and imported accounts have the canonical form too', async () => {
    const [first, second] = [digits(), digits()]
    const made = await admin.post<{ user: ManagedUser }>('/api/admin/users', {
      phone: `\u202a۰۳۴۴${first}`,
      password: 'secret-1',
    })
    expect(made.body.user).toMatchObject({ username: `0344${first}`, phone: `0344${first}` })
    const quick = await admin.post('/api/admin/users/quick-create', {
      phone: `０３４４${first}`,
      plan: 'Starter',
    })
    expect(quick.status).toBe(409)
    const users = spellings(second).map((username) => ({ username, password: 'secret-1' }))
    const done = await admin.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users,
    })
    expect(done.body.results.map(({ username, success }) => [username, success])).toEqual(
      users.map((_, i) => [`0344${second}`, i === 0]),
    )
  })

  test('a NUL in one row of an import refuses only this row', async () => {
    const n = digits()
    const done = await admin.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users: [
        { username: `0344${n}`, password: 'secret-1' },
        { username: '9230\u00001234567', password: 'secret-1' },
        { username: 'ali\u0000', password: 'secret-1' },
      ],
    })
    expect(done.status).toBe(200)
    expect(done.body.results.map(({ success }) => success)).toEqual([true, false, false])
  })

  test('a search without letters and digits has no matches', async () => {
    for (const search of ['()', '#*', '\u202a+\u202c'])
      expect((await admin.get(`/api/admin/users?${new URLSearchParams({ search })}`)).body).toEqual(
        [],
      )
  })

  test('an account with an older form of its name can sign in and is updated by an import', async () => {
    const n = digits()
    const user = await product.user()
    const older = `\u202a+92344${n}\u202c`
    await product.db.query('update users set username = $2 where id = $1', [user.userId, older])
    expect((await signIn(older)).body.username).toBe(older)
    const done = await admin.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users: [{ username: older, password: '[HASHED]', videoLimit: 77 }],
    })
    expect(done.body.results).toMatchObject([{ username: older, success: true }])
    const { rows } = await product.db.query('select video_limit from users where id = $1', [
      user.userId,
    ])
    expect(rows).toEqual([{ video_limit: 77 }])
  })
})

describe('with a country code', () => {
  let local: Installation
  beforeAll(async () => {
    local = await startInstallation({ env: { PHONE_COUNTRY_CODE: '92' } })
  })
  afterAll(() => local.remove())

  test('Q-29: 0300…, +92300… and 0092300… are one user everywhere', async () => {
    const n = digits()
    const ways = [`0344 ${n}`, `+92 344 ${n}`, `0092344${n}`]
    const boss = await local.user({ role: 'admin' })
    expect((await register(ways[0]!, local)).status).toBe(201)
    for (const way of ways) {
      expect((await register(way, local)).status).toBe(409)
      expect((await signIn(way, local)).body.username).toBe(`92344${n}`)
      const quick = await boss.post('/api/admin/users/quick-create', {
        phone: way,
        plan: 'Starter',
      })
      expect(quick.status).toBe(409)
      const found = await boss.get<ManagedUser[]>(
        `/api/admin/users?${new URLSearchParams({ search: way })}`,
      )
      expect(found.body).toHaveLength(1)
    }
    const done = await boss.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users: ways.map((username) => ({ username, password: 'secret-1' })),
    })
    expect(done.body.results.every(({ success }) => !success)).toBe(true)
  })

  test('older accounts are found by each form, no duplicate is created, and a script lists existing duplicates', async () => {
    const n = digits()
    const [old, other] = [await local.user(), await local.user()]
    const rename = (id: string, name: string) =>
      local.db.query('update users set username = $2, phone = $2 where id = $1', [id, name])
    await rename(old.userId, `0344${n}`)
    for (const way of [`+92344${n}`, `0344${n}`])
      expect((await signIn(way, local)).body.username).toBe(`0344${n}`)
    expect((await register(`+92344${n}`, local)).status).toBe(409)

    await rename(other.userId, `92344${n}`)
    // A user with two accounts signs in to each by its own name.
    expect((await signIn(`0344${n}`, local)).body.username).toBe(`0344${n}`)
    expect((await signIn(`92344${n}`, local)).body.username).toBe(`92344${n}`)
    const { PATH, HOME } = process.env
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.resolve('build/same-names.js')],
      { env: { PATH, HOME, NODE_ENV: 'production', ...local.env } },
    )
    expect(stdout).toContain(`"0344${n}"`)
    expect(stdout).toContain(`"92344${n}"`)
    expect(stdout).toContain('Groups: 1')
  })

  test('a deleted account is not restored beside a newer one of the same user', async () => {
    const n = digits()
    const boss = await local.user({ role: 'admin' })
    const gone = await local.user()
    await local.db.query('update users set username = $2, deleted_at = now() where id = $1', [
      gone.userId,
      `0344${n}`,
    ])
    expect((await register(`+92344${n}`, local)).status).toBe(201)
    const page = await sendForm(boss, '/admin/users/trash', { intent: 'restore', id: gone.userId })
    expect(page.text).toContain('by now. Delete that user first.')
  })
})
