import { connectionProblem } from '~/platform/db/connection-problem'
import { createQueuePool } from '~/platform/db/postgres.server'
import { sharingProblem } from '~/platform/db/fitness.server'
import { readEnv } from '~/platform/env.server'
import { createLog } from '~/platform/log.server'

// For the scripts, which cannot import source.

/** Reads the settings. Returns them, or their problems in words. */
export const readSettings = readEnv

/**
 * Returns why a database cannot be reached or its connections cannot be used, in words that end with
 * what to do, or null. See `sharingProblem`.
 */
export async function settingsProblem(url: string): Promise<string | null> {
  const log = createLog('silent', 'check')
  const limits = { poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 }
  const pool = createQueuePool({ url, log, ...limits })
  try {
    return await sharingProblem(pool)
  } catch (error) {
    return connectionProblem(error)
  } finally {
    await pool.end()
  }
}
