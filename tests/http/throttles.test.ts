import { describe, expect } from 'vitest'
import type { Client } from '../support/client'
import { useInstallation } from '../support/shared-installation'
import { until } from '../support/wait'
import { submitForm } from '../support/page'
import { slowTest, test } from '../support/slow'

// Clients with many addresses: the server trusts the proxy's header.

type Failure = { error: string; code: string }
const RIGHT = 'secret-1'

const product = useInstallation({ env: { THROTTLE_SCALE: '1', TRUST_PROXY: '1' } })

const from = (address: string) => ({ 'x-forwarded-for': address })
const signIn = (
  username: string,
  password: string,
  { address, client = product.client() }: { address: string; client?: Client },
) => client.call<Failure>('POST', '/api/auth/login', { username, password }, from(address))

/** Returns the statuses of wrong guesses, one after the other. */
async function guesses(username: string, addresses: readonly string[]): Promise<number[]> {
  const statuses: number[] = []
  for (const address of addresses) {
    statuses.push((await signIn(username, 'wrong-1', { address })).status)
  }
  return statuses
}
const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))
const count = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length

describe('sign-in', () => {
  test('guesses from one network do not lock the owner out of another', async () => {
    const { username } = await product.user()
    const wrong = await guesses(
      username,
      times(12, () => '198.51.100.7'),
    )
    expect([count(wrong, 401), count(wrong, 429)]).toEqual([10, 2])
    expect((await signIn(username, RIGHT, { address: '198.51.100.7' })).status).toBe(429)
    expect((await signIn(username, RIGHT, { address: '203.0.113.9' })).status).toBe(200)
  })

  test('the addresses of a block share twice as many guesses', async () => {
    const { username } = await product.user()
    const wrong = await guesses(
      username,
      times(30, (i) => `198.51.101.${i}`),
    )
    expect(count(wrong, 401)).toBe(20)
  })

  test('a /64 of IPv6 counts as one address, a /48 as one block', async () => {
    const { username } = await product.user()
    const wrong = await guesses(
      username,
      times(15, (i) => `2001:db8:1:1::${i + 1}`),
    )
    expect(count(wrong, 401)).toBe(10)
    const block = await guesses(
      username,
      times(15, (i) => `2001:db8:1:${i + 2}::1`),
    )
    // The five refused guesses did not count for the block.
    expect(count(block, 401)).toBe(10)
  })

  test('a /64 has fifty guesses in total, for any names', async () => {
    const statuses: number[] = []
    for (const i of times(55, (n) => n)) {
      const username = `0399${String(i).padStart(7, '0')}`
      statuses.push((await signIn(username, RIGHT, { address: `2001:db8:9:9::${i}` })).status)
    }
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([50, 5])
  })

  test('a name has a hundred guesses from all addresses; a device that knows the account can still sign in', async () => {
    const { username } = await product.user()
    const known = product.client()
    const home = '192.0.2.1'
    expect((await signIn(username, RIGHT, { address: home, client: known })).status).toBe(200)
    await known.post('/api/auth/logout', {}, from(home))

    const wrong = await guesses(
      username,
      times(105, (i) => `10.${i}.0.1`),
    )
    expect([count(wrong, 401), count(wrong, 429)]).toEqual([100, 5])
    expect((await signIn(username, RIGHT, { address: '10.200.0.1' })).status).toBe(429)
    expect((await signIn(username, RIGHT, { address: '10.201.0.1', client: known })).status).toBe(
      200,
    )
  })

  test('a known device has ten guesses of its own, and only for the accounts it knows', async () => {
    const [{ username }, other] = [await product.user(), await product.user()]
    const known = product.client()
    expect((await signIn(username, RIGHT, { address: '192.0.2.2', client: known })).status).toBe(
      200,
    )
    const statuses: number[] = []
    for (const i of times(12, (n) => n)) {
      const place = { address: `10.0.${i}.7`, client: known }
      statuses.push((await signIn(username, 'wrong-1', place)).status)
    }
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([10, 2])
    const others = await guesses(
      other.username,
      times(11, () => '192.0.2.3'),
    )
    expect(count(others, 401)).toBe(10)
    const place = { address: '192.0.2.3', client: known }
    expect((await signIn(other.username, RIGHT, place)).status).toBe(429)
  })
})

describe('signed-in users', () => {
  test('guesses at the old password end after ten, with a message; guesses at sign-in do not count', async () => {
    const user = await product.user()
    await guesses(
      user.username,
      times(12, () => '198.51.103.1'),
    )
    const change = (oldPassword: string) =>
      user.call<Failure>('POST', '/api/auth/user/change-password', {
        oldPassword,
        newPassword: 'secret2',
      })
    expect((await change(RIGHT)).status).toBe(200)
    const responses = []
    for (let i = 0; i < 12; i++) responses.push(await change('wrong-1'))
    expect(
      count(
        responses.map(({ status }) => status),
        400,
      ),
    ).toBe(10)
    const refused = responses.at(-1)
    expect(refused?.status).toBe(429)
    expect(refused?.body.error).toMatch(/^Too many wrong passwords\. Try again in \d+ minutes\.$/)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await change('secret2')).status).toBe(429)
    // The form of the page behaves the same, and the account itself is not locked.
    expect((await signIn(user.username, 'secret2', { address: '203.0.113.10' })).status).toBe(200)
  })
})

slowTest('registration: a /64 can register thirty accounts per hour, a /48 a hundred', async () => {
  const register = async (address: string, i: number) => {
    const body = { phone: `0398${String(i).padStart(7, '0')}`, password: RIGHT }
    return (await product.client().call('POST', '/api/auth/register', body, from(address))).status
  }
  const one: number[] = []
  for (const i of times(32, (n) => n)) one.push(await register(`2001:db8:5:1::${i + 1}`, i))
  expect([count(one, 201), count(one, 429)]).toEqual([30, 2])
  const block: number[] = []
  for (const i of times(75, (n) => n)) {
    block.push(await register(`2001:db8:5:${(i % 70) + 2}::1`, 100 + i))
  }
  expect([count(block, 201), count(block, 429)]).toEqual([70, 5])
})

describe('one client that sends too many requests', () => {
  /**
   * Sends requests concurrently. Returns their statuses, and the responses to other clients
   * meanwhile.
   */
  async function flood(
    send: (i: number) => Promise<Response>,
    many: number,
    other: () => Promise<number>,
  ) {
    let isOver = false
    const all = Promise.all(
      times(many, async (i) => {
        const response = await send(i)
        await response.arrayBuffer()
        return { status: response.status, retryAfter: response.headers.get('retry-after') }
      }),
    ).finally(() => (isOver = true))
    const others: number[] = []
    await until('the end of the flood', async () => {
      others.push(await other())
      return isOver
    })
    return { responses: await all, others }
  }

  const health = async () => (await product.client().send('GET', '/healthz')).status

  slowTest('searches: it gets 429, and others search, poll and open pages', async () => {
    const admin = await product.user({ role: 'admin' })
    const other = await product.user({ role: 'admin' })
    const { responses, others } = await flood(
      (i) => admin.send('GET', `/api/admin/users?search=a${i}`, { headers: from('198.51.104.1') }),
      400,
      async () => {
        const asked = await Promise.all(
          ['/api/admin/users?search=03', '/api/videos/changes', '/dashboard'].map((path) =>
            other.send('GET', path, { headers: from('203.0.113.20') }),
          ),
        )
        return Math.max(await health(), ...asked.map(({ status }) => status))
      },
    )
    expect(new Set(others)).toEqual(new Set([200]))
    const refused = responses.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['1']))
    expect(responses.every(({ status }) => [200, 429, 503].includes(status))).toBe(true)
  })

  test.each(['/api/auth/login', '/api/auth/login/'])(
    'passwords sent to %s are checked a few at a time: a caller with too many requests gets 429',
    async (path) => {
      const responses = await Promise.all(
        times(100, (i) =>
          product.client().send('POST', path, {
            body: JSON.stringify({ username: `0396${i}0000000`, password: RIGHT }),
            headers: { 'content-type': 'application/json', ...from('198.51.106.1') },
          }),
        ),
      )
      const atOnce = responses.filter(({ headers }) => headers.get('retry-after') === '1')
      expect(atOnce.length).toBeGreaterThan(0)
    },
  )

  test('sign-ins: it gets 429, and others sign in', async () => {
    const { username } = await product.user()
    const { responses, others } = await flood(
      (i) =>
        product.client().send('POST', '/api/auth/login', {
          body: JSON.stringify({ username: `0397${String(i).padStart(7, '0')}`, password: RIGHT }),
          headers: { 'content-type': 'application/json', ...from('198.51.105.1') },
        }),
      800,
      async () => {
        const signed = await signIn(username, RIGHT, { address: '203.0.113.21' })
        return Math.max(await health(), signed.status)
      },
    )
    expect(new Set(others)).toEqual(new Set([200]))
    expect(
      count(
        responses.map(({ status }) => status),
        401,
      ),
    ).toBeLessThanOrEqual(50)
    expect(responses.every(({ status }) => [401, 429, 503].includes(status))).toBe(true)
  })
})

test('X14, O3: thirty payments are reported a day from one network, and by signed-in customers any number', async () => {
  const claim = {
    intent: 'claim',
    plan: 'Starter',
    method: 'bank',
    amount: '200',
    currency: 'PKR',
  }
  const report = async (i: number) => {
    const phone = `92300888${String(i).padStart(4, '0')}`
    const response = await product.client().send('POST', '/paid', {
      body: new URLSearchParams({ ...claim, phone }),
      headers: { 'sec-fetch-site': 'same-origin', ...from('198.51.109.1') },
    })
    return response.status
  }
  const statuses = []
  for (let i = 0; i < 31; i++) statuses.push(await report(i))
  expect(count(statuses, 303)).toBe(30)
  expect(statuses.at(-1)).toBe(429)
  const customer = await product.user()
  const own = await submitForm(customer, '/paid', claim, { headers: from('198.51.109.1') })
  expect(own.status).toBe(303)
})
