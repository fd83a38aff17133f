import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { plainUserUrl } from '../../scripts/lib/plain-user.mjs'
import { Client } from './client'
import { createTestDatabase } from './database'
import { startWeb, startWorker, testEnv, type ProcessEnv, type TestProcess } from './processes'

/** A signed-in client and its account. */
export type TestUser = Client & { userId: string; username: string }

/** A complete product: its own database, folder and web server, and a worker on request. */
export type Installation = {
  env: ProcessEnv
  url: string
  db: pg.Pool
  dataDir: string
  web: TestProcess
  worker: TestProcess | undefined
  /** Returns a client that is not signed in. */
  client: () => Client
  /** Returns a client that is signed in with a new account. */
  user: (columns?: Partial<UserColumns>) => Promise<TestUser>
  startWorker: (env?: ProcessEnv, nodeArgs?: string[]) => Promise<TestProcess>
  remove: () => Promise<void>
}

export type UserColumns = {
  role: 'admin' | 'editor' | 'user'
  plan: 'Starter' | 'Professional' | 'Business' | 'Enterprise' | null
  video_limit: number
  speed_limit: number
  video_generation_speed: number
  expiry_date: Date | null
  route: string
  clip_units: number
  is_active: boolean
}

export type InstallationOptions = {
  worker?: boolean
  env?: ProcessEnv
  /** The folder of the programs, if not this checkout's. */
  build?: string
  /** Hashes passwords at the cost of production. Otherwise at the lowest one. */
  withRealPasswords?: boolean
  /** Further arguments of Node for the web process. */
  nodeArgs?: string[]
}

const CHEAP_PASSWORDS = ['--import', path.resolve('tests/support/cheap-passwords.mjs')]

let phones = 10_000_000

export async function startInstallation({
  worker = false,
  env: extra = {},
  build,
  withRealPasswords = false,
  nodeArgs = [],
}: InstallationOptions = {}): Promise<Installation> {
  const database = await createTestDatabase()
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-data-'))
  // Named like the default, because a path with a dot needs care.
  const dataDir = path.join(home, '.data')
  await fs.mkdir(dataDir)
  const env = { ...testEnv(database.url, dataDir), ...extra }
  const db = new pg.Pool({ connectionString: database.url, max: 4 })
  db.on('error', () => undefined)
  const ways = build === undefined ? {} : { build }
  // The processes run with the database role of production; `env` has the owner's.
  const plain = { DATABASE_URL: plainUserUrl(database.url) }
  const web = await startWeb(
    { ...env, ...plain, ...extra },
    { ...ways, nodeArgs: [...nodeArgs, ...(withRealPasswords ? [] : CHEAP_PASSWORDS)] },
  )
  const workers: TestProcess[] = []
  const launch = async (more: ProcessEnv = {}, nodeArgs: string[] = []) => {
    const started = await startWorker({ ...env, ...plain, ...extra, ...more }, nodeArgs, ways)
    workers.push(started)
    return started
  }
  const firstWorker = worker ? await launch() : undefined
  return {
    env,
    url: web.url,
    db,
    dataDir,
    web,
    worker: firstWorker,
    client: () => new Client(web.url),
    user: async (columns = {}) => {
      const client = new Client(web.url)
      const phone = `0300${phones++}`
      // A test may need more users than one address may register.
      await db.query(`delete from throttles where key like 'registration-%'`)
      const response = await client.post<{ user: { id: string } }>('/api/auth/register', {
        phone,
        password: 'secret-1',
      })
      if (response.status !== 201)
        throw new Error(`registering failed: ${JSON.stringify(response.body)}`)
      const names = Object.keys(columns)
      if (names.length > 0) {
        const set = names.map((name, i) => `${name} = $${i + 2}`).join(', ')
        await db.query(`update users set ${set} where id = $1`, [
          response.body.user.id,
          ...Object.values(columns),
        ])
      }
      return Object.assign(client, { userId: response.body.user.id, username: phone })
    },
    startWorker: launch,
    remove: async () => {
      await Promise.all([web.stop(), ...workers.map((started) => started.stop())])
      await db.end()
      await database.drop()
      // A child of a killed worker may still write its last file.
      await fs.rm(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
