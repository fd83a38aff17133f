import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { loadImage } from '@napi-rs/canvas'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { walkBoxes } from '../../app/platform/media/boxes.server'
import { openInspector } from '../../app/platform/media/inspect.server'
import type { ClipInspection, InspectInput } from '../../app/platform/media/port'
import { renderClip } from '../../renderer/render'
import { bundlePrograms } from '../support/bundle-programs'

const { signal } = new AbortController()
let entries: string
let folder: string
let clip: Uint8Array

beforeAll(async () => {
  entries = await bundlePrograms('inspect-clip')
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'clips-'))
  const order = { prompt: 'a lake', negativePrompt: null, durationSeconds: 4, seed: 1 }
  clip = await renderClip(
    { ...order, aspectRatio: 'portrait' },
    { onStill: () => Promise.resolve(), onProgress: () => undefined },
  )
})

afterAll(async () => {
  await fs.rm(entries, { recursive: true, force: true })
  await fs.rm(folder, { recursive: true, force: true })
})

async function save(bytes: Uint8Array | string): Promise<string> {
  const file = path.join(await fs.mkdtemp(path.join(folder, 'clip-')), 'clip.mp4')
  await fs.writeFile(file, bytes)
  return file
}

/** Inspects one clip with the given program as the child. */
async function inspectWith(entry: string, input: InspectInput): Promise<ClipInspection> {
  const inspector = openInspector({ entry, atOnce: 1 })
  try {
    return await inspector.inspect(input)
  } finally {
    inspector.close()
  }
}

async function program(name: string, source: string): Promise<string> {
  const entry = path.join(folder, `${name}.mjs`)
  await fs.writeFile(entry, source)
  return entry
}

async function inspect(bytes: Uint8Array | string): Promise<ClipInspection & { poster: string }> {
  const file = await save(bytes)
  const poster = `${file}.jpg`
  const entry = path.join(entries, 'inspect-clip.js')
  return { ...(await inspectWith(entry, { path: file, posterPath: poster, signal })), poster }
}

/** Writes `bytes` over a copy of the clip. */
function overwritten(at: number, bytes: Uint8Array): Uint8Array {
  const copy = clip.slice()
  copy.set(bytes, at)
  return copy
}

describe('walkBoxes', () => {
  test('accepts a complete clip whose index precedes the pictures', async () => {
    const walk = await walkBoxes(await save(clip))
    if (!walk.ok) throw new Error(walk.reason)
    const kinds = walk.boxes.map((box) => box.kind)
    expect(kinds[0]).toBe('ftyp')
    expect(kinds.indexOf('moov')).toBeLessThan(kinds.indexOf('mdat'))
  })

  test('rejects every proper prefix', async () => {
    const file = await save(clip)
    const edges = [0, 1, 7, 8, 9, 31, 32, 33, clip.length - 2, clip.length - 1]
    const spread = Array.from({ length: 200 }, (_, index) =>
      Math.floor((index / 200) * clip.length),
    )
    for (const length of [...spread, ...edges].sort((one, other) => other - one)) {
      await fs.truncate(file, length)
      expect(await walkBoxes(file), `${length} bytes`).toMatchObject({ ok: false })
    }
  })

  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html><title>504 Gateway Time-out</title><p>upstream'],
    ['JSON', JSON.stringify({ error: { message: 'expired' } })],
    ['zeros', new Uint8Array(4_096)],
  ])('refuses %s', async (_name, bytes) => {
    expect(await walkBoxes(await save(bytes))).toMatchObject({ ok: false })
  })

  test('rejects bytes after the last box, and a last box of open length', async () => {
    expect(await walkBoxes(await save(Buffer.concat([clip, Buffer.from('x')])))).toMatchObject({
      ok: false,
    })
    const mdat = Buffer.from(clip).indexOf('mdat') - 4
    const open = overwritten(mdat, new Uint8Array(4))
    expect(await walkBoxes(await save(open))).toMatchObject({ ok: false })
  })

  test('returns a result for arbitrary bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await walkBoxes(await save(bytes))).toMatchObject({ ok: false })
      }),
      { numRuns: 100 },
    )
  })
})

describe('openInspector', () => {
  test('reports the facts and makes a small poster', async () => {
    const inspection = await inspect(clip)
    expect(inspection).toMatchObject({
      ok: true,
      facts: { codec: 'avc', width: 720, height: 1280, durationMs: 4000, poster: true },
    })
    const { size } = await fs.stat(inspection.poster)
    expect(size).toBeLessThanOrEqual(40_000)
    const image = await loadImage(inspection.poster)
    expect([image.width, image.height]).toEqual([360, 640])
  })

  test('a page instead of a clip is rejected without a child process', async () => {
    const file = await save('<!doctype html><title>Bad gateway</title>')
    const input = { path: file, posterPath: `${file}.jpg`, signal }
    const inspection = await inspectWith('/no/such/program.js', input)
    expect(inspection).toEqual({ ok: false, reason: 'it does not start like an MP4' })
  })

  test('complete boxes with garbage in the index are rejected', async () => {
    const moov = Buffer.from(clip).indexOf('moov') + 4
    const rubbish = overwritten(moov, new Uint8Array(600).fill(0xff))
    expect(await inspect(rubbish)).toMatchObject({ ok: false })
  })

  test('a clip whose pictures cannot be decoded is accepted without a poster', async () => {
    const mdat = Buffer.from(clip).indexOf('mdat') + 4
    const blind = overwritten(mdat, new Uint8Array(clip.length - mdat).fill(0x41))
    const inspection = await inspect(blind)
    expect(inspection).toMatchObject({ ok: true, facts: { width: 720, poster: false } })
    await expect(fs.stat(inspection.poster)).rejects.toThrow('ENOENT')
  })

  test('a poster that cannot be written does not fail the clip', async () => {
    const file = await save(clip)
    const entry = path.join(entries, 'inspect-clip.js')
    const posterPath = path.join(folder, 'no-such-folder', 'poster.jpg')
    expect(await inspectWith(entry, { path: file, posterPath, signal })).toMatchObject({
      ok: true,
      facts: { poster: false },
    })
  })

  test('a child that dies or sends an invalid report rejects the clip without a crash', async () => {
    const file = await save(clip)
    const sources = {
      'process.kill(process.pid, "SIGSEGV")': 'it could not be read (SIGSEGV)',
      'process.exit(7)': 'it could not be read (exit code 7)',
      'process.on("message", () => process.send({}))':
        'it could not be read (no sense in its report)',
    }
    for (const [source, reason] of Object.entries(sources)) {
      const input = { path: file, posterPath: `${file}.jpg`, signal }
      const inspection = await inspectWith(await program('bad-child', source), input)
      expect(inspection).toEqual({ ok: false, reason })
    }
  })

  // On other systems only the time limit applies, which is too long for a test.
  test.runIf(process.platform === 'linux')('a child that eats memory is ended', async () => {
    const file = await save(clip)
    const entry = await program(
      'greedy',
      `process.on('message', () => {
         const kept = []; setInterval(() => kept.push(Buffer.alloc(4e7, 1)), 20)
       })`,
    )
    const input = { path: file, posterPath: `${file}.jpg`, signal }
    expect(await inspectWith(entry, input)).toEqual({
      ok: false,
      reason: 'it could not be read (SIGKILL)',
    })
  })

  test('an aborted inspection throws and ends its child; one that waits for its turn throws too', async () => {
    const file = await save(clip)
    const noted = path.join(folder, 'pid')
    const entry = await program(
      'endless',
      `import fs from 'node:fs'
       process.on('message', () => fs.writeFileSync(${JSON.stringify(noted)}, String(process.pid)))`,
    )
    const inspector = openInspector({ entry, atOnce: 1 })
    const controller = new AbortController()
    const input = { path: file, posterPath: `${file}.jpg`, signal: controller.signal }
    const inspections = [inspector.inspect(input), inspector.inspect(input)]
    const pid = await vi.waitFor(
      async () =>
        z.coerce
          .number()
          .positive()
          .parse(await fs.readFile(noted, 'utf8')),
      { timeout: 60_000 },
    )
    controller.abort()
    const ends = await Promise.allSettled(inspections)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    inspector.close()
  })

  test('one child looks at many clips; after one that it could not read comes another', async () => {
    const good = await save(clip)
    const bad = await save(clip)
    // Reports its own pid as the codec, and finds no picture in `bad`.
    const entry = await program(
      'telling',
      `process.on('message', ({ path }) => process.send({ ok: true, facts: {
         codec: String(process.pid), width: 1, height: 1, durationMs: 1,
         poster: path !== ${JSON.stringify(bad)} } }))`,
    )
    const inspector = openInspector({ entry, atOnce: 1 })
    const examinedBy = async (file: string) => {
      const said = await inspector.inspect({ path: file, posterPath: `${file}.jpg`, signal })
      return said.ok ? said.facts.codec : said.reason
    }
    const first = await examinedBy(good)
    expect(await examinedBy(good)).toBe(first)
    expect(await examinedBy(bad)).toBe(first)
    expect(await examinedBy(good)).not.toBe(first)
    inspector.close()
  })
})
