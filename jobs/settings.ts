import { createQueuePool } from '~/platform/db/postgres.server'
import { whySharing } from '~/platform/db/fitness.server'
import { readEnv } from '~/platform/env.server'
import { createLog } from '~/platform/log.server'

// For the scripts, which cannot import source.

/** Reads the settings. Returns them, or their problems in words. */
export const readSettings = readEnv

/**
 * Returns why the connection to a database cannot be used, in one sentence, or null. See
 * `whySharing`.
 */
export async function whyUnusable(url: string): Promise<string | null> {
  const log = createLog('silent', 'check')
  const limits = { poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 }
  const pool = createQueuePool({ url, log, ...limits })
  try {
    return await whySharing(pool)
  } finally {
    await pool.end()
  }
}
