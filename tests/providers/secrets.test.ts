import type pg from 'pg'
import { afterEach, expect } from 'vitest'
import { NO_TEXTS } from '../../app/domain/videos/order-fields'
import { redact } from '../../app/platform/providers/http/redact'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { startInstallation, type Installation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { until } from '../support/wait'
import { openRig, refusalOf, submitCall } from './rig'
import { slowTest, test } from '../support/slow'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test('I15: text that looks like a credential is redacted in any context', () => {
  const secret = 'zz-own-secret+/='
  const cases = [
    `Bearer ${secret}`,
    'authorization: bearer ya29.a0Af_abcdefghijkl',
    'https://x.test/?key=AIzaSyA0123456789abcdefg',
    '{"access_token": "abcdefghijklmnop"}',
    'sk-proj-0123456789abcdef was refused',
    `-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----`,
    encodeURIComponent(secret),
  ]
  const secrets = [secret, 'ya29.a0Af', 'AIzaSyA', 'abcdefghijklmnop', 'sk-proj-0123', 'MIIabc']
  for (const text of cases) {
    const words = redact(`before ${text} after`, [secret])
    for (const one of secrets) expect(words, text).not.toContain(one)
    expect(words).toContain('before')
  }
  expect(redact('x'.repeat(5_000), []).length).toBeLessThanOrEqual(401)
  const faces = redact(`\ud83d ${'x'.repeat(397)}\u{1f600}\u{1f600}`, [])
  expect(faces).toBe(`\ufffd ${'x'.repeat(397)}\u{1f600}…`)
})

test.each(['vertex-veo', 'openai', 'runway'] as const)(
  'I15: %s: no error contains our token, even if the provider repeats it',
  async (flavour) => {
    const token = 'CANARY-0c1d-token-of-ours'
    const rig = await openRig(flavour, { env: { VIDEO_PROVIDER_TOKEN: token } })
    ends.push(rig.stop)
    for (const status of [400, 401, 403, 429, 500, 503]) {
      rig.sim.play({ rules: [{ do: { status, message: `Token ${token} is bad`, code: token } }] })
      const call = rig.provider.submit(
        { prompt: 'x', ...NO_TEXTS, aspectRatio: 'portrait', durationSeconds: 4, seed: 1 },
        rig.credential(token),
        submitCall('att-1'),
      )
      const error = await refusalOf(call)
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('CANARY')
    }
  },
)

type Video = { status: string; errorMessage: string | null; errorCode: string | null }
type User = Awaited<ReturnType<Installation['user']>>

const TOKENS = ['CANARY-default-2f8c-token', 'CANARY-pool-77aa-token']
const RAW = 'RAWCANARY the backend at host-17 raised ValueError'

/** Starts a product whose provider fails in every way, with messages that users must not see. */
async function startProduct(): Promise<{ sim: Simulator; product: Installation }> {
  const sim = await startSimulator({
    scenario: {
      rules: [
        { when: { op: 'submit', promptIncludes: '[400]' }, do: { status: 400, message: RAW } },
        {
          when: { op: 'submit', promptIncludes: '[failed]' },
          do: { outcome: 'failed', message: `${RAW} ${TOKENS[0]}` },
        },
        {
          when: { op: 'submit', promptIncludes: '[refused]' },
          do: { outcome: 'filtered', message: `${RAW} moderation` },
        },
        {
          when: { op: 'submit', promptIncludes: '[500]' },
          times: 1,
          do: { status: 500, message: RAW },
        },
        { when: { op: 'submit', promptIncludes: '[poll]' }, do: { outcome: 'clip' } },
        {
          when: { op: 'poll', promptIncludes: '[poll]' },
          times: 2,
          do: { status: 503, message: `${RAW} Bearer ${TOKENS[0]}` },
        },
      ],
    },
  })
  ends.push(sim.stop)
  const env = {
    ...sim.env('openai', { OPENAI_VIDEOS_AMBIGUOUS: 'resubmit' }),
    VIDEO_PROVIDER_TOKEN: TOKENS[0]!,
    LOG_LEVEL: 'trace',
  }
  const product = await startInstallation({ worker: true, env })
  ends.push(product.remove)
  return { sim, product }
}

async function make(user: User, prompt: string): Promise<Video> {
  const { body } = await user.post<{ id: string }>('/api/videos/generate', {
    prompt,
    aspectRatio: 'portrait',
  })
  return until(`the end of ${prompt}`, async () => {
    const { body: video } = await user.get<Video>(`/api/videos/${body.id}/status`)
    return (video.status === 'completed' || video.status === 'error') && video
  })
}

slowTest('I15, U-ERR: users get one plain message, and no token is stored anywhere', async () => {
  const { product } = await startProduct()
  const user = await product.user({ speed_limit: 10, video_limit: 20 })
  const prompts = ['[400]', '[failed]', '[refused]', '[500]', '[poll]'].map(
    (tag) => `A boat ${tag}`,
  )
  const videos = await Promise.all(prompts.map((prompt) => make(user, prompt)))
  expect(videos.map(({ status }) => status)).toEqual([
    'error',
    'error',
    'error',
    'completed',
    'completed',
  ])
  for (const { status, errorMessage } of videos) {
    if (status === 'error') expect(errorMessage).toMatch(/^[A-Z][^{}]*[.!]$/)
  }
  const seen = await Promise.all(
    ['/app', '/dashboard', '/api/videos', '/api/videos/changes', '/api/batches'].map(async (path) =>
      (await user.send('GET', path, { headers: { 'sec-fetch-site': 'none' } })).text(),
    ),
  )
  for (const text of [...seen, JSON.stringify(videos)]) {
    expect(text).not.toContain('RAWCANARY')
    expect(text).not.toContain('CANARY-')
  }
  // Operators find the provider's own message in the log, without the token.
  const printed = product.web.output() + product.worker!.output()
  expect(printed).toContain('RAWCANARY')
  expect(printed).not.toContain(TOKENS[0])
  expect(await dumpOf(product.db)).not.toContain(TOKENS[0])
  expect(await findViolations(product.db)).toEqual({})
})

/** Returns every text in every table, including the queue's. */
async function dumpOf(db: pg.Pool): Promise<string> {
  const { rows } = await db.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`)
  const dumps: string[] = []
  for (const { name } of rows) {
    const found = await db.query<{ row: string }>(`select t::text as row from ${name} t`)
    dumps.push(...found.rows.map(({ row }) => row))
  }
  return dumps.join('\n')
}
