import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const jar = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar')

const Report = z.object({
  messages: z.array(
    z.object({
      type: z.string(),
      url: z.string().optional(),
      message: z.string(),
      extract: z.string().optional(),
    }),
  ),
})

/** Every report of the checker is this long at most. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Checks pages with the Nu Html Checker, which needs Java, in one run for all of them.
 *
 * @param pages HTML by address
 * @returns each error once, with the first page that has it and the place
 */
export async function checkHtml(pages: ReadonlyMap<string, string>) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pages-'))
  try {
    const addresses = new Map<string, string>()
    for (const [address, html] of pages) {
      const file = path.join(folder, `${addresses.size}.html`)
      await fs.writeFile(file, html)
      addresses.set(file, address)
    }
    // The checker's parsers are recursive, so the stack is large. The rest is for a short run.
    const { stdout } = await promisify(execFile)(
      'java',
      [
        ...['-Xss16m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', jar],
        ...['--errors-only', '--format', 'json', '--stdout', '--exit-zero-always'],
        ...addresses.keys(),
      ],
      { maxBuffer: MAX_BYTES },
    )
    const faults: Record<string, string> = {}
    for (const { type, url, message, extract } of Report.parse(JSON.parse(stdout)).messages) {
      const file = url?.replace(/^file:/, '') ?? ''
      faults[`${type}: ${message}`] ??= `${addresses.get(file) ?? file}: ${extract ?? ''}`
    }
    return faults
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
