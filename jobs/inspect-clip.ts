import { examineClip } from '~/platform/media/examine.server'
import type { ClipInspection } from '~/platform/media/facts'

/** Child process of the clip inspection: looks at one file and prints one line of JSON. */
async function main(): Promise<ClipInspection> {
  process.once('disconnect', () => process.exit(3))
  const [path, posterPath] = process.argv.slice(2)
  if (path === undefined || posterPath === undefined) throw new Error('usage: CLIP POSTER')
  return examineClip(path, posterPath)
}

void main()
  .catch((error: unknown): ClipInspection => {
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, reason: message.replaceAll(/\s+/g, ' ').slice(0, 200) }
  })
  .then((report) => {
    process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))
  })
