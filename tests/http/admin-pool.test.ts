import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolTokenView } from '../../app/domain/tokens/types'
import { findViolations } from '../support/invariants'
import type { TestUser } from '../support/installation'
import { openPage, sendForm, submitForm } from '../support/page'
import { useSimulatedInstallation } from '../support/shared-installation'
import { until } from '../support/wait'

const POOL = '/api/admin/extra-tokens'
// The platform has no token, so users without their own get one from the pool.
const { simulator: sim, product } = useSimulatedInstallation('openai', {
  worker: true,
  token: null,
})
let admin: TestUser

beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})
afterAll(async () => {
  expect(await findViolations(product.db)).toEqual({})
})

const list = async () => (await admin.get<PoolTokenView[]>(POOL)).body
const add = (token: unknown) => admin.post<PoolTokenView & { error: string }>(POOL, { token })
const empty = () => admin.call<{ count: number }>('DELETE', `${POOL}/delete-all`)

describe('the calls of the extra pool', () => {
  test('A-API-13, A-POOL-1: a token is trimmed and appended; blank and duplicate tokens are refused', async () => {
    const first = await add('  pool-token-one-0123456789  ')
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ position: 1, lastAssignedAt: null, state: 'ok' })
    expect((await add('pool-token-two-0123456789')).body.position).toBe(2)

    const twice = await add('pool-token-one-0123456789')
    expect(twice.status).toBe(409)
    expect(twice.body.error).toBe('This token is already in the pool')
    for (const blank of ['', '   ', undefined]) {
      const refused = await add(blank)
      expect(refused.status).toBe(400)
      expect(refused.body.error).toBe('Please enter a token.')
    }
  })

  test('A-API-12, A-POOL-4: the list is in order, shows 50 of 80 characters, and no response contains a token', async () => {
    const long = `long-${'x1y2z'.repeat(15)}`
    await add(long)
    const response = await admin.send('GET', POOL)
    const text = await response.text()
    const tokens = JSON.parse(text) as PoolTokenView[]
    expect(tokens.map(({ position }) => position)).toEqual([1, 2, 3])
    const shown = tokens[2]?.token ?? ''
    expect(Array.from(shown.replace('…', ''))).toHaveLength(50)
    expect(shown.endsWith('…')).toBe(true)
    expect(text).not.toContain(long.slice(0, 20))
    const page = await (await admin.send('GET', '/admin/tokens')).text()
    expect(page).not.toContain(long.slice(0, 20))
    expect(product.web.output()).not.toContain(long.slice(0, 20))
  })

  test('A-API-14, A-POOL-5: one token is removed, then all; an unknown one is 404', async () => {
    const [first] = await list()
    const removed = await admin.call('DELETE', `${POOL}/${first?.id}`)
    expect([removed.status, removed.body]).toEqual([200, { success: true, count: 1 }])
    expect((await admin.call('DELETE', `${POOL}/${first?.id}`)).status).toBe(404)
    expect((await admin.call('DELETE', `${POOL}/not-an-id`)).status).toBe(404)
    expect((await empty()).body).toEqual({ success: true, count: 2 })
    expect(await list()).toEqual([])
    expect((await empty()).body).toEqual({ success: true, count: 0 })
  })

  test('an empty pool is a finding of the System page unless the platform has a living token', async () => {
    const tokens = async () =>
      (await openPage(admin, '/admin/system')).text.split('Token pool')[1] ?? ''
    expect(await tokens()).toMatch(/^ .{0,20}0 of 0 tokens OK/)
    await add('platform-token-0123456789')
    await product.db.query('update credentials set pool_position = null, is_default = true')
    expect(await tokens()).toMatch(/^ .{0,20}The pool is empty. The platform’s own token is used/)
    await product.db.query(`update credentials set state = 'dead'`)
    expect(await tokens()).toMatch(/^ .{0,20}0 of 0 tokens OK/)
    await product.db.query('delete from token_deaths')
    await product.db.query('delete from credentials')
  })

  test('A-POOL-3: without scripts refused lines stay in the form with their reasons, and nowhere else', async () => {
    await add('form-token-there-0123456789')
    const lines = ['form-token-new-0123456789', 'form-token-there-0123456789', 'not one token']
    const path = '/admin/tokens'
    const done = await sendForm(admin, path, { intent: 'add-tokens', tokens: lines.join('\n') })
    expect(done.text).toContain('1 added, 2 failed')
    // Several reasons are shown as a list.
    expect(done.html).toContain('<li>Line 1: This token is already in the pool</li>')
    expect(done.html).toContain('<li>Line 2: A token has no spaces and no special letters.</li>')
    const box = /<textarea[^>]*name="tokens"[^>]*>([^<]*)/.exec(done.html)?.[1] ?? ''
    expect(box.trim().split('\n')).toEqual(lines.slice(1))
    expect(done.location).toBeNull()
    expect(JSON.stringify(admin.cookies())).not.toContain('form-token')
    expect((await openPage(admin, path)).html).not.toContain('form-token-')
    await empty()
  })

  test('A-POOL-1: changes are in the activity log, with masked tokens', async () => {
    const { rows } = await product.db.query<{ action: string; subject_name: string | null }>(
      `select action, subject_name from trail_entries where action like 'token%'`,
    )
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['token.add', 'token.remove', 'tokens.remove-all']),
    )
    expect(JSON.stringify(rows)).not.toContain('0123456789')
  })
})

describe('tokens in use', () => {
  type User = TestUser

  async function makeVideo(user: User, prompt: string) {
    const made = await user.post<{ id: string }>('/api/videos/generate', {
      prompt,
      aspectRatio: 'portrait',
    })
    await until('the video', async () => {
      const { body } = await user.get<{ status: string }>(`/api/videos/${made.body.id}/status`)
      return body.status === 'completed'
    })
  }
  const tokenOf = (prompt: string) =>
    ['token-a', 'token-b', 'token-c'].filter((token) => sim.accepted({ prompt, token }).length > 0)
  const holds = async (user: User) => {
    const { rows } = await product.db.query<{ position: number }>(
      `select pool_position as position from credentials join users on credential_id = credentials.id
       where users.id = $1`,
      [user.userId],
    )
    return rows[0]?.position
  }

  test('A-TOKEN-1, A-TOKEN-2, A-TOKEN-3: the pool token that was assigned longest ago takes over, in turn, and becomes the user’s', async () => {
    for (const token of ['token-a', 'token-b', 'token-c']) await add(token)
    const [ali, bea] = [await product.user(), await product.user()]
    await makeVideo(ali, 'first')
    expect(tokenOf('first')).toEqual(['token-a'])
    expect(await holds(ali)).toBe(1)
    await makeVideo(bea, 'second')
    expect(tokenOf('second')).toEqual(['token-b'])

    // Ali's token dies. C was never assigned, so it is next.
    sim.token('token-a', { dead: true })
    await makeVideo(ali, 'third')
    expect(tokenOf('third')).toEqual(['token-c'])
    expect(await holds(ali)).toBe(3)
    const pool = await list()
    expect(pool.map(({ state }) => state)).toEqual(['dead', 'ok', 'ok'])
    const assigned = pool.map(({ lastAssignedAt }) => Date.parse(lastAssignedAt ?? ''))
    expect(assigned[0]).toBeLessThan(assigned[1] ?? 0)
    expect(assigned[1]).toBeLessThan(assigned[2] ?? 0)

    // Bea's token dies too. A works again and was assigned longest ago.
    sim.token('token-a', null)
    const [first] = pool
    const check = { intent: 'check', id: first?.id ?? '' }
    const tested = await submitForm(admin, '/admin/tokens', check)
    expect(tested.status).toBe(303)
    expect((await list())[0]?.state).toBe('ok')
    sim.token('token-b', { dead: true })
    await makeVideo(bea, 'fourth')
    expect(tokenOf('fourth')).toEqual(['token-a'])
  })

  test('A-TOKEN-1: a test detects a dead token, and the figures of the pool show it', async () => {
    const { rows } = await product.db.query<{ n: number }>(
      'select count(*)::int as n from token_deaths',
    )
    expect(rows[0]?.n).toBe(2)
    sim.token('token-c', { dead: true })
    const third = (await list())[2]
    await submitForm(admin, '/admin/tokens', { intent: 'check', id: third?.id ?? '' })
    expect((await list())[2]?.state).toBe('dead')
    const after = (await (await admin.send('GET', '/admin/tokens')).text()).replace(/<!-- -->/g, '')
    expect(after).toContain('3 died in the last 24 hours')
    for (const secret of ['token-a', 'token-b', 'token-c']) expect(after).not.toContain(secret)
    for (const output of [product.web.output(), product.worker?.output() ?? '']) {
      for (const secret of ['token-a', 'token-b', 'token-c']) expect(output).not.toContain(secret)
    }
  })
})
