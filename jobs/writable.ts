import fs from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '~/lib/error-facts'
import { seconds } from '~/lib/time'
import { limited } from '~/platform/storage/limits'

/** A network disk may hang. */
const CHECK_MS = seconds(5)
/** Error codes of a wrong setting or wrong rights. A disk that is away or full may come back. */
const OF_OPERATORS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])

/**
 * Returns one sentence if the operator has to change something before anything can be written to a
 * folder, which is created if it is missing. Otherwise returns null.
 */
export async function folderProblem(dir: string): Promise<string | null> {
  const probe = path.join(dir, `.probe-${process.pid}`)
  try {
    await limited(CHECK_MS, async () => {
      await fs.mkdir(dir, { recursive: true })
      await fs.writeFile(probe, '')
      await fs.rm(probe, { force: true })
    })
    return null
  } catch (error) {
    const code = codeOf(error)
    if (!OF_OPERATORS.has(code)) return null
    return `Nothing can be written to ${dir} (${code}). Set DATA_DIR to a folder that this user can write to.`
  }
}
