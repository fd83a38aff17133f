import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { codeOf } from '~/lib/error-facts'

/**
 * The files of one order. They are its only state, so every process can read it. The renderer reads
 * the order and writes the still and the clip: see renderer/README.md.
 */
export type OrderFolder = {
  /** The order. Its modification time is that of the last poll. */
  order: string
  /** The JPEG with which the clip begins, complete before the order is written. Absent: none. */
  picture: string
  /** The one with which it ends, in the same way. */
  endPicture: string
  /** Written by the worker whose renderer draws the order. Its modification time is the heartbeat. */
  progress: string
  /** The number of renderer crashes on this order, and the last output. */
  crashes: string
  /** A JPEG of the clip's first frame. Complete, or absent. */
  still: string
  /** Complete, or absent. */
  clip: string
  dir: string
}

/** Returns the paths of an order. `id` is an attempt id, so they are inside `ordersDir`. */
export function orderFolder(ordersDir: string, id: string): OrderFolder {
  if (!isOrderId(id)) throw new RangeError('not an attempt id')
  const dir = path.join(ordersDir, id)
  return {
    dir,
    order: path.join(dir, 'order.json'),
    picture: path.join(dir, 'picture.jpg'),
    endPicture: path.join(dir, 'end-picture.jpg'),
    progress: path.join(dir, 'progress.json'),
    crashes: path.join(dir, 'crashes.json'),
    still: path.join(dir, 'still.jpg'),
    clip: path.join(dir, 'clip.mp4'),
  }
}

/** Returns whether a name is an attempt id, which cannot name another folder. */
export function isOrderId(name: string): boolean {
  return /^[a-z0-9-]{1,40}$/.test(name)
}

/**
 * An order's rank: the lower lane first, then the earlier order. The rest of the file is for the
 * renderer.
 */
const orderRank = z.object({ lane: z.number(), placedAt: z.number() })
export type Rank = z.output<typeof orderRank>

const progressNote = z.object({
  /** The rendered share, 0..1. */
  progress: z.number().min(0).max(1),
  /** The estimated rest in milliseconds, or null before there is an estimate. */
  restMs: z.number().nullable(),
})
export type Progress = z.output<typeof progressNote>
/** Crashes after which an order fails. A single crash may be the machine's fault. */
export const MOST_CRASHES = 3
/** The pause per crash before an order is rendered again, so that memory can become free. */
const CRASH_PAUSE_MS = 5_000
/** A rendering without a heartbeat for this long is dead, and so is its worker. */
const SILENT_MS = 8_000
const crashNote = z.object({ count: z.number().int(), message: z.string() })
export type Crashes = z.output<typeof crashNote>

/** Reads the rank of the order. Returns null if there is none, or none that can be read. */
export async function readRank(folder: OrderFolder): Promise<Rank | null> {
  const read = orderRank.safeParse(parseOrNull((await readOrNull(folder.order)) ?? ''))
  return read.success ? read.data : null
}

/** Records a poll of the order. Returns false if there is no order. */
export async function noteAsked({ order }: OrderFolder): Promise<boolean> {
  const now = new Date()
  return orMissing(
    fs.utimes(order, now, now).then(() => true),
    false,
  )
}

/** Returns the milliseconds since the last poll of the order, or null if there is none. */
export async function askedAgoMs({ order }: OrderFolder): Promise<number | null> {
  const stat = await orMissing(fs.stat(order), null)
  return stat === null ? null : Date.now() - stat.mtimeMs
}

/** Returns the progress of the order's rendering, or null if it is not being rendered. */
export async function readProgress(folder: OrderFolder): Promise<Progress | null> {
  const text = await readOrNull(folder.progress)
  const stat = await orMissing(fs.stat(folder.progress), null)
  if (text === null || stat === null) return null
  const ageMs = Date.now() - stat.mtimeMs
  if (ageMs >= SILENT_MS) return null
  const note = progressNote.safeParse(parseOrNull(text))
  const { progress, restMs } = note.success ? note.data : NOT_BEGUN
  return { progress, restMs: restMs === null ? null : Math.max(0, restMs - ageMs) }
}

const NOT_BEGUN: Progress = { progress: 0, restMs: null }

/** Returns the still of the order, or undefined if there is none yet. */
export async function readStill(folder: OrderFolder): Promise<Buffer | undefined> {
  return orMissing(fs.readFile(folder.still), undefined)
}

/** Writes the progress. Not synced, because after a power failure the rendering starts again. */
export async function writeProgress(folder: OrderFolder, note: Progress): Promise<void> {
  const draft = `${folder.progress}.${process.pid}.tmp`
  await fs.writeFile(draft, JSON.stringify(note))
  await fs.rename(draft, folder.progress)
}

/**
 * Claims an order that is not being rendered. Returns false if another worker was faster. Two workers
 * that take over from a dead one at the same moment may both get true: they make the same clip.
 */
export async function claim(folder: OrderFolder): Promise<boolean> {
  if ((await readProgress(folder)) !== null) return false
  await fs.rm(folder.progress, { force: true })
  try {
    await fs.writeFile(folder.progress, JSON.stringify(NOT_BEGUN), { flag: 'wx' })
    return true
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes the order with its clip. The order file is removed first, so that a process that still
 * renders the order stops writing its progress. `fs.rm` retries if it wrote meanwhile.
 */
export async function removeOrder(folder: OrderFolder): Promise<void> {
  await fs.rm(folder.order, { force: true })
  await fs.rm(folder.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

/** Returns the crashes of renderers on this order. An unreadable file counts as none. */
export async function readCrashes(folder: OrderFolder): Promise<Crashes> {
  const note = crashNote.safeParse(parseOrNull((await readOrNull(folder.crashes)) ?? ''))
  return note.success ? note.data : { count: 0, message: '' }
}

/** Returns whether the order may be rendered again now. */
export async function mayTryAgain(folder: OrderFolder): Promise<boolean> {
  const { count } = await readCrashes(folder)
  const stat = count === 0 ? null : await orMissing(fs.stat(folder.crashes), null)
  if (stat === null) return count < MOST_CRASHES
  return count < MOST_CRASHES && Date.now() - stat.mtimeMs >= count * CRASH_PAUSE_MS
}

/** Returns whether the clip is finished. */
export async function clipIsReady(folder: OrderFolder): Promise<boolean> {
  const stat = await fs.stat(folder.clip).catch(() => null)
  return stat !== null
}

function readOrNull(file: string): Promise<string | null> {
  return orMissing(fs.readFile(file, 'utf8'), null)
}

/** Resolves with the value, or with `missing` if there is no such file or folder. */
export async function orMissing<T, M>(response: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await response
  } catch (error) {
    if (isMissing(error)) return missing
    throw error
  }
}

/** Returns whether the error is "no such file or folder". */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
