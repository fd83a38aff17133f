import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openInspector } from '../../media/inspect.server'
import { Secret, type AssetRef, type Credential, type JobRef, type VideoRequest } from '../port'
import { localProvider, type LocalConfig } from './adapter.server'

const credential: Credential = {
  id: 'none',
  accountScope: 'local',
  kind: 'none',
  secret: new Secret(''),
}
const request: VideoRequest = {
  prompt: 'A paper boat on a lake at dawn',
  negativePrompt: null,
  aspectRatio: 'portrait',
  durationSeconds: 4,
  seed: 7,
}
const { signal } = new AbortController()

let entries: string
let ordersDir: string
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  const cache = path.resolve('node_modules/.cache')
  await fs.mkdir(cache, { recursive: true })
  // Inside the project, so that the bundles find their packages.
  entries = await fs.mkdtemp(path.join(cache, 'local-provider-'))
  await build({
    entryPoints: ['jobs/render-clip.ts', 'jobs/inspect-clip.ts'],
    outdir: entries,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { '~': path.resolve('app') },
    logLevel: 'silent',
  })
  ordersDir = await fs.mkdtemp(path.join(os.tmpdir(), 'orders-'))
})

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

afterAll(async () => {
  await fs.rm(entries, { recursive: true, force: true })
  await fs.rm(ordersDir, { recursive: true, force: true })
})

function open(config: Partial<LocalConfig> = {}): ReturnType<typeof localProvider> {
  const provider = localProvider({
    ordersDir,
    rendererEntry: path.join(entries, 'render-clip.js'),
    concurrency: 1,
    model: 'local-preview',
    timeScale: 1,
    ...config,
  })
  stops.push(() => provider.stop())
  return provider
}

type Provider = ReturnType<typeof localProvider>

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== null) return found
    await sleep(25)
  }
}

function finished(provider: Provider, ref: JobRef): Promise<AssetRef> {
  return until(async () => {
    const result = await provider.poll(ref, credential, signal)
    if (result.state === 'failed') throw new Error(result.evidence.message)
    return result.state === 'succeeded' ? result.assets[0] : null
  })
}

/** The process that renders this order now. */
function rendererOf(id: string): Promise<number> {
  return until(async () => {
    const started = await exists(path.join(ordersDir, id, 'progress.json'))
    return started ? pidOf(path.join(ordersDir, id)) : null
  })
}

async function pidOf(argument: string): Promise<number | null> {
  for (const { pid, command } of await processes()) if (command.includes(argument)) return pid
  return null
}

/** Linux keeps the list in files, and slim images have no `ps`; elsewhere `ps` is there. */
async function processes(): Promise<{ pid: number; command: string }[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command='])
    const lines = [...stdout.matchAll(/^\s*(\d+)\s+(.*)$/gm)]
    return lines.map(([, pid, command]) => ({ pid: Number(pid), command: command ?? '' }))
  }
  const names = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    names.map(async (name) => {
      const command = await fs.readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
      return { pid: Number(name), command }
    }),
  )
}

async function exists(file: string): Promise<boolean> {
  return (await fs.stat(file).catch(() => null)) !== null
}

function collect(): { sink: Writable; bytes: () => Buffer } {
  const chunks: Buffer[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { sink, bytes: () => Buffer.concat(chunks) }
}

const limits = { maxBytes: 50_000_000, idleMs: 10_000, signal }

describe('one order from submit to file', () => {
  test.each([
    ['portrait', 720, 1280],
    ['landscape', 1280, 720],
  ] as const)('%s: an H.264 clip of %dx%d', async (aspectRatio, width, height) => {
    const provider = open()
    const order = { ...request, aspectRatio }
    const ref = await provider.submit(order, credential, {
      attemptId: `e2e-${aspectRatio}`,
      signal,
    })
    expect(ref).toEqual({
      provider: 'local',
      accountScope: 'local',
      model: 'local-preview',
      id: `e2e-${aspectRatio}`,
    })
    const asset = await finished(provider, ref)
    const { sink, bytes } = collect()
    const { bytes: count } = await provider.fetch({ ref, asset }, credential, { sink, ...limits })
    expect(count).toBe(bytes().length)
    expect(sink.writableFinished).toBe(true)
    const file = path.join(ordersDir, `${aspectRatio}.mp4`)
    await fs.writeFile(file, bytes())
    const entry = path.join(entries, 'inspect-clip.js')
    const inspector = openInspector({ entry, atOnce: 1 })
    const posterPath = `${file}.jpg`
    const inspection = await inspector.inspect({ path: file, posterPath, signal })
    inspector.close()
    expect(inspection).toEqual({
      ok: true,
      facts: { codec: 'avc', width, height, durationMs: 4000, poster: true },
    })
  })

  test('the index comes before the pictures', async () => {
    const file = await fs.readFile(path.join(ordersDir, 'e2e-portrait', 'clip.mp4'))
    expect(file.indexOf('moov')).toBeLessThan(file.indexOf('mdat'))
  })
})

describe('an order is a folder', () => {
  test('the same attempt twice is one order, and find sees it', async () => {
    const provider = open()
    const call = { attemptId: 'twice', signal }
    const first = await provider.submit(request, credential, call)
    const text = await fs.readFile(path.join(ordersDir, 'twice', 'order.json'), 'utf8')
    const second = await provider.submit({ ...request, prompt: 'something else' }, credential, call)
    expect(second).toEqual(first)
    expect(await fs.readFile(path.join(ordersDir, 'twice', 'order.json'), 'utf8')).toBe(text)
    const attempt = { attemptId: 'twice', sentAt: new Date(), request, accountScope: 'local' }
    expect(await provider.find?.(attempt, credential, signal)).toEqual({ found: 'job', ref: first })
    const unsent = { ...attempt, attemptId: 'never-sent' }
    const nothing = { found: 'nothing', settled: true }
    expect(await provider.find?.(unsent, credential, signal)).toEqual(nothing)
  })

  test('an unknown order is a job that is gone', async () => {
    const provider = open()
    const ref = { provider: 'local', accountScope: 'local', model: 'local-preview', id: 'missing' }
    await expect(provider.poll(ref, credential, signal)).rejects.toMatchObject({
      fault: { kind: 'permanent', reason: 'job-gone' },
    })
  })

  test('orders wait for their turn, first come, first served', async () => {
    const provider = open()
    const ids = ['turn-1', 'turn-2', 'turn-3']
    const refs: JobRef[] = []
    for (const attemptId of ids) {
      refs.push(await provider.submit(request, credential, { attemptId, signal }))
    }
    const done: string[] = []
    for (const ref of refs) {
      await rendererOf(ref.id)
      const phases = await Promise.all(
        refs.map((other) => provider.poll(other, credential, signal)),
      )
      const running = phases.filter(
        (phase) => phase.state === 'pending' && phase.phase === 'running',
      )
      expect(running).toHaveLength(1)
      await finished(provider, ref)
      done.push(ref.id)
    }
    expect(done).toEqual(ids)
  })

  test('finished orders are purged when they are old, the others stay', async () => {
    const provider = open()
    const ref = await provider.submit(request, credential, { attemptId: 'old', signal })
    await finished(provider, ref)
    await provider.stop()
    await open({ concurrency: 0 }).submit(request, credential, { attemptId: 'open', signal })
    await provider.tidy?.(60_000)
    expect(await exists(path.join(ordersDir, 'old'))).toBe(true)
    await provider.tidy?.(-60_000)
    expect(await exists(path.join(ordersDir, 'old'))).toBe(false)
    expect(await exists(path.join(ordersDir, 'open'))).toBe(true)
  })

  test('a delivered order is forgotten', async () => {
    const provider = open()
    const ref = await provider.submit(request, credential, { attemptId: 'delivered', signal })
    await finished(provider, ref)
    await provider.forget?.(ref)
    expect(await exists(path.join(ordersDir, 'delivered'))).toBe(false)
  })
})

describe('accidents', () => {
  test('a renderer that is killed is replaced, and the clip is whole', async () => {
    const provider = open()
    const ref = await provider.submit(request, credential, { attemptId: 'killed', signal })
    const pid = await rendererOf('killed')
    await until(async () => {
      const result = await provider.poll(ref, credential, signal)
      return result.state === 'pending' && (result.progress ?? 0) > 0.1 ? true : null
    })
    process.kill(pid, 'SIGKILL')
    const asset = await finished(provider, ref)
    expect(asset).toEqual({ at: 'file', path: path.join(ordersDir, 'killed', 'clip.mp4') })
    const crashes = await fs.readFile(path.join(ordersDir, 'killed', 'crashes.json'), 'utf8')
    expect(JSON.parse(crashes)).toMatchObject({ count: 1 })
  })

  test('an order whose renderer dies three times has failed', async () => {
    const broken = path.join(entries, 'broken.js')
    await fs.writeFile(broken, 'process.stderr.write("no paper left\\n"); process.exitCode = 1')
    const provider = open({ rendererEntry: broken })
    const ref = await provider.submit(request, credential, { attemptId: 'doomed', signal })
    const result = await until(async () => {
      const answer = await provider.poll(ref, credential, signal)
      return answer.state === 'pending' ? null : answer
    })
    expect(result).toMatchObject({
      state: 'failed',
      fault: { kind: 'permanent', reason: 'other' },
      charged: 'no',
    })
    expect(JSON.stringify(result)).toContain('no paper left')
  })

  test('after stop nothing renders, and another provider takes the order over', async () => {
    const first = open()
    const ref = await first.submit(request, credential, { attemptId: 'handed-over', signal })
    await rendererOf('handed-over')
    await first.stop()
    expect(await pidOf(path.join(ordersDir, 'handed-over'))).toBeNull()
    const progress = path.join(ordersDir, 'handed-over', 'progress.json')
    await fs.utimes(progress, new Date(0), new Date(0))
    await finished(open(), ref)
  })

  test('a renderer ends by itself when its parent dies, and leaves no half clip', async () => {
    const provider = open({ concurrency: 0 })
    await provider.submit(request, credential, { attemptId: 'orphan', signal })
    const dir = path.join(ordersDir, 'orphan')
    const script = `
      const { spawn } = require('node:child_process')
      spawn(process.execPath, ${JSON.stringify([path.join(entries, 'render-clip.js'), dir])},
        { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })`
    const parent = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
    await rendererOf('orphan')
    parent.kill('SIGKILL')
    await until(async () => ((await pidOf(dir)) === null ? true : null))
    expect(await exists(path.join(dir, 'clip.mp4'))).toBe(false)
  })
})

describe('limits of fetch', () => {
  const ref = { provider: 'local', accountScope: 'local', model: 'local-preview', id: 'fetched' }
  const assetOf = (name: string): AssetRef => ({ at: 'file', path: path.join(ordersDir, name) })

  test('a clip that is too large, stuck, given up or gone is a ProviderError', async () => {
    const provider = open()
    await fs.writeFile(path.join(ordersDir, 'large.mp4'), Buffer.alloc(3_000_000))
    const fetchInto = (sink: Writable, name: string, more: Partial<typeof limits>) =>
      provider.fetch({ ref, asset: assetOf(name) }, credential, { sink, ...limits, ...more })
    const transient = { fault: { kind: 'transient' }, acceptance: 'accepted' }
    await expect(
      fetchInto(collect().sink, 'large.mp4', { maxBytes: 1_000_000 }),
    ).rejects.toMatchObject({ fault: { kind: 'permanent', reason: 'protocol' } })
    const stuck = new Writable({ write: () => undefined })
    await expect(fetchInto(stuck, 'large.mp4', { idleMs: 50 })).rejects.toMatchObject(transient)
    await expect(
      fetchInto(collect().sink, 'large.mp4', { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject(transient)
    await expect(fetchInto(collect().sink, 'gone.mp4', {})).rejects.toMatchObject({
      fault: { kind: 'permanent', reason: 'asset-gone' },
    })
  })

  test('a file outside the orders folder is not served', async () => {
    const asset: AssetRef = { at: 'file', path: path.join(ordersDir, '..', 'secret') }
    await expect(
      open().fetch({ ref, asset }, credential, { sink: collect().sink, ...limits }),
    ).rejects.toMatchObject({ fault: { kind: 'permanent', reason: 'protocol' } })
  })
})
