import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { isRunning } from './is-running.mjs'

/** Thrown for a problem of the environment. The message is one sentence for the operator. */
export class StartError extends Error {
  /** @override */
  name = 'StartError'
}

/** Creates a folder. Throws StartError if it is not writable. @param {string} dir */
export async function openDataDir(dir) {
  try {
    await fs.mkdir(dir, { recursive: true })
    await fs.access(dir, fs.constants.W_OK | fs.constants.X_OK)
    const probe = path.join(dir, `.probe-${process.pid}`)
    await fs.writeFile(probe, '')
    await fs.rm(probe)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new StartError(
      `Nothing can be written to ${dir}${why}. Set DATA_DIR to a folder of yours.`,
    )
  }
}

/**
 * Returns the id of the process that runs the product on a folder, or undefined. An unrelated process
 * that has since received the same id is ignored.
 *
 * @param {string} dir
 */
export async function supervisorOf(dir) {
  const pid = Number(await fs.readFile(lockFile(dir), 'utf8').catch(() => '0'))
  return pid && (await isSupervisor(pid)) ? pid : undefined
}

/** @param {string} dir */
const lockFile = (dir) => path.join(dir, 'running.pid')

/** @param {number} pid */
async function isSupervisor(pid) {
  if (pid === process.pid || !(await isRunning(pid))) return false
  const command = await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'start.mjs')
  return /(start|dev|restore)\.mjs/.test(command)
}

/**
 * Locks the folder for this process and returns a function that releases the lock. Of processes that
 * start at the same time, one gets it. The lock of a killed process is ignored. Throws StartError if
 * another process has the lock.
 *
 * @param {string} dir
 */
export async function lockDataDir(dir) {
  const file = lockFile(dir)
  const own = `${file}.${process.pid}`
  // A link is there with its content or not at all, and fails if there is one already.
  await fs.writeFile(own, String(process.pid))
  try {
    while (!(await linkTo(own, file))) {
      const owner = await supervisorOf(dir)
      if (owner) throw new StartError(`Reelmill is already running on ${dir} (process ${owner}).`)
      await fs.rm(file, { force: true })
    }
  } finally {
    await fs.rm(own, { force: true })
  }
  return () => fs.rm(file, { force: true })
}

/** Returns whether the link was created. @param {string} target @param {string} file */
const linkTo = (target, file) =>
  fs.link(target, file).then(
    () => true,
    (error) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )

/**
 * Returns the secrets of an installation with the embedded database. Creates them at its first start.
 *
 * @param {string} dir
 * @returns {Promise<{ postgresPassword: string, SESSION_SECRET: string, ENCRYPTION_KEY: string }>}
 */
export async function installationSecrets(dir) {
  const file = path.join(dir, 'secrets.json')
  const text = await fs.readFile(file, 'utf8').catch(() => undefined)
  if (text) return JSON.parse(text)
  const secret = () => randomBytes(32).toString('base64url')
  const made = { postgresPassword: secret(), SESSION_SECRET: secret(), ENCRYPTION_KEY: secret() }
  await writeSecrets(file, made)
  return made
}

/**
 * Replaces an installation's secrets with those of a backup. The installation keeps its own database
 * password.
 *
 * @param {string} dir @param {Record<string, string>} restored
 */
export async function keepSecrets(dir, restored) {
  const { postgresPassword } = await installationSecrets(dir)
  await writeSecrets(path.join(dir, 'secrets.json'), { postgresPassword, ...restored })
}

/** @param {string} file @param {Record<string, string>} secrets */
async function writeSecrets(file, secrets) {
  const draft = `${file}.new`
  await fs.writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  await fs.rename(draft, file)
}
