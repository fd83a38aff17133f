import fs from 'node:fs/promises'
import type { Installation } from '../tests/support/installation'
import { round } from './measure'

/** Returns the longest block of the web server's event loop since the last call, in ms. */
export async function longestStall({ client }: Pick<Installation, 'client'>): Promise<number> {
  const text = await (await client().send('GET', '/metrics')).text()
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]
  return round(Number(seconds) * 1000)
}

/** Returns the web server's resident memory in MB, or NaN if the system does not report it. */
export async function residentMb({
  web,
}: {
  web: Pick<Installation['web'], 'child'>
}): Promise<number> {
  const status = await fs.readFile(`/proc/${web.child.pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) / 1024)
}

/**
 * Returns how many files of a folder the web server has open, or 0 if the system does not report
 * it.
 */
export async function openFiles(
  { web }: Pick<Installation, 'web'>,
  folder: string,
): Promise<number> {
  const fds = `/proc/${web.child.pid}/fd`
  const names = await fs.readdir(fds).catch(() => [])
  const links = await Promise.all(
    names.map((name) => fs.readlink(`${fds}/${name}`).catch(() => '')),
  )
  return links.filter((link) => link.startsWith(folder)).length
}

/** Returns by how many MB the web server's memory grew at most while `work` ran. */
export async function growthDuring(
  product: Pick<Installation, 'web'>,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await residentMb(product)
  let most = before
  const timer = setInterval(() => {
    void residentMb(product).then((now) => (most = Math.max(most, now)))
  }, 50)
  await work()
  clearInterval(timer)
  return most - before
}
