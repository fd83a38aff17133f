import fs from 'node:fs/promises'
import path from 'node:path'
import { loadImage } from '@napi-rs/canvas'
import { messageOf } from '~/lib/error-facts'
import { lowerPriority } from '~/lib/lower-priority.server'
import { writeDurably } from '~/lib/write-durably.server'
import { renderOrder } from './order'
import { renderClip } from './render'

/** Interval at which a renderer reports its progress. */
const TELL_MS = 200

/** A program that renders the order in the folder named by its only argument: see README.md. */
async function main(): Promise<void> {
  lowerPriority()
  process.once('disconnect', () => process.exit(3))
  // The channel may have closed while this program was loading.
  if (process.channel === undefined) process.exit(3)
  const dir = process.argv[2]
  if (dir === undefined) throw new Error('usage: render-clip ORDER_FOLDER')
  await renderFolder(dir)
}

/** Writes the still and the clip of an order beside it. Each is complete and synced, or absent. */
async function renderFolder(dir: string): Promise<void> {
  const file = await fs.readFile(path.join(dir, 'order.json'), 'utf8')
  const order = renderOrder.parse(JSON.parse(file))
  const pictureIn = async (isThere: boolean, file: string) =>
    isThere ? loadImage(path.join(dir, file)) : null
  const picture = await pictureIn(order.hasPicture, 'picture.jpg')
  const endPicture = await pictureIn(order.hasEndPicture, 'end-picture.jpg')
  let toldAt = 0
  const clip = await renderClip(
    { ...order, picture, endPicture },
    {
      onStill: (jpeg) => writeDurably(path.join(dir, 'still.jpg'), jpeg),
      onProgress(progress) {
        if (Date.now() - toldAt < TELL_MS) return
        toldAt = Date.now()
        tell(progress)
      },
    },
  )
  await writeDurably(path.join(dir, 'clip.mp4'), clip)
}

/**
 * Reports progress to the parent. Errors are ignored: `disconnect` handles a parent that is gone.
 */
function tell(progress: number): void {
  process.send?.({ progress }, undefined, undefined, () => undefined)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 300)}\n`, () =>
      process.exit(1),
    )
  },
)
