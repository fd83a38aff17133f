import sql from 'sql-template-tag'
import type { Boot } from '~/boot/deps.server'
import type { Get } from './own-routes.server'

/** Liveness and readiness, for supervisors and load balancers. */
export function mountHealth(get: Get, { deps }: Boot): void {
  get('/healthz', (_req, res) => {
    res.json({ status: 'ok' })
  })
  get('/readyz', async (_req, res) => {
    try {
      await deps.db.row(sql`select 1 from users limit 1`)
      await deps.db.row(sql`select 1 from graphile_worker.jobs limit 1`)
      res.json({ status: 'ready' })
    } catch (error) {
      deps.log.warn({ err: error }, 'not ready')
      res
        .status(503)
        .json({ status: 'not ready', reason: 'the database does not answer or is not migrated' })
    }
  })
}
