import path from 'node:path'
import { orderFolder, readOrder, writeDurably } from './order-folder.server'
import { renderClip } from './render.server'

/** Interval at which a renderer reports its progress. */
const TELL_MS = 200

/**
 * Renders the order in `dir` and writes its clip there. The clip is complete and synced, or absent.
 * `tell` receives the rendered share, 0..1. Throws if there is no order.
 */
export async function renderOrderFolder(
  dir: string,
  tell: (progress: number) => void,
): Promise<void> {
  const folder = orderFolder(path.dirname(dir), path.basename(dir))
  const order = await readOrder(folder)
  if (order === null) throw new Error('there is no order in this folder')
  let toldAt = 0
  const clip = await renderClip(order, {
    onStill: (jpeg) => writeDurably(folder.still, jpeg),
    onProgress(progress) {
      if (Date.now() - toldAt < TELL_MS) return
      toldAt = Date.now()
      tell(progress)
    },
  })
  await writeDurably(folder.clip, clip)
}
