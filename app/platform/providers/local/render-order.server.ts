import path from 'node:path'
import { orderFolder, readOrder, writeDurably } from './order-folder.server'
import { renderClip } from './render.server'

/** How often a renderer tells how far it is. */
const TELL_MS = 200

/**
 * Renders the order in `dir` and puts its clip there. The clip appears whole, synced to disk, or
 * not at all. `tell` hears how far it is, 0..1. Throws when there is no such order.
 */
export async function renderOrderFolder(
  dir: string,
  tell: (progress: number) => void,
): Promise<void> {
  const folder = orderFolder(path.dirname(dir), path.basename(dir))
  const order = await readOrder(folder)
  if (order === null) throw new Error('there is no order in this folder')
  let toldAt = 0
  const clip = await renderClip(order, (progress) => {
    if (Date.now() - toldAt < TELL_MS) return
    toldAt = Date.now()
    tell(progress)
  })
  await writeDurably(folder.clip, clip)
}
