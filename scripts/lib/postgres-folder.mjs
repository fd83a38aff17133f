import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRoot, openToNobody, ROOT_STORE } from './postgres-nobody.mjs'

/**
 * The folder that really holds the cluster. Root in a private folder: a folder that `nobody` can
 * reach, with a link where the caller expects it.
 *
 * @param {string} wanted
 */
export async function clusterFolder(wanted) {
  const link = await fs.readlink(wanted).catch(() => undefined)
  if (link) return link
  if (!isRoot || (await openToNobody(path.dirname(wanted)))) {
    await fs.mkdir(wanted, { recursive: true, mode: 0o700 })
    return wanted
  }
  const name = createHash('sha256').update(path.resolve(wanted)).digest('hex').slice(0, 16)
  const real = path.join(ROOT_STORE, `cluster-${name}`)
  await fs.mkdir(real, { recursive: true, mode: 0o700 })
  await fs.symlink(real, wanted)
  return real
}

/** @param {string} dir @returns {Promise<number | undefined>} port of the server that runs there */
export async function runningPort(dir) {
  const lines = (await fs.readFile(path.join(dir, 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  )
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!pid || !port) return undefined
  return (await isRunning(pid)) ? port : undefined
}

/** @param {number} pid whether the process lives; a zombie, which nobody has collected, does not */
async function isRunning(pid) {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/\) Z /.test(stat)
}

/**
 * A killed server that its parent has not collected (the first process of a container may never do
 * so) looks alive to the next one, which then refuses to start. Its lock goes, once the last process
 * that worked in the folder is gone.
 *
 * @param {string} dir
 */
export async function removeDeadLock(dir) {
  const lock = path.join(dir, 'postmaster.pid')
  const pid = Number((await fs.readFile(lock, 'utf8').catch(() => '')).split('\n')[0])
  if (!pid || (await isRunning(pid))) return
  for (let waited = 0; waited < 5000 && (await worksIn(dir)); waited += 50) await sleep(50)
  await fs.rm(lock, { force: true })
}

/** @param {string} dir whether a process has it as its working folder, as every server process has */
async function worksIn(dir) {
  const names = await fs.readdir('/proc').catch(() => [])
  const real = await fs.realpath(dir)
  for (const name of names.filter((entry) => /^\d+$/.test(entry))) {
    if ((await fs.readlink(`/proc/${name}/cwd`).catch(() => '')) === real) return true
  }
  return false
}
