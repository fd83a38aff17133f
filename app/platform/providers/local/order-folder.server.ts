import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/** One order is one folder; whoever can read it knows everything about the order. */
export type OrderFolder = {
  order: string
  /** Written while somebody renders; its modification time is the heartbeat. */
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

const progressNote = z.object({ progress: z.number().min(0).max(1) })
const crashNote = z.object({ count: z.number().int(), message: z.string() })
export type Crashes = z.output<typeof crashNote>

/** Reads the order, or null when there is none. */
export async function readOrder(folder: OrderFolder): Promise<RenderOrder | null> {
  const text = await readOrNull(folder.order)
  return text === null ? null : renderOrder.parse(JSON.parse(text))
}

/** How far the render is, 0..1, and when its renderer last gave a sign of life. */
export async function readProgress(
  folder: OrderFolder,
): Promise<{ progress: number; beatAt: number } | null> {
  const text = await readOrNull(folder.progress)
  const stat = await fs.stat(folder.progress).catch(() => null)
  if (text === null || stat === null) return null
  const note = progressNote.safeParse(parseOrNull(text))
  return { progress: note.success ? note.data.progress : 0, beatAt: stat.mtimeMs }
}

/** Notes progress. Not synced: after a power cut the render starts again anyway. */
export async function writeProgress(folder: OrderFolder, progress: number): Promise<void> {
  const draft = `${folder.progress}.${process.pid}.tmp`
  await fs.writeFile(draft, JSON.stringify({ progress }))
  await fs.rename(draft, folder.progress)
}

/** How often renderers died over this order; a note that cannot be read counts as none. */
export async function readCrashes(folder: OrderFolder): Promise<Crashes> {
  const note = crashNote.safeParse(parseOrNull((await readOrNull(folder.crashes)) ?? ''))
  return note.success ? note.data : { count: 0, message: '' }
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

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await fs.readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** True for "no such file or folder". */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
