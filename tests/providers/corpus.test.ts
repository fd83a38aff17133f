import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  ProviderError,
  type AssetRef,
  type OrderRef,
  type PollResult,
} from '../../app/platform/providers/port'
import { PROFILE_NAMES } from '../../app/platform/providers/tasks/profiles'
import type { OpenProvider } from '../../app/platform/providers/definition'
import { readProviderEnv } from '../../app/platform/providers/settings.server'
import { makeClip } from '../simulator/clip'
import { TASK_MODELS } from '../simulator/settings'
import { credentialOf, memoryClip, REQUEST, submitCall } from './rig'

// Every answer of tests/providers/corpus, served to every adapter that it applies to.

const ROOT = path.join(import.meta.dirname, 'corpus')
/** The rows of the review that the folders prove. */
const FOLDERS = {
  orders: 'W5',
  refusals: 'W8',
  'retry-after': 'W6',
  states: 'W4',
  addresses: 'W4',
  clips: 'W9',
} as const
type Folder = keyof typeof FOLDERS

const ADAPTERS = ['openai', 'gateway', 'runway', 'vertex', 'comfyui', ...PROFILE_NAMES] as const
type Adapter = (typeof ADAPTERS)[number]

const ENCODERS: Record<string, (body: Buffer) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  'deflate-raw': deflateRawSync,
  br: brotliCompressSync,
  'gzip-unsaid': gzipSync,
  'gzip-cut': (body) => gzipSync(body).subarray(0, -12),
  'said-only': (body) => body,
}
const CODING: Record<string, string> = {
  'deflate-raw': 'deflate',
  'gzip-cut': 'gzip',
  'said-only': 'gzip',
}

const fileSchema = z
  .object({
    about: z.string(),
    for: z.array(z.enum(ADAPTERS)).min(1),
    response: z
      .object({
        status: z.number(),
        headers: z.record(z.string()).default({}),
        json: z.unknown(),
        text: z.string().optional(),
        body: z.enum(['mp4', '']).optional(),
        bomb: z.literal('gzip').optional(),
        encoding: z.string().optional(),
      })
      .strict(),
    expected: z.record(z.unknown()),
    clip: z.enum(['mp4', 'json']).optional(),
    ageMs: z.number().default(30_000),
  })
  .strict()
type File = z.output<typeof fileSchema>

const filesIn = (folder: Folder): [name: string, file: File][] =>
  fs.readdirSync(path.join(ROOT, folder)).map((name) => {
    const text = fs.readFileSync(path.join(ROOT, folder, name), 'utf8')
    return [name.replace('.json', ''), fileSchema.parse(JSON.parse(text))]
  })

const NOW = Date.UTC(2026, 10, 21, 12)
const CLIP = makeClip({ lines: ['corpus'], note: '', width: 64, height: 112, seconds: 1 })
const MOST_CLIP_BYTES = 1_000_000

let server: http.Server
let base: string
let folder: Folder
let file: File
const seen: http.IncomingHttpHeaders[] = []
const providers = new Map<Adapter, OpenProvider>()

/** The one address at which the file's answer is; every other one has the clip. */
const isAsked = ({ pathname, search }: URL) => {
  if (folder === 'states' || folder === 'addresses')
    return /[/=]order-1(\/status)?$|:fetchPredictOperation$/.test(pathname + search)
  return folder !== 'clips' || pathname !== '/other.mp4'
}

function bodyOf({ json, text, body, bomb }: File['response']): Buffer {
  if (bomb) {
    const start = folder === 'clips' ? CLIP.subarray(0, 64) : Buffer.from('{"id":"')
    return Buffer.concat([start, Buffer.alloc(20 * MOST_CLIP_BYTES, 0x61)])
  }
  if (body === 'mp4') return CLIP
  const words = text ?? (body === '' ? '' : JSON.stringify(json))
  return Buffer.from(words.replaceAll('{base}', base))
}

/** ComfyUI's orders that have ended are in its history. */
const NO_QUEUE = '{"queue_running": [], "queue_pending": []}'

function serve(request: http.IncomingMessage, response: http.ServerResponse) {
  seen.push(request.headers)
  request.resume()
  if (request.url === '/queue') return void response.end(NO_QUEUE)
  if (!isAsked(new URL(request.url ?? '/', base))) {
    const isThere = file.clip === 'mp4'
    const type = { 'content-type': 'video/mp4' }
    response.writeHead(200, type).end(isThere ? CLIP : '{"status":"processing"}')
    return
  }
  const { status, headers, bomb, encoding = bomb } = file.response
  const body = bodyOf(file.response)
  const isNamed = encoding !== undefined && encoding !== 'gzip-unsaid'
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    ...(isNamed ? { 'content-encoding': CODING[encoding] ?? encoding } : {}),
  })
  response.end(encoding === undefined ? body : ENCODERS[encoding]!(body))
}

function envOf(adapter: Adapter): Record<string, string> {
  const common = { VIDEO_PROVIDER_TOKEN: 'corpus-token', VIDEO_PROVIDER_MODEL: 'm' }
  switch (adapter) {
    case 'runway':
      return { ...common, VIDEO_PROVIDER: 'runway', VIDEO_PROVIDER_URL: base }
    case 'vertex':
      return {
        ...common,
        VIDEO_PROVIDER: 'vertex-veo',
        VIDEO_PROVIDER_URL: base,
        VERTEX_PROJECT: 'project',
        VERTEX_BUCKET: 'bucket',
        VERTEX_STORAGE_URL: base,
      }
    case 'comfyui':
      return {
        ...common,
        VIDEO_PROVIDER: 'comfyui',
        VIDEO_PROVIDER_URL: base,
        COMFYUI_WORKFLOW: path.resolve('tests/simulator/comfyui-workflow.json'),
      }
    case 'openai':
    case 'gateway':
      return {
        ...common,
        VIDEO_PROVIDER: 'openai-videos',
        VIDEO_PROVIDER_URL: `${base}/v1`,
        OPENAI_VIDEOS_DIALECT: adapter,
      }
    default:
      return {
        VIDEO_PROVIDER: 'tasks',
        TASKS_PROFILE: adapter,
        TASKS_URL: base,
        TASKS_MODEL: TASK_MODELS[adapter],
      }
  }
}

beforeAll(async () => {
  server = http.createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const io = { now: () => NOW, note: () => undefined }
  const host = { ...io, timeScale: 0.001, dataDir: '', buildDir: '' }
  for (const adapter of ADAPTERS) {
    const read = readProviderEnv(envOf(adapter))
    if (!read.ok) throw new Error(read.problems.join('; '))
    providers.set(adapter, read.env.provider.create(host))
  }
})
afterAll(async () => {
  for (const provider of providers.values()) await provider.stop?.()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const LATER = () => AbortSignal.timeout(20_000)

function assetFor(adapter: Adapter): AssetRef {
  if (adapter === 'vertex') return { at: 'gcs', bucket: 'bucket', object: 'clip.mp4' }
  const url = adapter === 'runway' ? `${base}/clip.mp4` : `${base}/v1/videos/order-1/content`
  return { at: 'url', url, auth: adapter === 'runway' ? 'none' : 'credential' }
}

/** Returns what an adapter makes of the answer, in the terms of the corpus. */
async function reading(adapter: Adapter): Promise<Record<string, unknown>> {
  const provider = providers.get(adapter)!
  const credential = credentialOf(provider, 'corpus-token')
  const ref: OrderRef = {
    provider: provider.kind,
    accountScope: credential.accountScope,
    model: 'm',
    id: 'order-1',
    data: { sentAt: String(NOW - file.ageMs) },
  }
  try {
    switch (folder) {
      case 'states':
      case 'addresses':
        return stateIn(await provider.poll(ref, credential, LATER()))
      case 'clips': {
        const clip = memoryClip()
        const limits = { maxBytes: MOST_CLIP_BYTES, idleMs: 10_000, signal: LATER() }
        const job = { ref, asset: assetFor(adapter) }
        await provider.fetch(job, credential, { file: clip, ...limits })
        return { clip: clip.content().equals(CLIP) }
      }
      default:
        return { id: (await provider.submit(REQUEST, credential, submitCall('corpus'))).id }
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const isSubmit = folder !== 'states' && folder !== 'clips' && folder !== 'addresses'
    return { ...faultIn(error), ...(isSubmit && { acceptance: error.acceptance }) }
  }
}

function faultIn({ fault }: Pick<ProviderError, 'fault'>): Record<string, unknown> {
  return {
    fault: fault.kind,
    ...('reason' in fault && { reason: fault.reason }),
    retryAfterMs: ('retryAfterMs' in fault ? fault.retryAfterMs : undefined) ?? null,
  }
}

function stateIn(result: PollResult): Record<string, unknown> {
  const { state, strangeWord = null } = result
  const [asset] = result.state === 'succeeded' ? result.assets : []
  return {
    state,
    strangeWord,
    ...(result.state === 'failed' && faultIn(result)),
    ...(asset?.at === 'url' && { clip: asset.url }),
  }
}

const expectedOf = ({ expected }: File) =>
  Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('{base}', base) : value,
    ]),
  )

describe.each(Object.entries(FOLDERS))('%s', (name, row) => {
  const cases = filesIn(name as Folder).flatMap(([title, given]) =>
    given.for.map((adapter) => [title, adapter, given] as const),
  )
  test.each(cases)(`${row}: %s (%s)`, async (_title, adapter, given) => {
    folder = name as Folder
    file = given
    const expected = expectedOf(given)
    expect(await reading(adapter), given.about).toMatchObject(expected)
  })
})

test('the corpus has answers for every adapter, and each has its expected reading', () => {
  const all = Object.keys(FOLDERS).flatMap((name) => filesIn(name as Folder))
  expect(all.length).toBeGreaterThanOrEqual(80)
  const isOneOfMany = (adapter: string) =>
    adapter === 'comfyui' || PROFILE_NAMES.some((name) => name === adapter)
  for (const adapter of ADAPTERS) {
    const own = all.filter(([, given]) => given.for.includes(adapter))
    // Profiles are read by the same reader: what is their own counts.
    expect(own.length, adapter).toBeGreaterThan(isOneOfMany(adapter) ? 4 : 20)
  }
})

test('W7: every request asks for no compression', () => {
  expect(seen.length).toBeGreaterThan(200)
  expect(seen.filter((headers) => headers['accept-encoding'] !== 'identity')).toEqual([])
})
