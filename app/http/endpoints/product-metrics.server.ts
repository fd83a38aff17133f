import { Gauge, type Registry } from 'prom-client'
import { getAttemptFigures, type AttemptFigures } from '~/domain/health/attempt-figures.server'
import { getSystemFacts } from '~/domain/health/status.server'
import { findingsOf } from '~/domain/health/findings'
import type { SystemFacts } from '~/domain/health/types'
import type { Deps } from '~/domain/context'
import { ACTIVE_STATES } from '~/domain/videos/types'

/** The figures are cached this long, so that concurrent or frequent scrapes cause one read. */
const KEPT_MS = 5_000
const LEVELS = { ok: 0, warn: 1, bad: 2 } as const

/**
 * Registers the gauges of the whole product: the facts on the System page and its findings. Every
 * web server reports the same values. Returns a function that refreshes them, to be called before
 * each scrape.
 */
export function addProductMetrics(registry: Registry, deps: Deps): () => Promise<void> {
  const gauges = productGauges(registry)
  let readAt = -Infinity
  let reading: Promise<void> | undefined
  const read = async () => {
    try {
      const [facts, attempts] = await Promise.all([
        getSystemFacts(deps),
        getAttemptFigures(deps.db),
      ])
      setGauges(gauges, facts, attempts)
      gauges.databaseUp.set(1)
    } catch (error) {
      deps.log.warn({ err: error }, 'the product metrics could not be read')
      resetGauges(gauges)
      gauges.databaseUp.set(0)
    }
    readAt = performance.now()
  }
  return () => {
    if (performance.now() - readAt < KEPT_MS) return Promise.resolve()
    reading ??= read().finally(() => (reading = undefined))
    return reading
  }
}

type Gauges = ReturnType<typeof productGauges>

function productGauges(registry: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `reelmill_${name}`, help, labelNames, registers: [registry] })
  return {
    databaseUp: gauge('database_up', '1 while the figures of the product can be read.'),
    findings: gauge('finding', 'The System page: 0 in order, 1 worth a look, 2 bad.', ['area']),
    workers: gauge('workers', 'Workers whose heartbeat is fresh.'),
    heartbeat: gauge('worker_heartbeat_age_seconds', 'Age of a worker’s last heartbeat.', [
      'host',
      'pid',
    ]),
    jobsDue: gauge('jobs_due', 'Jobs that are due and have not been started.'),
    jobsAge: gauge('jobs_oldest_age_seconds', 'How long the oldest of them has been due.'),
    line: gauge('line_videos', 'Videos that wait.', ['state']),
    held: gauge('line_held_videos', 'Videos that are held in the line, by reason.', ['reason']),
    lineAge: gauge('line_oldest_age_seconds', 'How long the oldest video has waited in the line.'),
    roundsLate: gauge(
      'rounds_late_seconds',
      'How long the most overdue round of a batch has been due.',
    ),
    attempts: gauge('attempts', 'Orders under way.', ['state']),
    attemptsAge: gauge('attempts_oldest_age_seconds', 'Age of the oldest order.', ['state']),
    overdue: gauge('attempts_overdue', 'Orders whose next step is more than a minute late.'),
    ended: gauge('attempts_ended_last_hour', 'Orders that ended within the last hour.', [
      ...['state', 'provider', 'fault'],
    ]),
    delivered: gauge('videos_delivered_last_hour', 'Videos delivered within the last hour.'),
    failed: gauge(
      'videos_failed_last_hour',
      'Videos that failed within the last hour, without refused prompts and cancelled ones.',
    ),
    refused: gauge('videos_refused_last_hour', 'Videos whose prompt was refused, last hour.'),
    gates: gauge(
      'gates_closed',
      'Closed gates: of the service, of accounts, of the host of clips, of our own storage.',
      ['gate', 'reason'],
    ),
    tokens: gauge('pool_tokens', 'Tokens of the pool.', ['state']),
    tokensDied: gauge('tokens_died_last_day', 'Tokens found dead within the last 24 hours.'),
    storageUp: gauge('storage_up', '1 while the storage responds.'),
    storageFree: gauge('storage_free_bytes', 'Free space for clips, if the storage reports it.'),
    storageReserve: gauge('storage_reserve_bytes', 'Free space below which no video is ordered.'),
    backupAge: gauge('backup_age_seconds', 'Age of the newest nightly backup.'),
    backupBytes: gauge('backup_bytes', 'Size of the newest nightly backup.'),
    violations: gauge('invariant_violations', 'Violations found by the last self-check.'),
    checksAge: gauge('invariant_check_age_seconds', 'Age of the last self-check.'),
  }
}

/**
 * Removes all values. Stale values would look like a healthy product, and a 0 like a measurement.
 */
function resetGauges(gauges: Gauges): void {
  for (const gauge of Object.values(gauges)) {
    gauge.reset()
    gauge.remove({})
  }
}

function setGauges(gauges: Gauges, facts: SystemFacts, attempts: AttemptFigures): void {
  resetGauges(gauges)
  for (const { area, level } of findingsOf(facts)) gauges.findings.set({ area }, LEVELS[level])
  setWorkGauges(gauges, facts)
  setAttemptGauges(gauges, facts, attempts)
  setPartGauges(gauges, facts)
}

function setWorkGauges(gauges: Gauges, { workers, work }: SystemFacts): void {
  gauges.workers.set(workers.filter(({ isAlive }) => isAlive).length)
  for (const { host, pid, silentSeconds } of workers) {
    gauges.heartbeat.set({ host, pid: String(pid) }, silentSeconds)
  }
  gauges.jobsDue.set(work.jobsDue)
  gauges.jobsAge.set(work.queueAgeSeconds)
  gauges.line.set({ state: 'held' }, work.held)
  gauges.line.set({ state: 'waiting' }, work.waiting - work.held)
  gauges.line.set({ state: 'awaiting-round' }, work.awaitingRounds)
  for (const [reason, n] of Object.entries(work.holdReasons)) gauges.held.set({ reason }, n)
  gauges.lineAge.set(work.oldestWaitSeconds)
  gauges.roundsLate.set(work.roundsLateSeconds)
}

function setAttemptGauges(gauges: Gauges, { work, recent }: SystemFacts, attempts: AttemptFigures) {
  for (const state of ACTIVE_STATES) {
    const found = attempts.active.find((row) => row.state === state)
    gauges.attempts.set({ state }, found?.n ?? 0)
    gauges.attemptsAge.set({ state }, found?.oldestSeconds ?? 0)
  }
  gauges.overdue.set(work.overdue)
  for (const { n, ...labels } of attempts.ended) gauges.ended.set(labels, n)
  gauges.delivered.set(recent.delivered)
  gauges.failed.set(recent.failed)
  gauges.refused.set(recent.refused)
}

function setPartGauges(gauges: Gauges, facts: SystemFacts): void {
  const { provider, storage, backups, pool, invariants } = facts
  for (const { kind, reason } of provider.gates) gauges.gates.inc({ gate: kind, reason })
  if (storage.closedFor) gauges.gates.set({ gate: 'storage', reason: storage.closedFor }, 1)
  for (const state of ['ok', 'cooling', 'spent', 'dead'] as const)
    gauges.tokens.set({ state }, pool[state])
  gauges.tokensDied.set(pool.diedToday)
  gauges.storageUp.set(storage.problem === null ? 1 : 0)
  if (storage.freeBytes !== null) gauges.storageFree.set(storage.freeBytes)
  gauges.storageReserve.set(storage.reserveBytes)
  if (backups?.newest) {
    gauges.backupAge.set(backups.newest.ageSeconds)
    gauges.backupBytes.set(backups.newest.bytes)
  }
  gauges.violations.set(invariants.reduce((sum, { violations }) => sum + violations, 0))
  gauges.checksAge.set(Math.max(0, ...invariants.map(({ ageSeconds }) => ageSeconds)))
}
