import { execFile } from 'node:child_process'
import path from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { startInstallation, type TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { openPage, sendForm } from '../support/page'
import { ACCESS } from '../../app/http/access/access'
import { switchOn, TWO_STEP } from '../support/second-factor'
import { slowTest, test } from '../support/slow'

const product = useInstallation({ env: { ADMIN_SECOND_FACTOR: 'required' } })
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})

const ID = '00000000-0000-4000-8000-000000000000'
const pathsOf = (method: string) =>
  Object.entries(ACCESS)
    .filter(([, entry]) => (entry as Record<string, string>)[method] === 'admin')
    .map(([path]) => path.replace(/:\w+/g, ID))

describe('with ADMIN_SECOND_FACTOR=required an administrator without a second factor', () => {
  test('is redirected from every administrator page and form to the set-up page', async () => {
    const pages = pathsOf('GET').filter((path) => path.startsWith('/admin'))
    expect(pages.length).toBeGreaterThan(10)
    for (const path of pages) {
      const response = await admin.send('GET', path)
      expect([path, response.status, response.headers.get('location')]).toEqual([
        path,
        303,
        TWO_STEP,
      ])
      const data = await admin.send('GET', `${path}?_data=root`)
      expect(data.headers.get('x-remix-redirect')).toBe(TWO_STEP)
    }
    for (const path of pathsOf('POST').filter((path) => path.startsWith('/admin'))) {
      const sent = await admin.submit(path, { intent: 'anything' })
      expect([path, sent.headers.get('location')]).toEqual([path, TWO_STEP])
    }
    expect((await openPage(admin, TWO_STEP)).text).toContain('to open the admin area')
  })

  test('is refused by every administrator call', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      for (const path of pathsOf(method).filter((path) => path.startsWith('/api'))) {
        const response = await admin.call(method, path, method === 'GET' ? undefined : {})
        expect([path, response.status]).toEqual([path, 403])
        expect(response.body.error).toBe('Set up two-step sign-in first')
      }
  })

  test('sees no data of other users through the calls for all users', async () => {
    const user = await product.user()
    const made = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'a boat' })
    expect(made.status).toBe(201)
    const everybodys = await admin.get<{ videos: unknown[] }>('/api/videos?scope=all')
    expect(everybodys.body.videos).toEqual([])
    expect((await admin.get(`/api/videos/${made.body.id}/status`)).status).toBe(404)
    expect((await admin.call('DELETE', `/api/videos/${made.body.id}`)).status).toBe(404)
    expect((await openPage(admin, `/videos/${made.body.id}`)).text).not.toContain('a boat')
  })

  test('makes videos and signs out like other users', async () => {
    expect((await admin.get('/api/auth/me')).body).toMatchObject({ role: 'admin' })
    expect((await openPage(admin, '/dashboard')).status).toBe(200)
  })

  test('has full access after the set-up; editors and users are not affected', async () => {
    const fresh = await product.user({ role: 'admin' })
    const { confirmed } = await switchOn(fresh)
    expect(confirmed.html).toContain('href="/admin"')
    expect((await openPage(fresh, '/admin')).status).toBe(200)
    expect((await fresh.get('/api/admin/stats/online')).status).toBe(200)
    const editor = await product.user({ role: 'editor' })
    expect((await openPage(editor, '/admin')).status).toBe(403)
    expect((await openPage(editor, '/dashboard')).status).toBe(200)
  })
})

test('the setting accepts two values', async () => {
  await expect(startInstallation({ env: { ADMIN_SECOND_FACTOR: 'sometimes' } })).rejects.toThrow(
    'ADMIN_SECOND_FACTOR must be optional or required',
  )
})

describe('a lost device', () => {
  const lost = async () => {
    const other = await product.user({ role: 'admin' })
    const { recoveryCodes } = await switchOn(other)
    codes.set(other, recoveryCodes)
    return other
  }
  /** Of each administrator, the recovery codes that are left. */
  const codes = new Map<TestUser, string[]>()
  const off = (by: TestUser, id: string, password: string) =>
    sendForm(by, `/admin?dialog=second-factor&on=${id}`, {
      intent: 'second-factor-off',
      id,
      password,
      recoveryCode: codes.get(by)?.pop() ?? '',
    })

  test('another administrator switches it off, with their own password; it is recorded', async () => {
    const [desk, other] = [await lost(), await lost()]
    expect((await openPage(desk, `/admin?dialog=edit&on=${other.userId}`)).text).toContain(
      'Two-step sign-in is on.',
    )
    const wrong = await off(desk, other.userId, 'wrong-1')
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('This is not your password')
    expect((await other.get('/api/auth/me')).status).toBe(200)
    const done = await off(desk, other.userId, 'secret-1')
    expect(done.text).toContain('signs in with the password alone')
    expect((await other.get('/api/auth/me')).status).toBe(401)
    const again = { username: other.username, password: 'secret-1' }
    expect((await product.client().post('/api/auth/login', again)).status).toBe(200)
    expect((await off(desk, other.userId, 'secret-1')).text).toContain('does not use two-step')
    const { rows } = await product.db.query(
      `select actor_name as by from trail_entries where action = 'user.second-factor-off' and subject_id = $1`,
      [other.userId],
    )
    expect(rows).toEqual([{ by: desk.username }])
    expect((await openPage(desk, '/admin/activity')).text).toContain(
      'switched two-step sign-in off for a user',
    )
  })

  test('switching off one’s own requires a code', async () => {
    const desk = await lost()
    const refused = await off(desk, desk.userId, 'secret-1')
    expect(refused.status).toBe(409)
    expect((await openPage(desk, TWO_STEP)).text).toContain('Two-step sign-in is on')
  })

  /** Returns the output and exit code of the built command. */
  const command = (name: string) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const { PATH, HOME } = process.env
      execFile(
        process.execPath,
        [path.resolve('build/second-factor-off.js'), name],
        { env: { PATH, HOME, NODE_ENV: 'production', ...product.env } },
        (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      )
    })

  slowTest('a command switches it off for the last administrator; it is recorded', async () => {
    const last = await lost()
    const spaced = `${last.username.slice(0, 4)} ${last.username.slice(4)}`
    const done = await command(spaced)
    expect(done).toMatchObject({ code: 0 })
    expect(done.output).toContain(`Two-step sign-in is off for ${last.username}`)
    expect((await last.get('/api/auth/me')).status).toBe(401)
    const credentials = { username: last.username, password: 'secret-1' }
    const client = product.client()
    expect((await client.post('/api/auth/login', credentials)).status).toBe(200)
    expect((await openPage(client, TWO_STEP)).text).toContain('Set it up')
    expect((await openPage(await lost(), '/admin/activity')).text).toContain(
      `switched two-step sign-in off by command, for: ${last.username}`,
    )
    expect((await command(last.username)).output).toContain('Nothing was changed')
    expect(await command('nobody-is-called-so')).toMatchObject({ code: 1 })
  })
})
