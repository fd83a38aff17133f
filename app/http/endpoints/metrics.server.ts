import type { NextFunction, Request, Response } from 'express'
import { Histogram } from 'prom-client'
import { AppError } from '~/domain/errors'
import type { Boot } from '~/boot/deps.server'
import { mayReadMetrics } from '~/platform/metrics.server'
import { findAccess } from '../access/access'
import type { Get } from './express-routes.server'
import { addProductMetrics } from './product-metrics.server'
import { refusals } from '../responses/refusals.server'

/** Hosts that can be reached only from the same machine, so there is no proxy in front. */
const OWN_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

const requests = new Histogram({
  name: 'reelmill_http_request_duration_seconds',
  help: 'Requests by route, method and status, from the first byte in to the last byte out.',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [],
})

/**
 * Measures the duration of every request. The label is the route of the access table, because raw
 * paths would make an unlimited number of label values.
 */
export function timeRequests(req: Request, res: Response, next: NextFunction): void {
  const stop = requests.startTimer()
  const { path, method } = req
  res.once('close', () => {
    stop({ route: findAccess(path)?.path ?? 'none', method, status: String(res.statusCode) })
  })
  next()
}

/**
 * Mounts the Prometheus endpoint with metrics of this process and of the whole product.
 * `mayReadMetrics` decides who may read it.
 */
export function mountMetrics(get: Get, { env, deps, metrics }: Boot): void {
  metrics.registerMetric(requests)
  metrics.registerMetric(refusals)
  const readProduct = addProductMetrics(metrics, deps)
  const isPublic = env.TRUST_PROXY > 0 || !OWN_HOSTS.has(new URL(env.APP_URL).hostname)
  const rule = { METRICS_TOKEN: env.METRICS_TOKEN, isPublic }
  get('/metrics', async (req, res) => {
    if (!mayReadMetrics(req, rule)) throw new AppError('NOT_FOUND', 'There is nothing here')
    await readProduct()
    res.type(metrics.contentType).send(await metrics.metrics())
  })
}
