import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startCluster } from '../../scripts/lib/postgres.mjs'
import { until } from './wait'

const IN_MEMORY = '/dev/shm'
/** Several times what the databases of a run and their log take. */
const ROOM_BYTES = 2 * 1024 ** 3

/**
 * Returns the folder for throw-away clusters: in memory if there is room. Each test file creates and
 * deletes a database of 400 files. On ext4 this takes ten times as long, because it does not reuse
 * the inodes of files that were deleted within the last seconds.
 */
async function clustersFolder(): Promise<string> {
  const space = await fs.statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return space.bavail * space.bsize >= ROOM_BYTES ? IN_MEMORY : os.tmpdir()
}

/** Starts a throw-away PostgreSQL: fast instead of durable, on a free port, in memory if possible. */
export async function startThrowAwayCluster(settings: Record<string, string> = {}, port?: number) {
  const dir = await fs.mkdtemp(path.join(await clustersFolder(), 'reelmill-test-'))
  // The server runs as another user if the tests run as root.
  await fs.chmod(dir, 0o755)
  const options = {
    dir: path.join(dir, 'postgres'),
    password: randomUUID(),
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      max_wal_size: '256MB',
      scram_iterations: '1',
      ...settings,
    },
  }
  const cluster = await startCluster(port === undefined ? options : { ...options, port })
  return {
    ...cluster,
    /** Starts it again on the same port after a stop. */
    restart: () => startCluster({ ...options, port: cluster.port }),
    remove: async () => {
      await cluster.stop('immediate')
      await fs.rm(dir, { recursive: true, force: true })
    },
  }
}

/** Runs statements as the cluster's owner. */
export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Stops every process of a cluster with SIGSTOP, as on a host that freezes: connections stay open
 * and get no response. Returns a function that resumes them.
 */
export async function freezeCluster(url: string): Promise<() => void> {
  const postmaster = await asOwner(url, async (client) => {
    const { rows } = await client.query<{ dir: string }>(
      `select current_setting('data_directory') as dir`,
    )
    const lockFile = await fs.readFile(`${rows[0]!.dir}/postmaster.pid`, 'utf8')
    return Number(lockFile.split('\n')[0])
  })
  // The postmaster starts all other processes. Once it is stopped no process is added, and all are
  // its children, including backends that are still authenticating and not yet in pg_stat_activity.
  await stopProcess(postmaster)
  const children = await childrenOf(postmaster)
  await Promise.all(children.map(stopProcess))
  return () => {
    for (const pid of [postmaster, ...children]) sendSignal(pid, 'SIGCONT')
  }
}

/** Stops a process, and waits until it is stopped or gone. */
async function stopProcess(pid: number): Promise<void> {
  sendSignal(pid, 'SIGSTOP')
  await until(`process ${pid} to stop`, async () => {
    const { state } = await readProcess(pid)
    return state === 'T' || state === 'Z' || state === undefined
  })
}

function sendSignal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch {
    // The connection has ended meanwhile, and its process with it.
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => ({ pid, parent: (await readProcess(pid)).parent })),
  )
  return found.filter((each) => each.parent === parent).map(({ pid }) => pid)
}

/** Returns the state and the parent of a process (proc(5)); an empty object if it is gone. */
async function readProcess(pid: number): Promise<{ state?: string; parent?: number }> {
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, state, parent] = /.*\) (\S) (\d+) /s.exec(stat) ?? []
  return state === undefined ? {} : { state, parent: Number(parent) }
}

/** Returns the address of another database of the same cluster. */
export function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.href
}
