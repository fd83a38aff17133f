import sql from 'sql-template-tag'
import type { AdminCtx } from '../context'
import { getPoolSummary } from '../tokens/pool-health.server'
import { LEASE_SECONDS } from '../videos/engine/leases.server'
import { SERVICE } from '../videos/engine/gates.server'
import { STORAGE } from '../videos/engine/space.server'
import type { Finding, SystemStatus } from './system-types'
import { judge } from './system-rules'

/** Everything an operator looks at first when somebody says that videos do not come. */
export async function getSystemStatus(ctx: AdminCtx): Promise<SystemStatus> {
  const [workers, work, gates, invariants, storage, pool] = await Promise.all([
    listWorkers(ctx),
    getWork(ctx),
    listGates(ctx),
    listInvariants(ctx),
    getStorage(ctx),
    getPoolSummary(ctx),
  ])
  const { kind, model, can } = ctx.provider
  const provider = { kind, model, needsCredential: can.needsCredential, gates }
  const facts = { workers, work, provider, invariants, storage, pool }
  const findings: Finding[] = judge(facts)
  return { ...facts, findings }
}

type Row<T, Dates extends keyof T> = Omit<T, Dates> & Record<Dates, Date>
type Worker = SystemStatus['workers'][number]

async function listWorkers({ db }: AdminCtx): Promise<Worker[]> {
  const rows = await db.rows<Row<Worker, 'startedAt'>>(sql`
    select host, pid, min(started_at) as "startedAt",
      floor(extract(epoch from engine_now() - max(beat_at)))::int as "silentSeconds",
      max(beat_at) > engine_now() - make_interval(secs => ${LEASE_SECONDS}) as "isAlive"
    from worker_leases group by host, pid order by host, pid`)
  return rows.map((row) => ({ ...row, startedAt: row.startedAt.toISOString() }))
}

type WorkRow = Omit<SystemStatus['work'], 'oldestVideoId'> & { oldestVideoId: string | null }

/** The queue of jobs, the line of videos, and what the provider is making. */
async function getWork({ db }: AdminCtx): Promise<SystemStatus['work']> {
  const row = await db.row<WorkRow>(sql`
    select jobs.due as "jobsDue", jobs.late as "queueAgeSeconds",
      line.waiting, line.held, line.oldest as "oldestWaitSeconds", line.video as "oldestVideoId",
      line.reasons as "holdReasons",
      (select count(*)::int from videos where deleted_at is null and awaits_round
        and status in ('pending', 'generating')) as "awaitingRounds",
      (select count(*)::int from attempts where state in ('queued', 'submitting', 'submitted', 'fetching')) as "underWay",
      (select count(*)::int from attempts where state = 'unknown') as lost
    from (
      select count(*)::int as due,
        coalesce(floor(extract(epoch from engine_now() - min(run_at))), 0)::int as late
      from graphile_worker.jobs where run_at <= engine_now() and locked_at is null and attempts < max_attempts
    ) as jobs, (
      select count(*)::int as waiting, count(*) filter (where state = 'held')::int as held,
        coalesce(floor(extract(epoch from engine_now() - min(entered_at))), 0)::int as oldest,
        (array_agg(video_id order by entered_at))[1] as video,
        coalesce((select json_object_agg(reason, n) from (
          select hold_reason as reason, count(*)::int as n from line_entries
          where state = 'held' and hold_reason is not null group by 1) as held), '{}'::json) as reasons
      from line_entries
    ) as line`)
  if (!row) throw new Error('the queue gave no figures')
  return row
}

/** What is free, and whether the line waits for more. */
async function getStorage({ db, storage, settings }: AdminCtx): Promise<SystemStatus['storage']> {
  const closed = await db.row(sql`
    select 1 from provider_gates where scope = ${STORAGE} and closed_until > engine_now()`)
  const freeBytes = await storage.freeBytes().catch(() => null)
  return { freeBytes, reserveBytes: settings.reserveBytes, isClosed: closed !== undefined }
}

type Gate = SystemStatus['provider']['gates'][number]

async function listGates({ db }: AdminCtx): Promise<Gate[]> {
  const rows = await db.rows<Row<Gate, 'closedUntil'>>(sql`
    select scope, scope = ${SERVICE} as "isWholeService", reason, closed_until as "closedUntil", strikes
    from provider_gates where scope <> ${STORAGE} order by closed_until desc limit 50`)
  return rows.map((row) => ({ ...row, closedUntil: row.closedUntil.toISOString() }))
}

type Check = SystemStatus['invariants'][number]

async function listInvariants({ db }: AdminCtx): Promise<Check[]> {
  const rows = await db.rows<Row<Check, 'checkedAt'>>(sql`
    select name, violations, checked_at as "checkedAt",
      floor(extract(epoch from engine_now() - checked_at))::int as "ageSeconds"
    from invariant_checks order by violations desc, name`)
  return rows.map((row) => ({ ...row, checkedAt: row.checkedAt.toISOString() }))
}
