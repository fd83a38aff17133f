import fs from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes a file that is either complete or absent, also after a power failure: writes and syncs a
 * draft in the same folder, renames it, and syncs the folder.
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
