import sql from 'sql-template-tag'
import type { Boot } from '~/boot/deps.server'
import type { Get } from './express-routes.server'

/**
 * Mounts liveness and readiness checks for supervisors and load balancers. Not ready: while the
 * process is about to stop, while the database does not respond or is not migrated, and if it is
 * not fit for the product.
 */
export function mountHealth(get: Get, { deps, databaseProblem, stopping }: Boot): void {
  get('/healthz', (_req, res) => {
    res.json({ status: 'ok' })
  })
  get('/readyz', async (_req, res) => {
    const refuse = (reason: string) => res.status(503).json({ status: 'not ready', reason })
    if (stopping.signal.aborted) return refuse('the process is about to stop')
    try {
      const problem = await databaseProblem()
      if (problem !== null) return refuse(problem)
      await deps.db.row(sql`select 1 from users limit 1`)
      await deps.queue.check(deps.db)
      res.json({ status: 'ready' })
    } catch (error) {
      deps.log.warn({ err: error }, 'not ready')
      refuse('the database does not respond or is not migrated')
    }
  })
}
