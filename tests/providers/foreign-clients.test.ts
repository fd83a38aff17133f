import { createAlibaba } from '@ai-sdk/alibaba'
import { createByteDance } from '@ai-sdk/bytedance'
import { createFalClient } from '@fal-ai/client'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import Replicate from 'replicate'
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

const servicesStart = async (rules: Parameters<Simulator['play']>[0]['rules'] = []) => {
  sim = await startSimulator({ scenario: { rules } })
}

/** Reads a clip from the address that a service names, and returns the order in its note. */
const noteAt = async (url: string) =>
  clipNote(Buffer.from(await (await fetch(url)).arrayBuffer())) ?? ''

test('issue 52.8: @fal-ai/client orders, waits in the queue and receives the clip', async () => {
  await servicesStart([
    { when: { op: 'submit', promptIncludes: '[refused]' }, do: { outcome: 'filtered' } },
  ])
  const fal = createFalClient({
    credentials: 'fal-foreign',
    // Its addresses are its own: the requests go to the simulator instead.
    requestMiddleware: async (request) => ({
      ...request,
      url: request.url.replace('https://queue.fal.run', `${sim.apiUrl}/tasks/fal`),
      headers: {
        ...request.headers,
        'x-fal-no-retry': '1',
        'x-app-fal-disable-fallback': 'true',
      },
    }),
  })
  const order = (prompt: string) =>
    fal.subscribe('fal-ai/veo3.1', {
      input: { prompt, aspect_ratio: '9:16', resolution: '720p', duration: '4s' },
      pollInterval: 50,
    })
  const { data, requestId } = await order(PROMPT)
  expect(await noteAt(data.video.url)).toContain(requestId)
  expect(sim.accepted({ prompt: PROMPT })).toHaveLength(1)
  await expect(order(`${PROMPT} [refused]`)).rejects.toMatchObject({ status: 422 })
})

test('issue 52.8: replicate orders, polls and lists', async () => {
  await servicesStart()
  const replicate = new Replicate({
    auth: 'r8-foreign',
    baseUrl: `${sim.apiUrl}/tasks/replicate/v1`,
  })
  const order = await replicate.predictions.create({
    model: 'google/veo-3.1',
    input: { prompt: PROMPT, aspect_ratio: '9:16', duration: 4 },
  })
  const done = await replicate.wait(order, { interval: 50 })
  expect(done.status).toBe('succeeded')
  expect(await noteAt(String(done.output))).toContain(order.id)
  const listed = []
  for await (const page of replicate.paginate(replicate.predictions.list)) listed.push(...page)
  expect(listed.map(({ id }) => id)).toEqual([order.id])
})

/** What both clients of the AI SDK have to be told. */
const WISH = {
  prompt: PROMPT,
  n: 1,
  aspectRatio: '9:16',
  duration: 5,
  seed: 7,
  fps: undefined,
  image: undefined,
  frameImages: undefined,
  inputReferences: undefined,
  generateAudio: undefined,
} as const

test('issue 52.8: the AI SDK orders from Model Studio and waits for the clip', async () => {
  await servicesStart()
  const model = createAlibaba({
    apiKey: 'sk-foreign',
    videoBaseURL: `${sim.apiUrl}/tasks/model-studio`,
  }).video('wan2.7-t2v')
  const made = await model.doGenerate({
    ...WISH,
    resolution: '1280x720',
    providerOptions: { alibaba: { pollIntervalMs: 50, promptExtend: false } },
  })
  const [clip] = made.videos
  if (clip?.type !== 'url') throw new Error('no address of a clip')
  expect(await noteAt(clip.url)).toContain(sim.orders()[0]!.id)
  expect(sim.accepted({ prompt: PROMPT })).toHaveLength(1)
})

test('issue 52.8: the AI SDK orders from ModelArk and waits for the clip', async () => {
  await servicesStart()
  const model = createByteDance({
    apiKey: 'ark-foreign',
    baseURL: `${sim.apiUrl}/tasks/ark/api/v3`,
  }).video('seedance-2-0')
  const made = await model.doGenerate({
    ...WISH,
    resolution: '1280x720',
    providerOptions: { bytedance: { pollIntervalMs: 50, watermark: false } },
  })
  const [clip] = made.videos
  if (clip?.type !== 'url') throw new Error('no address of a clip')
  expect(await noteAt(clip.url)).toContain(sim.orders()[0]!.id)
  expect(sim.accepted({ prompt: PROMPT })).toHaveLength(1)
})
