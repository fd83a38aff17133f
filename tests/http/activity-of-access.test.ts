import { beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { openPage, sendForm } from '../support/page'
import { until } from '../support/wait'

const product = useInstallation({ env: { THROTTLE_SCALE: '1' } })
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})

const entriesOf = async (userId: string) => {
  const { rows } = await product.db.query<{ action: string; actor: string; after: unknown }>(
    `select action, actor_name as actor, after from trail_entries where subject_id = $1
       and action like 'auth.%' order by at, id`,
    [userId],
  )
  return rows
}
const signIn = (username: string, password: string) =>
  product.client().post('/api/auth/login', { username, password })

describe('what the activity log records about signing in', () => {
  test('registering, failures, signing in and out, changed passwords and ended sessions, once each', async () => {
    const user = await product.user()
    await signIn(user.username, 'wrong-1')
    const elsewhere = await signIn(user.username, 'secret-1')
    expect(elsewhere.status).toBe(200)
    const ending = { intent: 'end-others', ownPassword: 'secret-1' }
    await sendForm(user, '/account/sessions', ending)
    for (const oldPassword of ['wrong-1', 'secret-1'])
      await user.post('/api/auth/user/change-password', { oldPassword, newPassword: 'secret2' })
    await user.post('/api/auth/logout')
    await product.db.query('update users set is_active = false where id = $1', [user.userId])
    expect((await signIn(user.username, 'secret2')).status).toBe(403)

    const entries = await entriesOf(user.userId)
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['auth.register', user.username],
      ['auth.failure', 'somebody'],
      ['auth.sign-in', user.username],
      ['auth.end-sessions', user.username],
      ['auth.wrong-password', user.username],
      ['auth.password', user.username],
      ['auth.sign-out', user.username],
      ['auth.refused', 'somebody'],
    ])
    expect(entries[1]?.after).toEqual({ address: expect.stringContaining('127.0.0.1') as string })
  })

  test('a lock-out is one entry, and a name without an account is not recorded', async () => {
    const user = await product.user()
    for (let i = 0; i < 14; i++) await signIn(user.username, 'wrong-1')
    const actions = (await entriesOf(user.userId)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'auth.failure')).toHaveLength(10)
    expect(actions.filter((action) => action === 'auth.locked')).toHaveLength(1)
    await signIn('my-secret-password', 'secret-1')
    const { rows } = await product.db.query<{ text: string }>(
      `select t::text as text from trail_entries as t where action = 'auth.failure' and subject_id is null`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).not.toContain('my-secret')
  })

  test('the page shows and filters the entries; none contains a password', async () => {
    const user = await product.user()
    await signIn(user.username, 'wrong-1')
    const spaced = `+${user.username.slice(0, 4)} ${user.username.slice(4)}`
    const page = await openPage(
      admin,
      `/admin/activity?${new URLSearchParams({ subject: spaced, action: 'auth.failure' })}`,
    )
    expect(page.text).toMatch(new RegExp(`somebody failed to sign in\\s*:\\s*${user.username}`))
    expect(page.text).toContain('address')
    expect(page.text).not.toContain(`${user.username} registered`)
    const dump = await product.db.query<{ text: string }>(
      'select t::text as text from trail_entries as t',
    )
    for (const secret of ['secret-1', 'wrong-1', 'argon2'])
      expect(dump.rows.some(({ text }) => text.includes(secret))).toBe(false)
  })

  test('sign-in entries are removed after 180 days; entries of administrators stay', async () => {
    const user = await product.user()
    await admin.call('PATCH', `/api/admin/users/${user.userId}`, { videoLimit: 9 })
    await signIn(user.username, 'secret-1')
    await product.db.query(
      `update trail_entries set at = now() - interval '181 days'
       where subject_id = $1 and action <> 'auth.sign-in'`,
      [user.userId],
    )
    const worker = await product.startWorker()
    const left = async () => {
      const { rows } = await product.db.query<{ action: string }>(
        'select action from trail_entries where subject_id = $1 order by action',
        [user.userId],
      )
      return rows.map(({ action }) => action)
    }
    await product.db.query(`select graphile_worker.add_job('system.remove-old')`)
    await until('the removal of old entries', async () => (await left()).length === 2)
    expect(await left()).toEqual(['auth.sign-in', 'user.edit'])
    await worker.stop()
  })
})
