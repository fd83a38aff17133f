import fs from 'node:fs/promises'
import type pg from 'pg'

/** Ticks of processor time per second in Linux. */
const TICKS = 100

/**
 * Returns a function that returns the processor time, in ms, that this process and the database
 * server have used since this call.
 */
export async function startCpuMeter(db: pg.Pool): Promise<() => Promise<number>> {
  const own = process.cpuUsage()
  const ofServer = await startServerMeter(db)
  return async () => {
    const { user, system } = process.cpuUsage(own)
    return (user + system) / 1000 + (await ofServer())
  }
}

/** The same for the database server alone. */
export async function startServerMeter(db: pg.Pool): Promise<() => Promise<number>> {
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = (await statOf(rows[0]?.pid ?? 0)).parent
  const before = await serverTicks(server)
  return async () => ((await serverTicks(server)) - before) * (1000 / TICKS)
}

/** Returns the ticks of the server and all its child processes, including those that have ended. */
async function serverTicks(server: number): Promise<number> {
  const pids = (await fs.readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const stats = await Promise.all(
    pids.map((pid) => statOf(pid).catch(() => ({ parent: 0, ticks: 0, ended: 0 }))),
  )
  const { ticks, ended } = await statOf(server)
  return stats
    .filter(({ parent }) => parent === server)
    .reduce((sum, stat) => sum + stat.ticks, ticks + ended)
}

async function statOf(pid: number): Promise<{ parent: number; ticks: number; ended: number }> {
  const line = await fs.readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may contain spaces.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [
    ...[fields[1], fields[11], fields[12], fields[13], fields[14]],
  ]
  return { parent, ticks: user + system, ended: endedUser + endedSystem }
}
