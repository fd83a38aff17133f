import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from './is-running.mjs'
import { isRoot, makeOpenFolder, openToNobody, ROOT_STORE } from './postgres-nobody.mjs'

/**
 * Returns the folder of the cluster for `wanted`, usually `wanted` itself. If root starts the
 * product in a private folder, the cluster is in a folder of the store that `nobody` can reach, and
 * `wanted` is a link to it. The link is created last, when the cluster is complete, so that a
 * broken link always means a lost database and never a failed first start.
 *
 * @param {string} wanted
 * @param {string} [store]
 * @returns {Promise<{ dir: string, keep: () => Promise<void> }>} `keep` creates the link and must be
 *   called once the cluster exists
 */
export async function clusterFolder(wanted, store = ROOT_STORE) {
  const link = await fs.readlink(wanted).catch(() => undefined)
  if (link) {
    await checkStore(wanted, link)
    return { dir: link, keep: async () => undefined }
  }
  if (!isRoot || (await openToNobody(path.dirname(wanted)))) {
    return { dir: wanted, keep: async () => undefined }
  }
  await makeOpenFolder(store)
  const dir = path.join(store, `cluster-${randomUUID()}`)
  return {
    dir,
    keep: async () => {
      await fs.writeFile(ownerFile(dir), path.resolve(wanted))
      await fs.symlink(dir, wanted)
    },
  }
}

/**
 * A file beside the cluster that names its owner, so that a copied DATA_DIR does not use the
 * original's database.
 */
const ownerFile = (/** @type {string} */ dir) => `${dir}.owner`

/**
 * Checks the cluster that a link leads to. Throws an Error with a sentence for the operator if it is
 * missing or belongs to another folder. A folder that was moved becomes the new owner.
 *
 * @param {string} wanted @param {string} dir
 */
async function checkStore(wanted, dir) {
  if (!(await fs.stat(path.join(dir, 'PG_VERSION')).catch(() => undefined))) {
    throw new Error(
      `the database of ${path.dirname(wanted)} lay in ${dir} and is not there. A copy of the folder does not contain it: restore a backup with npm run restore`,
    )
  }
  const owner = await fs.readFile(ownerFile(dir), 'utf8').catch(() => undefined)
  const here = path.resolve(wanted)
  if (owner === undefined || owner === here) return
  if ((await fs.readlink(owner).catch(() => undefined)) === dir) {
    throw new Error(
      `${path.dirname(wanted)} is a copy of ${path.dirname(owner)} and would use the same database (${dir}). Make a backup there with npm run backup and restore it here`,
    )
  }
  await fs.writeFile(ownerFile(dir), here)
}

/**
 * @param {string} dir
 * @returns {Promise<number | undefined>} port of the server that runs on it, if any
 */
export async function runningPort(dir) {
  const { pid, port } = await readPidFile(dir)
  return pid && port && (await isRunning(pid)) ? port : undefined
}

/**
 * Returns the process id and the port of the server that runs on a folder, or was killed there.
 * Both are 0 if there is none.
 *
 * @param {string} dir
 */
export async function readPidFile(dir) {
  const text = await fs.readFile(path.join(dir, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3] ?? 0) }
}

/**
 * Removes the lock of a killed server, once the last process that worked in the folder has ended,
 * or after 5 s. Until its parent has reaped it (the first process of a container may never do so),
 * a killed server appears alive to the next one, which then refuses to start.
 *
 * @param {string} dir
 */
export async function removeDeadLock(dir) {
  const { pid } = await readPidFile(dir)
  if (!pid || (await isRunning(pid))) return
  for (let waited = 0; waited < 5000 && (await worksIn(dir)); waited += 50) await sleep(50)
  await fs.rm(path.join(dir, 'postmaster.pid'), { force: true })
}

/**
 * Returns whether any process has this working folder, as all server processes do.
 *
 * @param {string} dir
 */
async function worksIn(dir) {
  const names = await fs.readdir('/proc').catch(() => [])
  const real = await fs.realpath(dir)
  for (const name of names.filter((entry) => /^\d+$/.test(entry))) {
    if ((await fs.readlink(`/proc/${name}/cwd`).catch(() => '')) === real) return true
  }
  return false
}
