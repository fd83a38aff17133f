import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type pg from 'pg'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Headers that proxies add, whichever of them they are set up to add. */
const OF_A_PROXY = /^(?:via|forwarded|x-forwarded-.+|(?:x-|true-)?(?:real|client)-ip|cf-.+)$/

/** Creates the metrics that every process exposes: memory, event loop and database connections. */
export function createMetrics(pools: Readonly<Record<string, pg.Pool>>): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  removeMisnamedGauges(registry)
  new Gauge({
    name: 'reelmill_database_connections',
    help: 'Connections of a pool: open, idle, and how many statements wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'open' }, totalCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
  return registry
}

/**
 * Removes the default gauges whose names end in `_total`, which is for counters: `promtool check
 * metrics` rejects them. Each is the sum of another gauge, such as `nodejs_active_handles`.
 */
function removeMisnamedGauges(registry: Registry): void {
  for (const metric of registry.getMetricsAsArray())
    if (metric instanceof Gauge && metric.name.endsWith('_total'))
      registry.removeSingleMetric(metric.name)
}

/**
 * Returns whether a request may read the metrics. If METRICS_TOKEN is set it is required. Otherwise
 * only requests from this machine are allowed, and none behind a proxy, because proxied requests
 * come from this machine too.
 */
export function mayReadMetrics(
  { headers, socket }: IncomingMessage,
  { METRICS_TOKEN, isPublic }: { METRICS_TOKEN: string | undefined; isPublic: boolean },
): boolean {
  if (METRICS_TOKEN !== undefined) {
    const given = Buffer.from(headers.authorization ?? '')
    const wanted = Buffer.from(`Bearer ${METRICS_TOKEN}`)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
  const isForwarded = Object.keys(headers).some((name) => OF_A_PROXY.test(name))
  return !isPublic && !isForwarded && LOOPBACK.has(socket.remoteAddress ?? '')
}
