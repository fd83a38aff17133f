import autocannon from 'autocannon'
import type { Client } from '../tests/support/client'
import { openPage } from '../tests/support/page'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBare } from './bare'
import { read, startFixture } from './fixture'
import { p99, round } from './measure'

const OWN_VIDEOS = 10_000
const PAIRS = 3
const PERIOD_MS = 8_000
const BURST_EVERY_MS = 1_000
/**
 * Long, because Node's multipart parser takes any occurrence of these characters for the boundary.
 */
const BORDER = '0123456789-between-parts'
const UPLOAD_BYTES = 900_000
/** Addresses in X-Forwarded-For: the flooding client and the others are in different networks. */
const FLOODER = '203.0.113.9'
const FROM_OTHERS = { 'x-forwarded-for': '198.51.100.7' }

type Burst = {
  name: string
  atOnce: number
  options: Omit<autocannon.Options, 'url'>
  path: string
}
/**
 * `elsewhere` is a row read from a bare server, which nobody floods: what the machine itself loses to
 * the flood, because client, server and database share its cores.
 */
const KINDS = ['poll', 'page', 'elsewhere'] as const
type Kind = (typeof KINDS)[number]
type Sample = Record<Kind, number[]>
type Share = { quiet: number; flooded: number; ratio: number }
export type Flooded = {
  flood: string
  /**
   * p99 of another user's requests in ms, on an idle server and during the flood, and their ratio.
   */
  shares: Record<Kind, Share>
  /** The statuses of the responses to the flooding client. */
  responses: Record<string, number>
}

/** B15: measures how long other users wait while one client exceeds its limits once a second. */
export async function flood(): Promise<Flooded[]> {
  const env = { THROTTLE_SCALE: '1', TRUST_PROXY: '1' }
  const { product, owner, stop } = await startFixture({ ownVideos: OWN_VIDEOS, env })
  const bare = await startBare(product, { userId: owner.userId })
  try {
    const { body } = await owner.get<{ version: number }>('/api/videos/changes')
    const others = () =>
      sample({
        poll: () => read(owner, `/api/videos/changes?since=${body.version}`, FROM_OTHERS),
        page: () => read(owner, '/app', FROM_OTHERS),
        elsewhere: () => fetch(`${bare.url}/rows?n=1`).then((response) => response.text()),
      })
    await others()
    const results: Flooded[] = []
    for (const burst of await burstsOf(await product.user({ plan: 'Enterprise' }))) {
      const [quiet, flooded]: [Sample, Sample] = [empty(), empty()]
      const responses: Flooded['responses'] = {}
      for (let pair = 0; pair < PAIRS; pair++) {
        collect(quiet, await others())
        const [taken] = await Promise.all([others(), send(product.url, burst, responses)])
        collect(flooded, taken)
      }
      const share = (kind: Kind): Share => {
        const [before, during] = [p99(quiet[kind]), p99(flooded[kind])]
        return { quiet: round(before), flooded: round(during), ratio: round(during / before) }
      }
      const shares = { poll: share('poll'), page: share('page'), elsewhere: share('elsewhere') }
      results.push({ flood: burst.name, shares, responses })
    }
    return results
  } finally {
    await bare.stop()
    await stop()
  }
}

const empty = (): Sample => ({ poll: [], page: [], elsewhere: [] })
const collect = (into: Sample, from: Sample) => {
  for (const kind of KINDS) into[kind].push(...from[kind])
}

/** Sends other users' requests in turn and times them. */
async function sample(requests: Record<Kind, () => Promise<unknown>>): Promise<Sample> {
  const taken = empty()
  const end = performance.now() + PERIOD_MS
  while (performance.now() < end) {
    for (const kind of KINDS) {
      const startedAt = performance.now()
      await requests[kind]()
      taken[kind].push(performance.now() - startedAt)
    }
  }
  return taken
}

/**
 * Sends the bursts from a separate thread, so that their responses do not delay what is timed here.
 */
async function send(
  url: string,
  { atOnce, options, path }: Burst,
  responses: Flooded['responses'],
): Promise<void> {
  const end = performance.now() + PERIOD_MS
  while (performance.now() < end) {
    const next = sleep(BURST_EVERY_MS)
    const limits = { connections: atOnce, amount: atOnce, workers: 1, timeout: 30 }
    const { statusCodeStats = {} } = await autocannon({ ...options, ...limits, url: url + path })
    for (const [status, { count = 0 }] of Object.entries(statusCodeStats))
      responses[status] = (responses[status] ?? 0) + count
    await next
  }
}

async function burstsOf(client: Client & { username: string }): Promise<Burst[]> {
  const { html } = await openPage(client, '/app')
  const formToken = /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const from = { 'x-forwarded-for': FLOODER, 'sec-fetch-site': 'same-origin' }
  const headers = { ...from, cookie: client.cookieHeader }
  const json = { 'content-type': 'application/json' }
  const post = (body: unknown) => ({ method: 'POST' as const, body: JSON.stringify(body) })
  const guess = { username: client.username, password: 'wrong-1' }
  const change = { oldPassword: 'wrong-1', newPassword: 'another-secret' }
  return [
    { name: '400 searches', atOnce: 400, path: '/dashboard?search=lantern', options: { headers } },
    {
      name: '800 sign-ins',
      atOnce: 800,
      path: '/api/auth/login',
      options: { ...post(guess), headers: { ...from, ...json } },
    },
    {
      name: '400 password changes',
      atOnce: 400,
      path: '/api/auth/user/change-password',
      options: { ...post(change), headers: { ...headers, ...json } },
    },
    {
      name: '50 uploads',
      atOnce: 50,
      path: '/app',
      options: { method: 'POST', ...upload(formToken, headers) },
    },
  ]
}

/**
 * Returns an upload of a prompt file near the largest accepted size, in the create screen's form.
 */
function upload(formToken: string, headers: Record<string, string>) {
  const part = (name: string, text: string) =>
    `--${BORDER}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  const prompt = `${'A lantern on a hill, seen from the sea. '.repeat(5)}\n`
  const lines = prompt.repeat(UPLOAD_BYTES / prompt.length)
  return {
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BORDER}` },
    body: `${part('formToken', formToken)}${part('intent', 'add-file')}${part('file"; filename="a.csv', lines)}--${BORDER}--\r\n`,
  }
}
