import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterEach, expect, test } from 'vitest'
import { clipNote } from '../simulator/clip'
import { virtualClock } from '../simulator/clock'
import { startSimulator, type Simulator } from '../simulator/simulator'

// The providers' own clients against our simulator, to show that it implements their protocols and
// not only our reading of them. The product itself uses neither.

let sim: Simulator
afterEach(() => sim.stop())

const PROMPT = 'A paper boat drifts down a rainy street at dusk'
const start = async (rules: Parameters<Simulator['play']>[0]['rules'] = []) => {
  sim = await startSimulator({
    clock: virtualClock(Date.UTC(2026, 10, 21, 12)),
    scenario: { defaults: { generationMs: 60_000 }, rules },
  })
}

function google(token = 'ya29.foreign'): GoogleGenAI {
  const authClient = {
    getRequestHeaders: async () => new Headers({ authorization: `Bearer ${token}` }),
  }
  return new GoogleGenAI({
    vertexai: true,
    project: 'sim-project',
    location: 'us-central1',
    apiVersion: 'v1',
    httpOptions: { baseUrl: sim.apiUrl },
    googleAuthOptions: { authClient: authClient as never },
  })
}

async function makeWithGoogle(client: GoogleGenAI, config: Record<string, unknown>) {
  const first = await client.models.generateVideos({
    model: 'veo-3.1-generate-001',
    source: { prompt: PROMPT },
    config: { durationSeconds: 4, aspectRatio: '9:16', resolution: '720p', ...config },
  })
  expect(first.done ?? false).toBe(false)
  const second = await client.operations.getVideosOperation({ operation: first })
  expect(second.done ?? false).toBe(false)
  sim.advance(60_000)
  return client.operations.getVideosOperation({ operation: second })
}

test('@google/genai orders, polls and receives a clip in the response', async () => {
  await start()
  const done = await makeWithGoogle(google(), {})
  const [made] = done.response?.generatedVideos ?? []
  const clip = Buffer.from(made?.video?.videoBytes ?? '', 'base64')
  expect(clipNote(clip)).toContain(sim.orders()[0]!.id)
  expect(sim.accepted({ prompt: PROMPT })).toHaveLength(1)
})

test('@google/genai finds its clip in a bucket, and reads the reason of a refusal', async () => {
  await start([{ when: { nth: 2, op: 'submit' }, do: { outcome: 'filtered' } }])
  const client = google()
  const done = await makeWithGoogle(client, { outputGcsUri: 'gs://sim-bucket/veo/att-1/' })
  expect(done.response?.generatedVideos?.[0]?.video?.uri).toMatch(
    /^gs:\/\/sim-bucket\/veo\/att-1\/\d+\/sample_0\.mp4$/,
  )
  const refused = await makeWithGoogle(client, {})
  expect(refused.response?.generatedVideos ?? []).toHaveLength(0)
  expect(refused.response?.raiMediaFilteredCount).toBe(1)
  expect(refused.response?.raiMediaFilteredReasons?.[0]).toContain('Support codes')
})

test('@google/genai understands the errors', async () => {
  await start()
  sim.token('ya29.dead', { dead: true })
  const refusal = await makeWithGoogle(google('ya29.dead'), {}).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ status: 401 })
  const wrong = await makeWithGoogle(google(), { durationSeconds: 5 }).catch((e: unknown) => e)
  expect(wrong).toMatchObject({ status: 400 })
  expect(sim.accepted()).toHaveLength(0)
})

const openai = (apiKey = 'sk-foreign') =>
  new OpenAI({ apiKey, baseURL: `${sim.apiUrl}/openai/v1`, maxRetries: 0 })

test('openai orders, polls, lists, downloads and deletes', async () => {
  await start()
  const { videos } = openai()
  const order = await videos.create({
    model: 'sora-2',
    prompt: PROMPT,
    seconds: '4',
    size: '720x1280',
  })
  expect(order).toMatchObject({ object: 'video', status: 'queued', error: null, progress: 0 })
  sim.advance(30_000)
  expect(await videos.retrieve(order.id)).toMatchObject({ status: 'in_progress', progress: 50 })
  sim.advance(30_000)
  expect(await videos.retrieve(order.id)).toMatchObject({ status: 'completed', progress: 100 })
  const content = await videos.downloadContent(order.id)
  expect(clipNote(Buffer.from(await content.arrayBuffer()))).toContain(order.id)
  const listed: string[] = []
  for await (const video of videos.list({ limit: 1, order: 'desc' })) listed.push(video.id)
  expect(listed).toEqual([order.id])
  expect(await videos.delete(order.id)).toMatchObject({ deleted: true })
  expect(sim.accepted({ prompt: PROMPT })).toHaveLength(1)
})

test('openai understands the errors, and a refused video', async () => {
  await start([
    { when: { op: 'submit', promptIncludes: '[429]' }, do: { status: 429, retryAfter: 7 } },
    { when: { op: 'submit', promptIncludes: '[refused]' }, do: { outcome: 'filtered' } },
  ])
  sim.token('sk-dead', { dead: true })
  const wish = { model: 'sora-2', seconds: '4', size: '720x1280' } as const
  const dead = openai('sk-dead').videos.create({ ...wish, prompt: PROMPT })
  await expect(dead).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  const busy = openai().videos.create({ ...wish, prompt: `${PROMPT} [429]` })
  await expect(busy).rejects.toBeInstanceOf(OpenAI.RateLimitError)
  const refused = await openai().videos.create({ ...wish, prompt: `${PROMPT} [refused]` })
  sim.advance(60_000)
  expect(await openai().videos.retrieve(refused.id)).toMatchObject({
    status: 'failed',
    error: { code: 'moderation_blocked' },
  })
})
