import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { holderOf, tryLock, waitForLock } from './lock.mjs'

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

/** @param {string} dir */
const supervisorLock = (dir) => path.join(dir, 'running.pid')

/**
 * Returns the id of the process that runs the product on a folder, or undefined.
 *
 * @param {string} dir
 */
export const supervisorOf = (dir) => holderOf(supervisorLock(dir))

/**
 * Locks the folder for this process and returns a function that releases the lock. Throws StartError
 * if another process has the lock.
 *
 * @param {string} dir
 */
export async function lockDataDir(dir) {
  const lock = await tryLock(supervisorLock(dir))
  if (typeof lock === 'function') return lock
  throw new StartError(`Reelmill is already running on ${dir} (process ${lock}).`)
}

/**
 * Waits until no other command uses the database of a folder on which the product does not run: the
 * command that started the database stops it at its end. Returns a function that lets the next
 * command go on.
 *
 * @param {string} dir
 */
export const waitForCommands = (dir) =>
  waitForLock(path.join(dir, 'command.pid'), (pid) =>
    console.log(`Waiting for the command that uses ${dir} (process ${pid}) …`),
  )

/**
 * Runs `work` while no other process starts or stops the database of a folder, or creates its
 * secrets. `work` must not call this again: a process does not wait for itself.
 *
 * @template T
 * @param {string} dir @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function aloneWithDatabase(dir, work) {
  const release = await waitForLock(path.join(dir, 'database.pid'))
  try {
    return await work()
  } finally {
    await release()
  }
}

/**
 * Returns the secrets of an installation with the embedded database. Creates them at its first start.
 *
 * @param {string} dir
 * @returns {Promise<{ postgresPassword: string, SESSION_SECRET: string, ENCRYPTION_KEY: string }>}
 */
export async function installationSecrets(dir) {
  const file = path.join(dir, 'secrets.json')
  const text = await fs.readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(`${file} cannot be read (${error.code}).`)
  })
  if (text !== undefined) return parseSecrets(file, text)
  const secret = () => randomBytes(32).toString('base64url')
  const made = { postgresPassword: secret(), SESSION_SECRET: secret(), ENCRYPTION_KEY: secret() }
  await writeSecrets(file, made)
  return made
}

const SECRETS = ['postgresPassword', 'SESSION_SECRET', 'ENCRYPTION_KEY']

/** @param {string} file @param {string} text */
function parseSecrets(file, text) {
  try {
    const secrets = JSON.parse(text)
    if (SECRETS.every((name) => typeof secrets[name] === 'string')) return secrets
  } catch {
    // Said below.
  }
  throw new StartError(
    `${file} does not hold this installation's secrets any more. Take it from a backup.`,
  )
}

/**
 * Replaces an installation's secrets with those of a backup. The installation keeps its own database
 * password.
 *
 * @param {string} dir @param {Record<string, string>} restored
 */
export async function storeSecrets(dir, restored) {
  const { postgresPassword } = await installationSecrets(dir)
  await writeSecrets(path.join(dir, 'secrets.json'), { postgresPassword, ...restored })
}

/** @param {string} file @param {Record<string, string>} secrets */
async function writeSecrets(file, secrets) {
  const draft = `${file}.new`
  await fs.writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  await fs.rename(draft, file)
}
