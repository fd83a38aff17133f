import { orderFolder, readOrder, writeDurably, writeProgress } from './order-folder.server'
import { renderClip } from './render.server'
import path from 'node:path'

/** How often a renderer gives a sign of life. */
const BEAT_MS = 300

/**
 * Renders the order in `dir` and puts its clip there. The clip appears whole, synced to disk, or
 * not at all; progress is noted about three times a second. Throws when there is no such order.
 */
export async function renderOrderFolder(dir: string): Promise<void> {
  const folder = orderFolder(path.dirname(dir), path.basename(dir))
  const order = await readOrder(folder)
  if (order === null) throw new Error('there is no order in this folder')
  let beatAt = 0
  const clip = await renderClip(order, async (progress) => {
    if (Date.now() - beatAt < BEAT_MS) return
    beatAt = Date.now()
    await writeProgress(folder, progress)
  })
  await writeDurably(folder.clip, clip)
}
