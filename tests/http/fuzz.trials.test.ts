import { afterAll, beforeAll, expect, test } from 'vitest'
import { longestStall } from '../../bench/web-process'
import { addVideos } from '../support/ended-videos'
import { IS_LONG, openRng, PATIENCE_MS, SEED, trials } from '../support/engine/trials'
import { hostileRequest, type HostileRequest } from '../support/hostile-requests'
import { startInstallation, type Installation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { formTokenIn, openPage } from '../support/page'

// Sends every route hostile input in every place, from every kind of sender. The product has to
// handle all of it. `npm run test:chaos` sends 20,000 requests.

let product: Installation
beforeAll(async () => {
  product = await startInstallation()
})
afterAll(() => product.remove())

type Answer = { status: number; text: string }
type Sender = { client: ReturnType<Installation['client']>; proof: string }

/**
 * Returns a stranger, a user with videos and an administrator. New ones each time, because requests
 * end sessions.
 */
async function senders(): Promise<{ all: Sender[]; ids: string[] }> {
  const [user, admin] = [await product.user({ plan: 'Enterprise' }), await product.user()]
  await product.db.query(`update users set role = 'admin' where id = $1`, [admin.userId])
  await addVideos(product, { userId: user.userId, status: 'completed', n: 3 })
  await addVideos(product, { userId: user.userId, status: 'error', n: 3 })
  const { rows } = await product.db.query<{ id: string }>(
    'select id from videos where user_id = $1',
    [user.userId],
  )
  const proven = async (client: Sender['client']) => {
    const { html } = await openPage(client, '/usage')
    return { client, proof: formTokenIn(html) }
  }
  return {
    all: [{ client: product.client(), proof: '' }, await proven(user), await proven(admin)],
    ids: [user.userId, admin.userId, ...rows.map(({ id }) => id)],
  }
}

/**
 * Sends a request. Fails with the request's text if the connection breaks before the response. A
 * 503 with Retry-After means that the machine is busy, so the request is retried once.
 */
async function send(client: Sender['client'], request: HostileRequest): Promise<Answer> {
  const response = await sendOnce(client, request)
  const isBusy = response.status === 503 && response.headers.has('retry-after')
  const { status, text } = isBusy ? await sendOnce(client, request) : response
  return { status, text }
}

async function sendOnce(client: Sender['client'], request: HostileRequest) {
  const { method, path, headers, body } = request
  // An absolute address: '//x' alone would be another server.
  const address = `${product.url}/${path.replace(/^\//, '')}`
  try {
    const response = await client.send(method, address, { headers, body })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    throw new Error(`no answer to ${words(request)}`, { cause: error })
  }
}

const words = ({ method, path, body }: HostileRequest) =>
  `${method} ${path.slice(0, 200)} ${String(body).slice(0, 300)}`

const stallSinceLast = () => longestStall(product)

/** Internals that no error may contain: a statement, a stack, a path of the server. */
const LEAKS =
  /\bat \S+ \(|node_modules|\/app\/domain|(select|insert|update|delete) [^<]* (from|into|set) |ECONNREFUSED/

const BATCH = 40
const LONGEST_STALL_MS = 50

test(
  `F30: no hostile request causes a server error (CHAOS_SEED=${SEED})`,
  { timeout: PATIENCE_MS },
  async () => {
    const rng = openRng(30)
    const wrong: string[] = []
    const statuses: Record<string, number> = {}
    const slow: { request: HostileRequest; stall: number }[] = []
    const count = trials(1_200, 20_000)
    for (let sent = 0; sent < count;) {
      const { all, ids } = await senders()
      await stallSinceLast()
      for (let i = 0; i < BATCH && sent < count; i++, sent++) {
        const { client, proof } = rng.pick(all)
        const request = hostileRequest(rng, { ids, proof })
        const { status, text } = await send(client, request)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status >= 500 || LEAKS.test(status >= 400 ? text : ''))
          wrong.push(`${status} ${words(request)}: ${text.slice(0, 200)}`)
        if (!IS_LONG) continue
        // A busy machine stalls now and then. If every retry stalls, the request is the cause.
        let stall = await stallSinceLast()
        for (let again = 0; again < 4 && stall > LONGEST_STALL_MS; again++) {
          await send(client, request)
          stall = Math.min(stall, await stallSinceLast())
        }
        if (stall > LONGEST_STALL_MS) slow.push({ request, stall })
      }
    }
    if (IS_LONG) console.info(statuses)
    expect(wrong).toEqual([])
    expect(slow.map(({ request, stall }) => `${stall} ms: ${words(request)}`)).toEqual([])
    expect(product.web.output()).not.toMatch(/call failed|form failed|unhandled|uncaught/i)
    expect(await findViolations(product.db)).toEqual({})
    expect(product.web.child.exitCode).toBeNull()
  },
)
