import http from 'node:http'
import { Histogram } from 'prom-client'
import type { Boot } from '~/boot/deps.server'
import { mayReadMetrics } from '~/platform/metrics.server'

/** Recorded by task.ts and exposed on the worker's metrics port. */
export const jobDurations = new Histogram({
  name: 'reelmill_job_duration_seconds',
  help: 'Jobs by task and outcome: done, or failed and repeated by the queue.',
  labelNames: ['task', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300],
  registers: [],
})

/**
 * Serves /healthz and /metrics on WORKER_METRICS_PORT, if it is set. A worker has no other port.
 * Returns a function that stops the server. If the port is in use, that is logged and the worker
 * continues without it.
 */
export function serveMetrics({ env, log, metrics }: Boot): () => void {
  if (env.WORKER_METRICS_PORT === 0) return () => undefined
  metrics.registerMetric(jobDurations)
  // A worker has no proxy in front of it, so a request from this machine really comes from it.
  const rule = { METRICS_TOKEN: env.METRICS_TOKEN, isPublic: false }
  const respond = async (req: http.IncomingMessage, res: http.ServerResponse) => {
    if (req.url === '/healthz') return void res.end('{"status":"ok"}')
    if (req.url !== '/metrics' || !mayReadMetrics(req, rule)) {
      return void res.writeHead(404).end('There is nothing here')
    }
    const text = await metrics.metrics()
    res.writeHead(200, { 'content-type': metrics.contentType }).end(text)
  }
  const server = http.createServer((req, res) => {
    respond(req, res).catch((error: unknown) => {
      log.warn({ err: error }, 'the metrics could not be read')
      res.destroy()
    })
  })
  server.on('error', (error) => log.error({ err: error }, 'the port for metrics cannot be used'))
  server.listen(env.WORKER_METRICS_PORT, env.HOST)
  server.unref()
  return () => {
    server.close()
    server.closeAllConnections()
  }
}
