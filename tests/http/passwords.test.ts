import { hash } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ImportResult, ManagedUser } from '../../app/domain/administration/types'
import { weakPasswordProblem } from '../../app/domain/accounts/new-password.server'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { sendForm, sendPassword } from '../support/page'

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})

type Failure = { error: string; code: string; fields?: Record<string, string[]> }
let numbers = 30_000_000
const newPhone = () => `0355${numbers++}`
const signIn = (username: string, password: string) =>
  product.client().post('/api/auth/login', { username, password })
const change = (user: typeof admin, oldPassword: string, newPassword: string) =>
  user.post<Failure>('/api/auth/user/change-password', { oldPassword, newPassword })

const EASY = 'This password is too easy to guess. Choose another one.'
const OWN = 'The username cannot be the password. Choose another one.'

describe('passwords that are easy to guess', () => {
  const phone = newPhone()
  const weak: [string, string][] = [
    ['123456', EASY],
    ['PassWord', EASY],
    ['      ', EASY],
    ['\u200b\u200b\u200b\u200b\u200b\u200b', EASY],
    [phone, OWN],
    [`+${phone.slice(0, 4)}-${phone.slice(4)}`, OWN],
  ]

  test.each(weak)('U-REG-3: %j is refused when registering', async (password, problem) => {
    const refused = await product.client().post<Failure>('/api/auth/register', { phone, password })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ error: problem, fields: { password: [problem] } })
  })

  test('the 3,000 most common passwords of sufficient length are refused (ASVS 6.2.4)', () => {
    const settings = { phoneCountries: [] } as never
    const common = dictionary['passwords-common'].filter(({ length }) => length >= 6).slice(0, 3000)
    const taken = common.filter(
      (password) => weakPasswordProblem({ settings }, { password, username: 'x' }) === null,
    )
    expect(common).toHaveLength(3000)
    expect(taken).toEqual([])
  })

  test('U-PWD-6: they are refused when changing the password, by the call and by the page', async () => {
    const user = await product.user()
    const refused = await change(user, 'secret-1', 'password1')
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ error: EASY, fields: { newPassword: [EASY] } })
    expect((await change(user, 'secret-1', user.username)).body.error).toBe(OWN)
    const page = await sendPassword(user, 'secret-1', 'password1')
    expect(page.text).toContain('Failed to change password')
    expect(page.text).toContain(EASY)
    expect((await signIn(user.username, 'secret-1')).status).toBe(200)
  })

  test('A-CREATE-4, A-EDIT-2: administrators and imports cannot set one either', async () => {
    const created = await admin.post<Failure>('/api/admin/users', { phone, password: 'letmein' })
    expect([created.status, created.body.error]).toEqual([400, EASY])
    const user = await product.user()
    const edited = await admin.call<Failure>('PATCH', `/api/admin/users/${user.userId}`, {
      password: user.username,
    })
    expect([edited.status, edited.body.error]).toEqual([400, OWN])
    const { body } = await admin.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users: [
        { username: newPhone(), password: 'qwerty' },
        { username: phone, password: phone },
        { username: newPhone(), password: 'a good one' },
      ],
    })
    expect(body.results.map(({ success, error }) => [success, error])).toEqual([
      [false, EASY],
      [false, OWN],
      [true, undefined],
    ])
  })

  test('the link for the first password refuses one too and stays valid', async () => {
    const username = newPhone()
    await admin.post('/api/admin/users/bulk-import', {
      users: [{ username, password: '[HASHED]' }],
    })
    const found = await admin.get<ManagedUser[]>(`/api/admin/users?search=${username}`)
    const made = await sendForm(admin, '/admin', {
      intent: 'password-link',
      id: found.body[0]!.id,
    })
    const link = /\/set-password\?token=[\w-]+/.exec(made.html)?.[0] ?? ''
    const fill = (newPassword: string) =>
      sendForm(product.client(), link, {
        intent: 'set-password',
        newPassword,
        token: link.split('token=')[1] ?? '',
      })
    expect((await fill('123456')).text).toContain(EASY)
    expect((await fill(username)).text).toContain(OWN)
    expect((await fill('a good one')).text).toContain('Password set')
  })
})

describe('one password in different Unicode forms', () => {
  const composed = 'caf\u00e9-\u00fc1'
  const decomposed = composed.normalize('NFD')

  test('composed and decomposed letters are equal', async () => {
    const user = await product.user()
    expect((await change(user, 'secret-1', decomposed)).status).toBe(200)
    for (const typed of [composed, decomposed])
      expect((await signIn(user.username, typed)).status).toBe(200)
    expect((await signIn(user.username, 'cafe-u1')).status).toBe(401)
  })

  test('an older hash of decomposed letters still works', async () => {
    const user = await product.user()
    await product.db.query('update users set password_hash = $2 where id = $1', [
      ...[user.userId, await hash(decomposed)],
    ])
    expect((await signIn(user.username, decomposed)).status).toBe(200)
    expect((await change(user, decomposed, composed)).status).toBe(200)
    expect((await signIn(user.username, composed)).status).toBe(200)
  })
})

describe('concurrent changes', () => {
  test('U-PWD-5: of four concurrent changes one succeeds, and its password is the valid one', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await product.user()
      const wishes = ['first-1', 'second-2', 'third-3', 'fourth-4']
      const responses = await Promise.all(wishes.map((wish) => change(user, 'secret-1', wish)))
      const worked = wishes.filter((_, i) => responses[i]?.status === 200)
      expect(worked).toHaveLength(1)
      expect(responses.filter(({ status }) => [400, 401, 409].includes(status))).toHaveLength(3)
      const opening = await Promise.all(wishes.map((wish) => signIn(user.username, wish)))
      expect(wishes.filter((_, i) => opening[i]?.status === 200)).toEqual(worked)
    }
  })

  test('no sign-in with the old password outlives the change of it', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await product.user()
      let isChanged = false
      const others = Array.from({ length: 3 }, async () => {
        while (!isChanged) await signIn(user.username, 'secret-1')
      })
      expect((await change(user, 'secret-1', 'my-own-1')).status).toBe(200)
      isChanged = true
      await Promise.all(others)
      const { rows } = await product.db.query('select 1 from sessions where user_id = $1', [
        user.userId,
      ])
      expect(rows, 'the session that the change started').toHaveLength(1)
    }
  })

  test('a concurrent change does not overwrite the password that an administrator has set', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await product.user()
      const [own, given] = await Promise.all([
        change(user, 'secret-1', 'my-own-1'),
        admin.call('PATCH', `/api/admin/users/${user.userId}`, { password: 'from-admin-1' }),
      ])
      expect(given.status).toBe(200)
      expect([200, 400, 401, 409]).toContain(own.status)
      expect((await signIn(user.username, 'from-admin-1')).status).toBe(200)
    }
  })
})
