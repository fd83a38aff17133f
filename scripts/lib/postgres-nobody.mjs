import fs from 'node:fs/promises'
import path from 'node:path'

/** PostgreSQL refuses to run as root; `nobody` exists on every Linux and owns nothing. */
export const NOBODY = 65534
export const isRoot = process.getuid?.() === 0
/**
 * The folder in which root stores what `nobody` must reach if the checkout is in a private folder.
 */
export const ROOT_STORE = '/var/lib/reelmill'

/** Returns whether `nobody` can enter a folder and all folders above it. @param {string} target */
export async function openToNobody(target) {
  for (let dir = path.resolve(target); ; dir = path.dirname(dir)) {
    const stat = await fs.stat(dir).catch(() => undefined)
    if (stat && (stat.mode & 0o001) === 0) return false
    if (dir === path.dirname(dir)) return true
  }
}

/** Creates a folder that all users can read and enter, regardless of the umask. @param {string} dir */
export async function makeOpenFolder(dir) {
  const first = await fs.mkdir(dir, { recursive: true })
  if (first === undefined) return
  for (let made = dir; ; made = path.dirname(made)) {
    await fs.chmod(made, 0o755)
    if (made === first) return
  }
}
