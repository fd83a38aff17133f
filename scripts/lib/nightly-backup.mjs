import { spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { root } from './root.mjs'

/** Backups that `npm run backup -- --into` named, with the time in UTC. */
const NAME = /^reelmill-\d{8}T\d{6}Z\.tar$/
/** What such a backup leaves if it is killed. */
const REST = /^reelmill-\d{8}T\d{6}Z\.tar\.(part|tables-\w+)$/
/** Says what was wrong with the last run. app/platform/backups reads it for the System page. */
const PROBLEM = 'last-problem.txt'
/** Says when a copy was last sent to the bucket, and why the newest was not. */
const COPY = 'last-copy.json'
/** Lower than that of web and worker. */
const PRIORITY = 10
const LOOK_EVERY_MS = 60_000
/** From the start of a backup that failed, or was killed, to the next one. */
const RETRY_MS = 3_600_000
const DAY_MS = 86_400_000

/** Returns the file name of a backup made at this time. @param {Date} now */
export const backupName = (now) =>
  `reelmill-${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.tar`

/** Returns the names of the backups in a folder, oldest first. @param {string} folder */
async function backupsIn(folder) {
  const names = await fs.readdir(folder).catch(() => [])
  return names.filter((name) => NAME.test(name)).sort()
}

/**
 * Removes the oldest backups of a folder, and what killed backups left more than a day ago. Other
 * files stay.
 *
 * @param {string} folder
 * @param {number} keep how many backups stay
 */
export async function removeOldBackups(folder, keep) {
  const yesterday = backupName(new Date(Date.now() - DAY_MS))
  const rests = (await fs.readdir(folder)).filter((name) => REST.test(name) && name < yesterday)
  for (const name of [...(await backupsIn(folder)).slice(0, -keep), ...rests]) {
    await fs.rm(path.join(folder, name), { recursive: true })
  }
}

/**
 * Leaves in the folder what was wrong with this run, or removes what an earlier run left.
 *
 * @param {string} folder
 * @param {string | undefined} problem
 */
export async function noteProblem(folder, problem) {
  const file = path.join(folder, PROBLEM)
  // A folder that is away or full takes no note. The age of the newest backup then tells.
  const note = problem === undefined ? fs.rm(file, { force: true }) : fs.writeFile(file, problem)
  await note.catch(() => undefined)
}

/**
 * Leaves in the folder that the newest backup was sent to the bucket, or why it was not.
 *
 * @param {string} folder
 * @param {string | undefined} problem
 */
export async function noteCopy(folder, problem) {
  const file = path.join(folder, COPY)
  const before = await fs.readFile(file, 'utf8').then(JSON.parse, () => undefined)
  const sentAt = problem === undefined ? new Date().toISOString() : (before?.sentAt ?? null)
  const note = JSON.stringify({ sentAt, problem: problem ?? null })
  await fs.writeFile(file, note).catch(() => undefined)
}

/**
 * Returns the latest time at which a backup should have been made.
 *
 * @param {Date} now
 * @param {string} at the time of day, such as 03:00, in the time zone of this machine
 */
export function lastDue(now, at) {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const due = new Date(now)
  due.setHours(hours, minutes, 0, 0)
  return due > now ? new Date(due.getTime() - DAY_MS) : due
}

/**
 * Makes a backup every day, and at once if the last due one is missing, as on a machine that is off
 * at night. A backup is a process of its own with a low priority. Returns a function that stops it.
 *
 * @param {{ folder: string, at: string, keep: number }} options
 */
export function backUpNightly({ folder, at, keep }) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  let pausedUntil = 0
  const look = async () => {
    const newest = (await backupsIn(folder)).at(-1) ?? ''
    if (child || Date.now() < pausedUntil || newest > backupName(lastDue(new Date(), at))) return
    const args = [path.join(root, 'scripts/backup.mjs'), '--into', folder, '--keep', String(keep)]
    pausedUntil = Date.now() + RETRY_MS
    child = spawn(process.execPath, args, { stdio: 'inherit' })
    if (child.pid) os.setPriority(child.pid, PRIORITY)
    child.once('exit', () => (child = undefined))
  }
  void look()
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  return async () => {
    clearInterval(timer)
    const running = child
    if (!running) return
    await new Promise((resolve) => {
      running.once('exit', resolve)
      running.kill('SIGTERM')
    })
  }
}
