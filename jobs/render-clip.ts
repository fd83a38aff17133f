import { messageOf } from '~/lib/error-facts'
import { renderOrderFolder } from '~/platform/providers/local/render-order.server'
import { lowerPriority } from './lower-priority'

/** Child process of the local provider: renders the order folder named by its only argument. */
async function main(): Promise<void> {
  lowerPriority()
  process.once('disconnect', () => process.exit(3))
  // The channel may have closed while this program was loading.
  if (process.channel === undefined) process.exit(3)
  const dir = process.argv[2]
  if (dir === undefined) throw new Error('usage: render-clip ORDER_FOLDER')
  await renderOrderFolder(dir, tell)
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
