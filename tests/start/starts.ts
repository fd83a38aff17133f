import { readFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { freePort } from '../../scripts/lib/postgres.mjs'
import { asOwner } from '../support/cluster'
import { until } from '../support/wait'
import { launch, START, type Started } from './launch'

/**
 * Returns what starts the product with `npm start` in a folder that the tests of a file share, and looks
 * into its database. `place` names the folder.
 */
export function useStarts() {
  const place = { dataDir: '' }
  let made: string
  beforeAll(async () => {
    made = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-start-'))
    await fs.chmod(made, 0o755)
    place.dataDir = made
  })
  afterAll(() => fs.rm(made, { recursive: true, force: true }))

  async function startProduct(command = START, settings = {}): Promise<Started> {
    const port = String(await freePort())
    const env = { DATA_DIR: place.dataDir, PORT: port, LOG_LEVEL: 'info', ...settings }
    const started = launch(env, command)
    await Promise.race([
      until('the address', () => started.output().includes('is ready:')),
      started.ended.then((code) => {
        throw new Error(`ended with ${code}:\n${started.output()}`)
      }),
    ])
    return started
  }

  const postgresPid = async () =>
    Number(
      (await fs.readFile(path.join(place.dataDir, 'postgres/postmaster.pid'), 'utf8')).split(
        '\n',
      )[0],
    )
  /** Queries the embedded database as its owner. */
  async function inDatabase<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    const file = await fs.readFile(path.join(place.dataDir, 'postgres/postmaster.pid'), 'utf8')
    const secrets = await fs.readFile(path.join(place.dataDir, 'secrets.json'), 'utf8')
    const { postgresPassword } = JSON.parse(secrets) as { postgresPassword: string }
    const url = `postgresql://postgres:${postgresPassword}@127.0.0.1:${file.split('\n')[3]}/reelmill`
    return asOwner(url, async (client) => (await client.query<Row>(statement)).rows)
  }
  /** Returns the database users of the product's processes. */
  const usersOfDatabase = async () => {
    const rows = await inDatabase<{ name: string }>(
      `select distinct usename as name from pg_stat_activity
       where datname = 'reelmill' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rows.map(({ name }) => name)
  }

  return { place, startProduct, postgresPid, inDatabase, usersOfDatabase }
}

/** A zombie, which only its parent can remove, is not alive. */
export const isAlive = (pid: number) => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

export const pageOf = async ({ url }: Started) => (await fetch(`${url}/login`)).status

/** Returns the child processes of a supervisor, by their program. */
export async function childrenOf({ child }: Started): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const name of await fs.readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await fs.readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) !== child.pid) continue
    const command = await fs.readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    const program = /(?:build|scripts)\/(\w+)\.m?js/.exec(command)?.[1]
    if (program) found[program] = Number(name)
  }
  return found
}
