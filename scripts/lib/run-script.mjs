import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** How long a statement waits for a table. All other statements on that table wait behind it. */
const LOCK_TIMEOUT = '2s'
const PAUSE_MS = 1_000
/** After this time the tables are too busy, and the operator has to help. */
const PATIENCE_MS = 300_000
/** Codes of PostgreSQL: the time for a lock is over, and two transactions wait for each other. */
const BUSY = new Set(['55P03', '40P01'])

/**
 * Runs a script of SQL in one transaction: if it fails, nothing of it remains. Waits for tables in use,
 * such as by a backup, for short moments and repeats the script, so that web and worker continue
 * meanwhile.
 *
 * @param {pg.ClientConfig} config @param {string} script
 */
export async function runScript(config, script) {
  const client = new pg.Client(config)
  await client.connect()
  const endsAt = Date.now() + PATIENCE_MS
  try {
    await client.query(`select set_config('lock_timeout', $1, false)`, [LOCK_TIMEOUT])
    // Several statements in one message are one transaction.
    while (await isBusy(client.query(script), endsAt)) await sleep(PAUSE_MS)
  } finally {
    await client.end()
  }
}

/** @param {Promise<unknown>} running @param {number} endsAt when to give up */
async function isBusy(running, endsAt) {
  try {
    await running
    return false
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && BUSY.has(error.code ?? ''))) throw error
    if (Date.now() < endsAt) return true
    throw new Error(
      'a table was in use for five minutes. Wait for the backup or end the long transaction (pg_stat_activity), then run the same command again.',
    )
  }
}
