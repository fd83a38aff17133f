import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { isRunning } from '../../scripts/lib/is-running.mjs'
import { startCluster } from '../../scripts/lib/postgres.mjs'
import { childrenOf, sendSignal, stopProcess } from './process-tree'
import { until } from './wait'

const IN_MEMORY = '/dev/shm'
const FOLDER_NAME = 'reelmill-test-'
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
  const dir = await fs.mkdtemp(path.join(await clustersFolder(), `${FOLDER_NAME}${testRun()}-`))
  // The server runs as another user if the tests run as root.
  await fs.chmod(dir, 0o755)
  const options = {
    dir: path.join(dir, 'postgres'),
    password: randomUUID(),
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
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

/**
 * Returns the name of this run in the folders of its clusters. The processes that the run starts
 * inherit it.
 */
function testRun(): string {
  process.env.TEST_RUN ??= String(process.pid)
  return process.env.TEST_RUN
}

/** Ends the clusters that this run has started and not removed, and deletes their folders. */
export async function removeClustersOfRun(): Promise<void> {
  const parent = await clustersFolder()
  const left = (await fs.readdir(parent)).filter((name) =>
    name.startsWith(`${FOLDER_NAME}${testRun()}-`),
  )
  for (const name of left) {
    const dir = path.join(parent, name)
    const lock = await fs
      .readFile(path.join(dir, 'postgres/postmaster.pid'), 'utf8')
      .catch(() => '')
    const postmaster = Number(lock.split('\n')[0])
    if (postmaster > 0) {
      // An immediate shutdown: nobody needs the data.
      sendSignal(postmaster, 'SIGQUIT')
      await until(`the database ${name} to end`, async () => !(await isRunning(postmaster)))
    }
    await fs.rm(dir, { recursive: true, force: true, maxRetries: 10 })
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

/** Returns the address of another database of the same cluster. */
export function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.href
}
