import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startCluster } from '../../scripts/lib/postgres.mjs'

/** A throw-away PostgreSQL: fast instead of durable, on a free port, in the temporary folder. */
export async function startThrowAwayCluster(settings: Record<string, string> = {}, port?: number) {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-test-'))
  // The server runs as another user where the tests run as root.
  await fs.chmod(dir, 0o755)
  const options = {
    dir: path.join(dir, 'postgres'),
    password: randomUUID(),
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      ...settings,
    },
  }
  const cluster = await startCluster(port === undefined ? options : { ...options, port })
  return {
    ...cluster,
    /** Starts it again, on the same port, after a stop. */
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
 * Stops every process of a cluster where it stands, as a host does that freezes: connections stay
 * open and nothing answers. Answers what lets them go on.
 */
export async function freezeCluster(url: string): Promise<() => void> {
  const pids: number[] = []
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        // A connection that has ended meanwhile took its process with it.
      }
    }
  }
  await asOwner(url, async (client) => {
    const { rows } = await client.query<{ dir: string }>(
      `select current_setting('data_directory') as dir`,
    )
    const lockFile = await fs.readFile(`${rows[0]!.dir}/postmaster.pid`, 'utf8')
    // The first of them stops first: from here on no connection is added.
    pids.push(Number(lockFile.split('\n')[0]))
    signal('SIGSTOP')
    const others = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    )
    pids.push(...others.rows.map(({ pid }) => pid))
  })
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

/** The address of another database of the same cluster. */
export function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.href
}
