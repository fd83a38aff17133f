import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/** One order is one folder; whoever can read it knows everything about the order. */
export type OrderFolder = {
  /** The order itself; its modification time is when somebody last asked about it. */
  order: string
  /** Written by the worker whose renderer draws the order; its modification time is the heartbeat. */
  progress: string
  /** How often a renderer died over this order, and its last words. */
  crashes: string
  /** Appears whole or not at all. */
  clip: string
  dir: string
}

/** The files of an order. `id` is an attempt id and cannot name anything outside `ordersDir`. */
export function orderFolder(ordersDir: string, id: string): OrderFolder {
  if (!isOrderId(id)) throw new RangeError('not an attempt id')
  const dir = path.join(ordersDir, id)
  return {
    dir,
    order: path.join(dir, 'order.json'),
    progress: path.join(dir, 'progress.json'),
    crashes: path.join(dir, 'crashes.json'),
    clip: path.join(dir, 'clip.mp4'),
  }
}

/** Attempt ids only: nothing that could name another folder. */
export function isOrderId(name: string): boolean {
  return /^[a-z0-9-]{1,40}$/.test(name)
}

/** The order as it lies in its folder. */
export const renderOrder = z.object({
  prompt: z.string(),
  negativePrompt: z.string().nullable(),
  aspectRatio: z.enum(['portrait', 'landscape']),
  durationSeconds: z.number().int().min(4).max(8),
  seed: z.number(),
})
export type RenderOrder = z.output<typeof renderOrder>

/** With its place among the others: the lower lane first, then the earlier order. */
const placedOrder = renderOrder.extend({ lane: z.number(), placedAt: z.number() })
export type PlacedOrder = z.output<typeof placedOrder>

const progressNote = z.object({
  /** How far the rendering is, 0..1. */
  progress: z.number().min(0).max(1),
  /** How long the rest should take; null before anything can be told. */
  restMs: z.number().nullable(),
})
export type Progress = z.output<typeof progressNote>
/** A crash may be the machine's fault; three are the order's. */
export const MOST_CRASHES = 3
/** How long an order waits after each of its crashes: a machine that is short of memory recovers. */
const CRASH_PAUSE_MS = 5_000
/** A rendering without a sign of life for this long is dead, with the worker that ran it. */
const SILENT_MS = 8_000
const crashNote = z.object({ count: z.number().int(), message: z.string() })
export type Crashes = z.output<typeof crashNote>

/** Reads the order; null when there is none, or none that can be read. */
export async function readOrder(folder: OrderFolder): Promise<PlacedOrder | null> {
  const order = placedOrder.safeParse(parseOrNull((await readOrNull(folder.order)) ?? ''))
  return order.success ? order.data : null
}

/** Notes that somebody still asks about the order. False when there is none. */
export async function noteAsked({ order }: OrderFolder): Promise<boolean> {
  const now = new Date()
  return orMissing(
    fs.utimes(order, now, now).then(() => true),
    false,
  )
}

/** Milliseconds since somebody last asked about the order; null when there is none. */
export async function askedAgoMs({ order }: OrderFolder): Promise<number | null> {
  const stat = await orMissing(fs.stat(order), null)
  return stat === null ? null : Date.now() - stat.mtimeMs
}

/** How far the order's rendering is; null when nobody renders it at this moment. */
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

/** Notes how far the rendering is. Not synced: after a power cut it starts again anyway. */
export async function writeProgress(folder: OrderFolder, note: Progress): Promise<void> {
  const draft = `${folder.progress}.${process.pid}.tmp`
  await fs.writeFile(draft, JSON.stringify(note))
  await fs.rename(draft, folder.progress)
}

/**
 * Takes an order that nobody renders for this worker; false when another one was quicker. Two that
 * take over from a dead one in the same moment can both be told true: they make the same clip.
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
 * Removes the order and all that was made of it. The order itself goes first, so that whoever still
 * renders it finds nothing to note its progress for; `fs.rm` tries again when it was quicker.
 */
export async function removeOrder(folder: OrderFolder): Promise<void> {
  await fs.rm(folder.order, { force: true })
  await fs.rm(folder.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

/** How often renderers died over this order; a note that cannot be read counts as none. */
export async function readCrashes(folder: OrderFolder): Promise<Crashes> {
  const note = crashNote.safeParse(parseOrNull((await readOrNull(folder.crashes)) ?? ''))
  return note.success ? note.data : { count: 0, message: '' }
}

/** Whether the order's renderers may have another try now. */
export async function mayTryAgain(folder: OrderFolder): Promise<boolean> {
  const { count } = await readCrashes(folder)
  const stat = count === 0 ? null : await orMissing(fs.stat(folder.crashes), null)
  if (stat === null) return count < MOST_CRASHES
  return count < MOST_CRASHES && Date.now() - stat.mtimeMs >= count * CRASH_PAUSE_MS
}

/** True when the finished clip is there. */
export async function clipIsReady(folder: OrderFolder): Promise<boolean> {
  const stat = await fs.stat(folder.clip).catch(() => null)
  return stat !== null
}

/**
 * Writes a file so that it is either whole or absent, also after a power cut: to a draft in the
 * same folder, synced, renamed, and the folder synced.
 */
export async function writeDurably(target: string, content: string | Uint8Array): Promise<void> {
  const draft = `${target}.${process.pid}.tmp`
  const handle = await fs.open(draft, 'w')
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await fs.rename(draft, target)
  const folder = await fs.open(path.dirname(target), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function readOrNull(file: string): Promise<string | null> {
  return orMissing(fs.readFile(file, 'utf8'), null)
}

/** The answer, or `missing` when there is no such file or folder. */
export async function orMissing<T, M>(answer: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await answer
  } catch (error) {
    if (isMissing(error)) return missing
    throw error
  }
}

/** True for "no such file or folder". */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
