import type { NextFunction, Request, Response } from 'express'
import { Counter, Histogram } from 'prom-client'
import { AppError } from '~/domain/errors'
import type { Boot } from '~/boot/deps.server'
import { mayReadMetrics } from '~/platform/metrics.server'
import { findAccess, methodsOf } from '../access/access'
import { READS } from '../access/request-checks.server'
import type { Get } from './express-routes.server'
import { addProductMetrics } from './product-metrics.server'
import { refusals } from '../responses/refusals.server'

/** Hosts that can be reached only from the same machine, so there is no proxy in front. */
const OWN_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

const requests = new Counter({
  name: 'reelmill_http_requests_total',
  help: 'Requests by route, method and status.',
  labelNames: ['route', 'method', 'status'],
  registers: [],
})

const durations = new Histogram({
  name: 'reelmill_http_request_duration_seconds',
  help: 'Requests by route and method, from the first byte in to the last byte out.',
  labelNames: ['route', 'method'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [],
})

/** Counts every request and measures its duration. */
export function timeRequests(req: Request, res: Response, next: NextFunction): void {
  const stop = durations.startTimer()
  const labels = labelsOf(req)
  res.once('close', () => {
    stop(labels)
    requests.inc({ ...labels, status: String(res.statusCode) })
  })
  next()
}

/**
 * Returns the route of the access table, and the method if the route has it. Paths and methods as
 * the client sent them would make any number of label values.
 */
function labelsOf({ path, method }: Request): { route: string; method: string } {
  const found = findAccess(path)
  if (!found) return { route: 'none', method: READS.has(method) ? method : 'other' }
  const isKnown = methodsOf(found.entry).split(', ').includes(method)
  return { route: found.path, method: isKnown ? method : 'other' }
}

/**
 * Mounts the Prometheus endpoint with metrics of this process and of the whole product.
 * `mayReadMetrics` decides who may read it.
 */
export function mountMetrics(get: Get, { env, deps, metrics }: Boot): void {
  metrics.registerMetric(requests)
  metrics.registerMetric(durations)
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
