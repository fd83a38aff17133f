import { afterEach, describe, expect, test } from 'vitest'
import type { BatchReceipt } from '../../app/domain/batches/schemas'
import type { BatchView } from '../../app/domain/batches/types'
import type { VideoReceipt } from '../../app/domain/videos/schemas'
import type { VideoView } from '../../app/domain/videos/types'
import type { TestUser } from '../support/installation'
import { openPage } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import { findViolations } from '../support/invariants'
import type { VideoPage } from '../support/videos'

const product = useInstallation()
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

type Failure = { error: string; code: string; fields?: Record<string, string[]> }
type User = TestUser

const BULK = '/api/videos/bulk-generate'
const many = (count: number) => Array.from({ length: count }, (_, i) => `prompt ${i + 1}`)
const isoTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const professional = {
  plan: 'Professional',
  video_limit: 120,
  speed_limit: 3,
  video_generation_speed: 60,
} as const

/** Returns the number of rows of each kind that accepting creates. */
async function traces(userId: string) {
  const { rows } = await product.db.query<Record<string, number>>(
    `select (select count(*) from videos where user_id = $1)::int as videos,
       (select count(*) from batches where user_id = $1)::int as batches,
       (select count(*) from quota_charges where user_id = $1)::int as charges,
       (select coalesce(sum(reserved + charged), 0) from quota_days where user_id = $1)::int as used,
       (select count(*) from idempotency_keys where user_id = $1)::int as keys,
       (select count(*) from graphile_worker._private_jobs where payload::jsonb->>'batchId' in
         (select id::text from batches where user_id = $1))::int as jobs`,
    [userId],
  )
  return rows[0]
}
const NOTHING = { videos: 0, batches: 0, charges: 0, used: 0, keys: 0, jobs: 0 }

async function promptsOf(user: User): Promise<string[]> {
  const { body } = await user.get<VideoPage>('/api/videos?limit=10000')
  return body.videos.map(({ prompt }) => prompt)
}

describe('accepting', () => {
  test('U-API-10: a batch is accepted with its pace, rows, ledger and job at once', async () => {
    const user = await product.user(professional)
    const response = await user.post<BatchReceipt>(BULK, {
      prompts: many(7),
      aspectRatio: 'landscape',
      negativePrompt: 'blur',
    })
    expect(response.status).toBe(201)
    expect(response.body).toEqual({
      batchId: expect.any(String) as unknown,
      totalVideos: 7,
      speedLimit: 3,
      delaySeconds: 60,
      finishEstimate: isoTime,
    })
    expect(await traces(user.userId)).toEqual({
      videos: 7,
      batches: 1,
      charges: 7,
      used: 7,
      keys: 0,
      jobs: 1,
    })
    const { body } = await user.get<VideoPage>('/api/videos?limit=10')
    expect(body.videos[0]).toMatchObject({
      aspectRatio: 'landscape',
      negativePrompt: 'blur',
      status: 'pending',
      batchId: response.body.batchId,
    })
  })

  test('issue 39.1: with carryOver today’s units run, and the rest waits without any', async () => {
    const user = await product.user({ ...professional, video_limit: 4 })
    const order = { prompts: many(7), carryOver: true }
    const key = { 'idempotency-key': 'over-days' }
    const response = await user.post<BatchReceipt>(BULK, order, key)
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({ totalVideos: 7, carried: 3, finishEstimate: isoTime })
    expect((await user.post(BULK, order, key)).body).toEqual(response.body)
    // The job of the round and that of the next day.
    expect(await traces(user.userId)).toMatchObject({ videos: 4, charges: 4, used: 4, jobs: 2 })
    const [batch] = (await user.get<BatchView[]>('/api/batches')).body
    expect(batch).toMatchObject({
      totalVideos: 7,
      carried: { prompts: 3, day: 2, days: 2, isStopped: false },
    })
    const midnight = new Date(Date.parse(batch?.carried?.until ?? '')).toISOString()
    expect(midnight).toMatch(/T00:00:00\.000Z$/)
    expect((await user.post(BULK, { ...order, carryOver: 'yes' })).status).toBe(400)
    const cancelled = await user.post<BatchView>(`/api/batches/${batch?.id}/cancel`)
    expect(cancelled.body).toMatchObject({ status: 'cancelled', failedVideos: 7, carried: null })
    expect(await traces(user.userId)).toMatchObject({ videos: 7, charges: 4, used: 0 })
  })

  test('issue 39.1: a second batch gets 409 unless it may wait in line, where five have room', async () => {
    const user = await product.user({ ...professional, video_limit: 9 })
    const order = { prompts: many(2), queue: true }
    const first = await user.post<BatchReceipt>(BULK, order)
    expect(Object.keys(first.body)).not.toContain('place')
    const refused = await user.post<Failure>(BULK, { prompts: many(2) })
    expect([refused.status, refused.body.code]).toEqual([409, 'BATCH_RUNNING'])
    const second = await user.post<BatchReceipt>(BULK, order)
    expect(second.status).toBe(201)
    expect(second.body).toMatchObject({ place: 1, carried: 2, startEstimate: isoTime })
    for (let place = 2; place <= 5; place++)
      expect((await user.post<BatchReceipt>(BULK, order)).body).toMatchObject({ place })
    const sixth = await user.post<Failure>(BULK, order)
    expect([sixth.status, sixth.body.code]).toEqual([409, 'CONFLICT'])
    expect(await traces(user.userId)).toMatchObject({ batches: 6, videos: 2, used: 2 })
    const [last] = (await user.get<BatchView[]>('/api/batches')).body
    expect(last).toMatchObject({
      status: 'queued',
      inLine: { place: 5, startEstimate: isoTime },
      carried: { prompts: 2, until: null },
    })
    const moveUp = (id: string) => user.post<BatchView>(`/api/batches/${id}/move-up`)
    expect((await moveUp(last?.id ?? '')).body).toMatchObject({
      id: last?.id,
      inLine: { place: 4 },
    })
    expect((await moveUp(second.body.batchId)).body).toMatchObject({ inLine: { place: 1 } })
    expect((await moveUp(first.body.batchId)).status).toBe(409)
    expect((await (await product.user()).post(`/api/batches/${last?.id}/move-up`)).status).toBe(404)
    await user.post(`/api/batches/${first.body.batchId}/cancel`)
    const [, , , , next] = (await user.get<BatchView[]>('/api/batches')).body
    expect(next).toMatchObject({ id: second.body.batchId, status: 'processing', inLine: null })
  })

  test('U-API-10: one and a hundred prompts are accepted, blank lines are not counted', async () => {
    const one = await product.user()
    expect((await one.post<BatchReceipt>(BULK, { prompts: ['a'] })).body.totalVideos).toBe(1)
    const full = await product.user({ video_limit: 100 })
    const response = await full.post<BatchReceipt>(BULK, {
      prompts: ['', '  ', ...many(100), '\n'],
    })
    expect([response.status, response.body.totalVideos]).toEqual([201, 100])
  })

  test.each([
    ['an empty list', { prompts: [] }, 'Please enter at least one prompt'],
    ['a missing list', {}, 'Please enter at least one prompt'],
    ['only blank prompts', { prompts: [' ', '\t'] }, 'Please enter at least one prompt'],
    [
      'only invisible prompts',
      { prompts: ['\u200b', '\u0007\u2800'] },
      'Please enter at least one prompt',
    ],
    ['101 prompts', { prompts: many(101) }, 'Maximum 100 prompts allowed at once'],
    ['a text instead of the list', { prompts: 'a' }, 'Prompts must be a list of texts'],
    ['a number in the list', { prompts: ['a', 7] }, 'Prompts must be text'],
    [
      'a prompt without its text',
      { prompts: [{ aspectRatio: 'portrait' }] },
      'Prompts must be text',
    ],
    [
      'one with another ratio of its own',
      { prompts: ['a', { prompt: 'b', aspectRatio: 'square' }] },
      'Prompt 2: Aspect ratio must be portrait or landscape',
    ],
    [
      'issue 49: a setting of its own that is null, by its name and not as the prompt',
      { prompts: ['a', { prompt: 'b', aspectRatio: null }] },
      'Prompt 2: Aspect ratio must be portrait or landscape',
    ],
    [
      'issue 49: a picture that is no name',
      { prompts: ['a', { prompt: 'b', picture: 7 }] },
      'Prompt 2: Picture must be the name of one of the pictures',
    ],
    [
      'issue 49: a picture without a name',
      { prompts: [{ prompt: 'b', picture: ' ' }] },
      'Prompt 1: Picture must be the name of one of the pictures',
    ],
    [
      'one with a negative prompt of its own of 301',
      { prompts: [{ prompt: 'b', negativePrompt: 'n'.repeat(301) }] },
      'Prompt 1: Negative prompt can have at most 300 characters',
    ],
    [
      'one with a name of 61 (U-BULK-13)',
      { prompts: ['a', { prompt: 'b', name: 'n'.repeat(61) }] },
      'Prompt 2: Name can have at most 60 characters',
    ],
    [
      'one that is too long, by its number',
      { prompts: ['a', 'b', 'x'.repeat(10_001)] },
      'Prompt 3 can have at most 10,000 characters',
    ],
    [
      'one that cannot be stored, by its number',
      { prompts: ['a', '', 'b\u0000'] },
      'Prompt 3 contains characters that cannot be stored',
    ],
    [
      'another ratio',
      { prompts: ['a'], aspectRatio: 'square' },
      'Aspect ratio must be portrait or landscape',
    ],
    [
      'a negative prompt of 301',
      { prompts: ['a'], negativePrompt: 'n'.repeat(301) },
      'Negative prompt can have at most 300 characters',
    ],
  ])('U-API-10: %s: refused with a message, no row is left', async (_name, body, sentence) => {
    const user = await product.user({ video_limit: 200 })
    const response = await user.post<Failure>(BULK, body)
    expect([response.status, response.body.code]).toEqual([400, 'BAD_INPUT'])
    expect(response.body.error).toBe(sentence)
    expect(await traces(user.userId)).toEqual(NOTHING)
  })

  test('issue 39.4: each prompt may have settings of its own, and takes the others of the batch', async () => {
    const user = await product.user()
    const prompts = [
      'plain',
      { prompt: 'wide', aspectRatio: 'landscape' },
      { prompt: 'clean', negativePrompt: '' },
      { prompt: '  ', aspectRatio: 'landscape' },
    ]
    const response = await user.post<BatchReceipt>(BULK, { prompts, negativePrompt: 'fog' })
    expect([response.status, response.body.totalVideos]).toEqual([201, 3])
    const { rows } = await product.db.query(
      `select prompt, aspect_ratio, negative_prompt from videos where user_id = $1 order by batch_position`,
      [user.userId],
    )
    expect(rows).toEqual([
      { prompt: 'plain', aspect_ratio: 'portrait', negative_prompt: 'fog' },
      { prompt: 'wide', aspect_ratio: 'landscape', negative_prompt: 'fog' },
      { prompt: 'clean', aspect_ratio: 'portrait', negative_prompt: null },
    ])
  })

  test('U-BULK-13: a call names each video; what is made of one keeps the name, and a search finds it', async () => {
    const user = await product.user({ video_limit: 5 })
    const prompts = ['plain', { prompt: 'a kite', name: ' Opening \n shot.MP4 ' }]
    expect((await user.post(BULK, { prompts })).status).toBe(201)
    const listed = async (query = '') =>
      (await user.get<VideoPage>(`/api/videos?limit=100${query}`)).body.videos
    expect((await listed()).map(({ prompt, name }) => [prompt, name]).sort()).toEqual([
      ['a kite', 'Opening shot'],
      ['plain', null],
    ])
    const [found, ...others] = await listed('&search=opening%20KITE')
    expect([found?.prompt, others]).toEqual(['a kite', []])
    const id = found?.id ?? ''
    const edited = await user.post<VideoReceipt>(`/resources/videos/${id}/edit`, { prompt: 'two' })
    const status = (id: string) => user.get<VideoView>(`/api/videos/${id}/status`)
    expect((await status(edited.body.id)).body).toMatchObject({
      prompt: 'two',
      name: 'Opening shot',
    })
    const single = { prompt: 'alone', name: 'n'.repeat(60) }
    const made = await user.post<VideoReceipt>('/api/videos/generate', single)
    expect((await status(made.body.id)).body.name).toBe(single.name)
  })

  test('every invalid line is named', async () => {
    const user = await product.user({ video_limit: 200 })
    const long = 'x'.repeat(10_001)
    const { body } = await user.post<Failure>(BULK, { prompts: [long, 'a', long] })
    expect(body.fields?.prompts).toEqual([
      'Prompt 1 can have at most 10,000 characters',
      'Prompt 3 can have at most 10,000 characters',
    ])
  })

  test('Q-34: a line of JSON is used unchanged as the prompt, even if it is malformed', async () => {
    const user = await product.user()
    const prompts = ['{"scene": "a pier", "__proto__": {"x": 1}}', '{"scene": "half', 'plain']
    expect((await user.post(BULK, { prompts })).status).toBe(201)
    expect((await promptsOf(user)).sort()).toEqual([...prompts].sort())
  })

  test('Q-7: a batch that exceeds the rest of the day’s quota is refused as a whole', async () => {
    const user = await product.user({ video_limit: 5 })
    // The first order of a day is counted by another part of the statement than later ones.
    const first = await user.post<Failure>(BULK, { prompts: many(6) })
    expect([first.status, first.body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
    await user.post('/api/videos/generate', { prompt: 'one of five' })
    const response = await user.post<Failure>(BULK, { prompts: many(6) })
    expect([response.status, response.body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
    expect(response.body.error).toBe('You have 4 videos remaining today; 6 requested')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await traces(user.userId)).toMatchObject({ videos: 1, batches: 0, used: 1 })
  })

  test.each([
    [
      'an expired account',
      { expiry_date: new Date(Date.now() - 3 * 86_400_000) },
      'ACCOUNT_EXPIRED',
    ],
    ['an account without a plan', { plan: null }, 'NO_ACTIVE_PLAN'],
  ] as const)('%s is refused, no row is left', async (_name, columns, code) => {
    const user = await product.user(columns)
    const response = await user.post<Failure>(BULK, { prompts: many(2) })
    expect([response.status, response.body.code]).toEqual([403, code])
    expect(await traces(user.userId)).toEqual(NOTHING)
  })

  test('a batch whose plan has expired says that it waits for the renewal', async () => {
    const user = await product.user({ speed_limit: 1 })
    expect((await user.post(BULK, { prompts: many(3) })).status).toBe(201)
    const page = async () => (await user.send('GET', '/app')).text()
    expect(await page()).not.toContain('Waiting until you renew your plan')
    await product.db.query(
      `update users set expiry_date = now() - interval '3 days' where id = $1`,
      [user.userId],
    )
    expect(await page()).toContain('Waiting until you renew your plan')
  })
})

describe('idempotency', () => {
  test('Q-8: one processing batch per user; of ten concurrent ones one is accepted', async () => {
    const user = await product.user({ video_limit: 100 })
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => user.post<Failure>(BULK, { prompts: many(3) })),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body } of responses.filter((response) => response.status !== 201)) {
      expect([status, body.code]).toEqual([409, 'BATCH_RUNNING'])
    }
    expect(await traces(user.userId)).toMatchObject({ videos: 3, batches: 1, used: 3 })
  })

  test('U-API-10: twenty requests with one key order once and get one response', async () => {
    const user = await product.user({ video_limit: 100 })
    const send = (prompts: string[]) =>
      user.post<BatchReceipt & Failure>(BULK, { prompts }, { 'idempotency-key': 'double-click' })
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(many(4))))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    for (const { body } of responses) expect(body).toEqual(responses[0]?.body)
    expect(await traces(user.userId)).toMatchObject({ videos: 4, batches: 1, used: 4, keys: 1 })
    const other = await send(many(5))
    expect([other.status, other.body.code]).toEqual([409, 'CONFLICT'])
  })

  test('a refused order does not use up its key', async () => {
    const user = await product.user({ video_limit: 2 })
    const send = (count: number) =>
      user.post<BatchReceipt>(BULK, { prompts: many(count) }, { 'idempotency-key': 'k' })
    expect((await send(3)).status).toBe(429)
    expect((await send(2)).status).toBe(201)
  })
})

describe('listing and cancelling', () => {
  test('U-API-12: users see their own batches, newest first, with the documented fields', async () => {
    const user = await product.user(professional)
    const stranger = await product.user()
    await stranger.post(BULK, { prompts: many(2) })
    const first = await user.post<BatchReceipt>(BULK, { prompts: many(2) })
    await user.post(`/api/batches/${first.body.batchId}/cancel`)
    const second = await user.post<BatchReceipt>(BULK, { prompts: many(3) })
    const { status, body } = await user.get<BatchView[]>('/api/batches')
    expect(status).toBe(200)
    expect(body.map(({ id }) => id)).toEqual([second.body.batchId, first.body.batchId])
    expect(body[0]?.name).toMatch(/^Batch of \d\d:\d\d$/)
    expect(body[0]).toEqual({
      id: second.body.batchId,
      name: body[0]?.name,
      kind: 'bulk',
      status: 'processing',
      totalVideos: 3,
      completedVideos: 0,
      failedVideos: 0,
      speedLimit: 3,
      delaySeconds: 60,
      nextRoundAt: isoTime,
      isPaused: false,
      carried: null,
      inLine: null,
      finishEstimate: isoTime,
      createdAt: isoTime,
    })
    expect((await product.client().get('/api/batches')).status).toBe(401)
  })

  test('U-API-11: cancelling ends what was not sent and returns its units', async () => {
    const user = await product.user(professional)
    const { body } = await user.post<BatchReceipt>(BULK, { prompts: many(5) })
    const response = await user.post<BatchView>(`/api/batches/${body.batchId}/cancel`)
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({
      id: body.batchId,
      status: 'cancelled',
      completedVideos: 0,
      failedVideos: 5,
      nextRoundAt: null,
      finishEstimate: null,
    })
    const { body: page } = await user.get<VideoPage>('/api/videos')
    for (const video of page.videos) {
      expect(video).toMatchObject({
        status: 'error',
        errorMessage: 'Cancelled',
        errorCode: 'cancelled',
      })
    }
    const me = await user.get<{ videosGeneratedToday: number }>('/api/auth/me')
    expect(me.body.videosGeneratedToday).toBe(0)
  })

  test('issue 39.2: a batch is paused and resumed, by its owner only', async () => {
    const user = await product.user(professional)
    const stranger = await product.user()
    const { body } = await user.post<BatchReceipt>(BULK, { prompts: many(9) })
    const [pause, resume] = ['pause', 'resume'].map((act) => `/api/batches/${body.batchId}/${act}`)
    expect((await stranger.post(pause!)).status).toBe(404)
    const paused = await user.post<BatchView>(pause!)
    expect([paused.status, paused.body]).toMatchObject([
      200,
      { isPaused: true, finishEstimate: null },
    ])
    expect((await user.post(pause!)).status).toBe(409)
    const resumed = await user.post<BatchView>(resume!)
    expect([resumed.status, resumed.body]).toMatchObject([200, { isPaused: false }])
    expect((await user.post(resume!)).status).toBe(409)
  })

  test('issue 49: a batch that ended while it was paused is not paused any more, in calls and on pages', async () => {
    const user = await product.user(professional)
    const { body } = await user.post<BatchReceipt>(BULK, { prompts: many(9) })
    await user.post(`/api/batches/${body.batchId}/pause`)
    await user.post(`/api/batches/${body.batchId}/cancel`)
    const [batch] = (await user.get<BatchView[]>('/api/batches')).body
    expect(batch).toMatchObject({ status: 'cancelled', isPaused: false })
    for (const page of ['/batches', `/batches/${body.batchId}`])
      expect((await openPage(user, page)).text).not.toMatch(/\bpaused\b/i)
  })

  test('U-BATCH-6: cancelling a batch that has ended, or another user’s', async () => {
    const user = await product.user()
    const stranger = await product.user()
    const { body } = await user.post<BatchReceipt>(BULK, { prompts: many(1) })
    const cancel = `/api/batches/${body.batchId}/cancel`
    const foreign = await stranger.post<Failure>(cancel)
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND'])
    expect((await user.post('/api/batches/none/cancel')).status).toBe(404)
    expect((await user.post(cancel)).status).toBe(200)
    const again = await user.post<Failure>(cancel)
    expect([again.status, again.body.error]).toEqual([409, 'This batch has already ended'])
  })

  test('U-API-22: without a cookie every call is refused', async () => {
    const calls = [BULK, '/api/batches/x/cancel', '/api/videos/retry-all-failed']
    for (const path of calls) expect((await product.client().post(path)).status).toBe(401)
  })
})
