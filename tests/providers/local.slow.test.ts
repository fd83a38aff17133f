import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NO_TEXTS } from '../../app/domain/videos/order-fields'
import { openInspector } from '../../app/platform/media/inspect.server'
import { localProvider } from '../../app/platform/providers/local/adapter.server'
import type { LocalConfig } from '../../app/platform/providers/local/settings.server'
import {
  type AssetRef,
  type ClipFile,
  type Credential,
  type OrderRef,
  type SubmitCall,
  type VideoRequest,
} from '../../app/platform/providers/port'
import { Secret } from '../../app/platform/secrets/secret'
import { bundlePrograms } from '../support/bundle-programs'

const credential: Credential = {
  id: 'none',
  accountScope: 'local',
  kind: 'none',
  secret: new Secret(''),
}
const request: VideoRequest = {
  prompt: 'A paper boat on a lake at dawn',
  ...NO_TEXTS,
  aspectRatio: 'portrait',
  durationSeconds: 4,
  seed: 7,
}
const { signal } = new AbortController()
/** The outcome of an order that is unknown: it is placed again. */
const GONE = { state: 'failed', fault: { kind: 'transient' } }
const BATCH = 1

const call = (attemptId: string, more: Partial<SubmitCall> = {}): SubmitCall => ({
  attemptId,
  signal,
  lane: BATCH,
  mayStart: () => Promise.resolve(true),
  ...more,
})

let entries: string
let ordersDir: string
/** Path of a renderer that draws nothing. */
let patient: string
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  entries = await bundlePrograms('render-clip', 'inspect-clip')
  patient = path.join(entries, 'patient.cjs')
  await fs.writeFile(patient, PATIENT)
})

beforeEach(async () => {
  ordersDir = await fs.mkdtemp(path.join(os.tmpdir(), 'orders-'))
})

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await fs.rm(ordersDir, { recursive: true, force: true })
})

afterAll(() => fs.rm(entries, { recursive: true, force: true }))

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

function finished(provider: Provider, ref: OrderRef): Promise<AssetRef> {
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

/** A clip file in memory. */
function clipFile(): ClipFile & { content: () => Buffer } {
  let chunks: Buffer[] = []
  let version: string | null = null
  const content = () => Buffer.concat(chunks)
  return {
    content,
    bytes: () => content().length,
    version: () => version,
    write: async (chunk) => void chunks.push(Buffer.from(chunk)),
    restart: async (next) => {
      chunks = []
      version = next
    },
  }
}

async function writeSome(file: ClipFile, chunk: Uint8Array, then: Error): Promise<void> {
  if (file.bytes() > 1_000_000) throw then
  await file.write(chunk)
}

const local = { provider: 'local', accountScope: 'local', model: 'local-preview' }
const orderFile = (id: string) => path.join(ordersDir, id, 'order.json')
const crashesOf = (id: string) => path.join(ordersDir, id, 'crashes.json')

/** Somebody asks about the order, in another process. */
const noted = (id: string) => fs.utimes(orderFile(id), new Date(), new Date())

async function placeAll(provider: Provider, ids: readonly string[]): Promise<OrderRef[]> {
  const refs: OrderRef[] = []
  for (const id of ids) refs.push(await provider.submit(request, credential, call(id)))
  return refs
}

/** A renderer that notes that it has begun, and makes its clip when `finish` says so. */
const PATIENT = `
  const fs = require('node:fs')
  const path = require('node:path')
  const dir = process.argv[2]
  process.on('disconnect', () => process.exit(3))
  fs.writeFileSync(path.join(dir, 'started'), String(process.pid))
  setInterval(() => {
    if (!fs.existsSync(path.join(dir, 'finish'))) return
    fs.writeFileSync(path.join(dir, 'clip.mp4'), '')
    process.exit(0)
  }, 10)`

const finish = (id: string) => fs.writeFile(path.join(ordersDir, id, 'finish'), '')

/** When a renderer of the order last died lies so far back that it may have another try. */
async function restAfterCrash(id: string): Promise<void> {
  const longAgo = new Date(Date.now() - 60_000)
  await fs.utimes(crashesOf(id), longAgo, longAgo).catch(() => undefined)
}

/** The patient renderer of this order. */
function started(id: string): Promise<number> {
  return until(async () => {
    const file = path.join(ordersDir, id, 'started')
    const pid = Number(await fs.readFile(file, 'utf8').catch(() => ''))
    return pid === 0 ? null : pid
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const limits = { maxBytes: 50_000_000, idleMs: 10_000, signal }

describe('one order from submit to file', () => {
  test.each([
    ['portrait', 720, 1280],
    ['landscape', 1280, 720],
  ] as const)('%s: an H.264 clip of %dx%d', async (aspectRatio, width, height) => {
    const provider = open()
    const order = { ...request, aspectRatio }
    const ref = await provider.submit(order, credential, call(`e2e-${aspectRatio}`))
    expect(ref).toEqual({
      provider: 'local',
      accountScope: 'local',
      model: 'local-preview',
      id: `e2e-${aspectRatio}`,
    })
    const asset = await finished(provider, ref)
    const fetched = clipFile()
    const into = { file: fetched, ...limits }
    expect(await provider.fetch({ ref, asset }, credential, into)).toEqual({
      bytes: fetched.bytes(),
    })
    const content = fetched.content()
    expect(content.indexOf('moov')).toBeLessThan(content.indexOf('mdat'))
    const file = path.join(ordersDir, `${aspectRatio}.mp4`)
    await fs.writeFile(file, content)
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
})

describe('an order is a folder', () => {
  test('the same attempt twice is one order, and find sees it', async () => {
    const provider = open()
    const first = await provider.submit(request, credential, call('twice'))
    const text = await fs.readFile(path.join(ordersDir, 'twice', 'order.json'), 'utf8')
    const other = { ...request, prompt: 'something else' }
    const second = await provider.submit(other, credential, call('twice'))
    expect(second).toEqual(first)
    expect(await fs.readFile(path.join(ordersDir, 'twice', 'order.json'), 'utf8')).toBe(text)
    const attempt = {
      attemptId: 'twice',
      sentAt: new Date(),
      ageMs: 0,
      lostMs: 0,
      request,
      accountScope: 'local',
    }
    expect(await provider.find?.(attempt, credential, signal)).toEqual({
      found: 'order',
      ref: first,
    })
    const unsent = { ...attempt, attemptId: 'never-sent' }
    const nothing = { found: 'nothing', settled: true }
    expect(await provider.find?.(unsent, credential, signal)).toEqual(nothing)
  })

  test('an unknown order, for example after a restore elsewhere, is ordered again', async () => {
    const provider = open()
    const ref = { provider: 'local', accountScope: 'local', model: 'local-preview', id: 'missing' }
    expect(await provider.poll(ref, credential, signal)).toMatchObject(GONE)
  })

  test('what nobody has asked about for long is purged, the rest stays', async () => {
    const provider = open({ concurrency: 0 })
    const refs = await placeAll(provider, ['old', 'asked'])
    const before = new Date(Date.now() - 120_000)
    for (const { id } of refs) await fs.utimes(orderFile(id), before, before)
    await provider.poll({ ...local, id: 'asked' }, credential, signal)
    await provider.tidy?.(60_000)
    expect(await exists(path.join(ordersDir, 'old'))).toBe(false)
    expect(await exists(path.join(ordersDir, 'asked'))).toBe(true)
  })

  test('an order that came too late is not placed', async () => {
    const provider = open()
    await expect(
      provider.submit(
        request,
        credential,
        call('late', { mayStart: () => Promise.resolve(false) }),
      ),
    ).rejects.toMatchObject({ fault: { kind: 'transient' }, acceptance: 'not-sent' })
    expect(await exists(orderFile('late'))).toBe(false)
  })

  test('a delivered order is forgotten', async () => {
    const provider = open()
    const ref = await provider.submit(request, credential, call('delivered'))
    await finished(provider, ref)
    await provider.forget?.(ref)
    expect(await exists(path.join(ordersDir, 'delivered'))).toBe(false)
  })
})

describe('whose turn it is', () => {
  test('Row d: only what has a place is rendered, the others are queued and may be many', async () => {
    const provider = open({ rendererEntry: patient })
    expect(provider.can).toMatchObject({ atOnce: 1, deadlineFrom: 'rendering' })
    expect(provider.can.maxInFlight).toBeGreaterThan(1)
    expect(provider.can.extraForSingles).toBeGreaterThan(0)
    const ids = ['turn-1', 'turn-2', 'turn-3']
    const refs = await placeAll(provider, ids)
    for (const [done, id] of ids.entries()) {
      await started(id)
      const responses = await Promise.all(refs.map((ref) => provider.poll(ref, credential, signal)))
      const phases = responses.map((response) => response.state === 'pending' && response.phase)
      expect(phases).toEqual(ids.map((_, i) => i >= done && (i === done ? 'running' : 'queued')))
      await finish(id)
    }
  })

  test('Row q: a single goes before every batch order that waits, also after a restart', async () => {
    const first = open({ rendererEntry: patient })
    const batch = await placeAll(first, ['batch-1', 'batch-2', 'batch-3'])
    await started('batch-1')
    const single = await first.submit(request, credential, call('single', { lane: 0 }))
    await first.stop()
    await fs.rm(path.join(ordersDir, 'batch-1', 'started'))
    const second = open({ rendererEntry: patient })
    // Asked for last, and still the first.
    for (const ref of [...batch, single]) await noted(ref.id)
    await second.poll(batch[2]!, credential, signal)
    await started('single')
    expect(await exists(path.join(ordersDir, 'batch-1', 'started'))).toBe(false)
    await finish('single')
    await started('batch-1')
  })

  test('Row d: two processes that share the folder render no more than one does', async () => {
    const [first, second] = [open({ rendererEntry: patient }), open({ rendererEntry: patient })]
    const refs = await placeAll(first, ['shared-1', 'shared-2'])
    await started('shared-1')
    const heartbeats = new Set<number>()
    await until(async () => {
      for (const ref of refs) await second.poll(ref, credential, signal)
      heartbeats.add((await fs.stat(path.join(ordersDir, 'shared-1', 'progress.json'))).mtimeMs)
      return heartbeats.size > 2 ? true : null
    })
    expect(await exists(path.join(ordersDir, 'shared-2', 'started'))).toBe(false)
    await finish('shared-1')
    await started('shared-2')
  })

  test('Row q: nothing is rendered for an order that nobody asks about any more', async () => {
    const provider = open({ rendererEntry: patient })
    await placeAll(open({ concurrency: 0 }), ['dead', 'alive'])
    const before = new Date(Date.now() - 60_000)
    await fs.utimes(orderFile('dead'), before, before)
    await provider.poll({ ...local, id: 'alive' }, credential, signal)
    await started('alive')
    await finish('alive')
    await provider.stop()
    expect(await exists(path.join(ordersDir, 'dead', 'started'))).toBe(false)
  })
})

describe('an order that is over', () => {
  test('Row q: it leaves the line, and the next one has its turn', async () => {
    const provider = open({ rendererEntry: patient })
    const [, over] = await placeAll(provider, ['before', 'over', 'after'])
    await started('before')
    await provider.forget?.(over!)
    await finish('before')
    await started('after')
    expect(await exists(path.join(ordersDir, 'over'))).toBe(false)
  })

  test('Row q: its renderer ends, whichever process forgets it', async () => {
    const provider = open({ rendererEntry: patient })
    const [ref] = await placeAll(provider, ['running'])
    const pid = await started('running')
    await open().forget?.(ref!)
    await until(async () => (isAlive(pid) ? null : true))
    expect(await provider.poll(ref!, credential, signal)).toMatchObject(GONE)
    await provider.stop()
    expect(await exists(path.join(ordersDir, 'running'))).toBe(false)
  })

  test('Row d: it is taken back only while nothing has begun, and then it is gone', async () => {
    const provider = open({ rendererEntry: patient })
    const [drawn, waiting] = await placeAll(provider, ['drawn', 'waiting'])
    await started('drawn')
    expect(await provider.withdraw?.(drawn!, credential, signal)).toBe(false)
    expect(await provider.withdraw?.(waiting!, credential, signal)).toBe(true)
    expect(await exists(path.join(ordersDir, 'waiting'))).toBe(false)
    await finish('drawn')
    await finished(provider, drawn!)
    expect(await provider.withdraw?.(drawn!, credential, signal)).toBe(false)
  })

  test('a question does not bring it back; the same attempt placed again is a new order', async () => {
    const provider = open({ rendererEntry: patient })
    const [ref] = await placeAll(provider, ['again'])
    const pid = await started('again')
    await provider.forget?.(ref!)
    expect(await provider.poll(ref!, credential, signal)).toMatchObject(GONE)
    await until(async () => (isAlive(pid) ? null : true))
    expect(await exists(path.join(ordersDir, 'again'))).toBe(false)
    await placeAll(provider, ['again'])
    await started('again')
    await finish('again')
    await finished(provider, ref!)
  })
})

describe('accidents', () => {
  test('a renderer that is killed is replaced, and the clip is whole', async () => {
    const provider = open()
    const ref = await provider.submit(request, credential, call('killed'))
    const pid = await rendererOf('killed')
    await until(async () => {
      const result = await provider.poll(ref, credential, signal)
      return result.state === 'pending' && (result.progress ?? 0) > 0.1 ? true : null
    })
    process.kill(pid, 'SIGKILL')
    await until(async () => ((await exists(crashesOf('killed'))) ? true : null))
    await restAfterCrash('killed')
    const asset = await finished(provider, ref)
    expect(asset).toEqual({ at: 'file', path: path.join(ordersDir, 'killed', 'clip.mp4') })
    const crashes = await fs.readFile(crashesOf('killed'), 'utf8')
    expect(JSON.parse(crashes)).toMatchObject({ count: 1 })
  })

  test('an order whose renderer dies three times has failed', async () => {
    const broken = path.join(entries, 'broken.js')
    await fs.writeFile(broken, 'process.stderr.write("no paper left\\n"); process.exitCode = 1')
    const provider = open({ rendererEntry: broken })
    const ref = await provider.submit(request, credential, call('doomed'))
    const result = await until(async () => {
      await restAfterCrash('doomed')
      const response = await provider.poll(ref, credential, signal)
      return response.state === 'pending' ? null : response
    })
    expect(result).toMatchObject({
      state: 'failed',
      fault: { kind: 'permanent', reason: 'other' },
    })
    expect(JSON.stringify(result)).toContain('no paper left')
  })

  test('an order whose renderer has just died waits a while, and the next one has its turn', async () => {
    const picky = path.join(entries, 'picky.cjs')
    await fs.writeFile(picky, `if (process.argv[2].endsWith('weak')) process.exit(1);${PATIENT}`)
    const provider = open({ rendererEntry: picky })
    await placeAll(provider, ['weak', 'strong'])
    await started('strong')
    expect(JSON.parse(await fs.readFile(crashesOf('weak'), 'utf8'))).toMatchObject({ count: 1 })
    await finish('strong')
  })

  test('a folder that cannot be read keeps no other order waiting', async () => {
    const provider = open({ rendererEntry: patient })
    // A folder in place of the order's file is an error for everybody, root included.
    await fs.mkdir(orderFile('a-broken-one'), { recursive: true })
    await placeAll(provider, ['whole'])
    await started('whole')
    await finish('whole')
  })

  test('after stop nothing renders, and another provider takes the order over', async () => {
    const first = open()
    const ref = await first.submit(request, credential, call('handed-over'))
    await rendererOf('handed-over')
    await first.stop()
    expect(await pidOf(path.join(ordersDir, 'handed-over'))).toBeNull()
    await finished(open(), ref)
  })

  test('a renderer ends by itself when its parent dies, and leaves no half clip', async () => {
    const provider = open({ concurrency: 0 })
    await provider.submit(request, credential, call('orphan'))
    const dir = path.join(ordersDir, 'orphan')
    const script = `
      const { spawn } = require('node:child_process')
      spawn(process.execPath, ${JSON.stringify([path.join(entries, 'render-clip.js'), dir])},
        { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })`
    const parent = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
    await until(() => pidOf(dir))
    parent.kill('SIGKILL')
    await until(async () => ((await pidOf(dir)) === null ? true : null))
    expect(await exists(path.join(dir, 'clip.mp4'))).toBe(false)
  })
})

describe('a clip is copied', () => {
  const ref = { ...local, id: 'fetched' }
  const assetOf = (name: string): AssetRef => ({ at: 'file', path: path.join(ordersDir, name) })
  const fetchInto = (file: ClipFile, name: string, more: Partial<typeof limits> = {}) =>
    open().fetch({ ref, asset: assetOf(name) }, credential, { file, ...limits, ...more })
  const transient = { fault: { kind: 'transient' }, acceptance: 'accepted' }
  const content = Buffer.alloc(3_000_000, 'clip of an order')

  test('a download continues after the bytes of the same clip, and restarts after those of another', async () => {
    await fs.writeFile(path.join(ordersDir, 'long.mp4'), content)
    const file = clipFile()
    const full = new Error('no space left on device')
    const breaking = { ...file, write: (chunk: Uint8Array) => writeSome(file, chunk, full) }
    await expect(fetchInto(breaking, 'long.mp4')).rejects.toBe(full)
    const kept = file.bytes()
    expect(kept).toBeGreaterThan(0)
    const written: number[] = []
    const resumed = {
      ...file,
      write: (chunk: Uint8Array) => {
        written.push(chunk.length)
        return file.write(chunk)
      },
    }
    expect(await fetchInto(resumed, 'long.mp4')).toEqual({ bytes: content.length })
    expect(written.reduce((sum, length) => sum + length, 0)).toBe(content.length - kept)
    expect(file.content().equals(content)).toBe(true)

    await fs.writeFile(path.join(ordersDir, 'other.mp4'), content.subarray(0, 2_000_001))
    expect(await fetchInto(file, 'other.mp4')).toEqual({ bytes: 2_000_001 })
    expect(file.content().equals(content.subarray(0, 2_000_001))).toBe(true)
  })

  test('one that is too large, stuck, given up or gone is a ProviderError', async () => {
    await fs.writeFile(path.join(ordersDir, 'large.mp4'), content)
    await expect(fetchInto(clipFile(), 'large.mp4', { maxBytes: 1_000_000 })).rejects.toMatchObject(
      { fault: { kind: 'permanent', reason: 'broken-clip' } },
    )
    const stuck = { ...clipFile(), write: () => new Promise<never>(() => undefined) }
    await expect(fetchInto(stuck, 'large.mp4', { idleMs: 50 })).rejects.toMatchObject(transient)
    await expect(
      fetchInto(clipFile(), 'large.mp4', { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject(transient)
    await expect(fetchInto(clipFile(), 'gone.mp4')).rejects.toMatchObject({
      fault: { kind: 'permanent', reason: 'asset-gone' },
    })
  })

  test('a file outside the orders folder is not served', async () => {
    const asset: AssetRef = { at: 'file', path: path.join(ordersDir, '..', 'secret') }
    await expect(
      open().fetch({ ref, asset }, credential, { file: clipFile(), ...limits }),
    ).rejects.toMatchObject({ fault: { kind: 'permanent', reason: 'protocol' } })
  })
})
