import sql from 'sql-template-tag'
import { getTrialUse } from '../accounts/trial.server'
import type { AdminCtx, Deps } from '../context'
import { isoText } from '../iso-text.server'
import { readyAlarmChannels } from '../notifications/targets.server'
import { listRetention } from '../retention/remove-old.server'
import { getPoolSummary } from '../tokens/pool-health.server'
import { ACTIVE } from '../videos/engine/attempts.server'
import { REPEATED_ID } from '../videos/engine/policy'
import { SILENT_SECONDS } from '../videos/engine/processes.server'
import { seconds } from '~/lib/time'
import { DUE_JOBS } from '~/platform/queue/tables'
import { limited } from '~/platform/storage/limits'
import { StorageUnavailable } from '~/platform/storage/port'
import { STORAGE } from '../videos/engine/gates.server'
import { FAILURES_OF_OWNERS, REFUSALS } from '../videos/failure-facts'
import type { StorageTrouble } from '../videos/types'
import { getBusiness, shownMethods } from '../business/settings.server'
import { ALARM_CHANNELS, type AlarmSettings } from '../business/types'
import { NEWEST_ORDERS, type Finding, type SystemFacts, type SystemStatus } from './types'
import { findingsOf } from './findings'
import { getAsides, getOthers, listGates } from './providers.server'

type Looks = Pick<
  Deps,
  | 'db'
  | 'storage'
  | 'readBackups'
  | 'provider'
  | 'otherProviders'
  | 'settings'
  | 'mail'
  | 'telegram'
>

/** Returns what operators need first when users report that no videos arrive. */
export async function getSystemStatus(ctx: AdminCtx): Promise<SystemStatus> {
  const facts = await getSystemFacts(ctx)
  const findings: Finding[] = findingsOf(facts)
  return { ...facts, findings }
}

/** Returns the facts without findings, also for metrics. Does not read finished work. */
export async function getSystemFacts(deps: Looks): Promise<SystemFacts> {
  const [
    workers,
    work,
    recent,
    provider,
    others,
    asides,
    invariants,
    storage,
    backups,
    pool,
    trialUse,
    retention,
    business,
    messages,
  ] = await Promise.all([
    listWorkers(deps),
    getWork(deps),
    getRecent(deps),
    getProvider(deps),
    getOthers(deps),
    getAsides(deps),
    listInvariants(deps),
    getStorage(deps),
    getBackups(deps),
    getPoolSummary(deps),
    getTrialUse(deps),
    listRetention(deps),
    getBusiness(deps),
    getMessages(deps),
  ])
  const { platform: ordered, busiestBlock } = trialUse
  const trial = {
    ...deps.settings.trial,
    ordered,
    busiestBlock,
    isOrdered: provider.kind !== 'local',
  }
  const waysToPay = shownMethods(business.payment).map(({ name }) => name)
  const pause = business.pause?.text ?? null
  const alarms = { ...messages, ...alarmFacts(deps, business.alarms) }
  const state = { alarms, invariants, storage, backups, pool, trial, retention, waysToPay, pause }
  return { workers, work, recent, provider, others, asides, ...state }
}

type Alarms = SystemStatus['alarms']

/** Returns where alarms go, and which of these channels lack their secret. */
export function alarmFacts(
  deps: Pick<Deps, 'mail' | 'settings' | 'telegram'>,
  { targets, fewKeys }: AlarmSettings,
) {
  const channels = ALARM_CHANNELS.filter((channel) => targets[channel] !== null)
  const ready = readyAlarmChannels(deps)
  const unready = channels.filter((channel) => !ready.includes(channel))
  return { channels, unready, fewKeys }
}

/** Reads how the alarms of the last day fare. */
async function getMessages({
  db,
}: Looks): Promise<Pick<Alarms, 'failing' | 'problem' | 'sentSeconds'>> {
  return db.one(sql`
    select count(*) filter (where ${IS_FAILING})::int as failing,
      (array_agg(channel || ': ' || problem order by at desc) filter (where ${IS_FAILING}))[1] as problem,
      floor(extract(epoch from engine_now() - max(ended_at) filter (where state = 'sent')))::int
        as "sentSeconds"
    from notifications where user_id is null and at > engine_now() - interval '1 day'`)
}

const IS_FAILING = sql`state in ('waiting', 'failed') and problem is not null`

type Worker = SystemStatus['workers'][number]

async function listWorkers({ db }: Looks): Promise<Worker[]> {
  return db.rows<Worker>(sql`
    select host, pid, ${isoText(sql`started_at`)} as "startedAt",
      floor(extract(epoch from engine_now() - beat_at))::int as "silentSeconds",
      beat_at > engine_now() - make_interval(secs => ${SILENT_SECONDS}) as "isAlive"
    from worker_processes order by host, pid, started_at`)
}

/** Returns whether a worker is running. */
export const hasWorker = async ({ db }: Pick<Deps, 'db'>): Promise<boolean> =>
  (await db.row(sql`
    select 1 from worker_processes
    where beat_at > engine_now() - make_interval(secs => ${SILENT_SECONDS}) limit 1`)) !== undefined

/** Due steps are taken within seconds. A step that is later than this was lost. */
const OVERDUE = sql`engine_now() - interval '1 minute'`

/** Reads figures on the job queue, the line and the orders in progress. */
async function getWork({ db }: Looks): Promise<SystemStatus['work']> {
  return db.one<SystemStatus['work']>(sql`
    select jobs.due as "jobsDue", jobs.late as "queueAgeSeconds",
      line.waiting, line.held, line.oldest as "oldestWaitSeconds", line.video as "oldestVideoId",
      line.reasons as "holdReasons",
      (select count(*)::int from videos where deleted_at is null and awaits_round
        and status in ('pending', 'generating')) as "awaitingRounds",
      (select greatest(floor(extract(epoch from engine_now() - min(next_round_at))), 0)::int
        from batches where status = 'processing') as "roundsLateSeconds",
      orders.*
    from (
      select count(*) filter (where state <> 'unknown')::int as "underWay",
        count(*) filter (where state = 'unknown')::int as lost,
        count(*) filter (where state = 'fetching')::int as "clipsWaiting",
        count(*) filter (where due_at < ${OVERDUE})::int as overdue,
        coalesce(floor(extract(epoch from engine_now() - min(due_at))), 0)::int as "overdueSeconds",
        coalesce(floor(extract(epoch from engine_now() - min(coalesce(sent_at, created_at)))), 0)::int
          as "oldestOrderSeconds"
      from attempts where state in (${ACTIVE})
    ) as orders, (
      select count(*)::int as due,
        coalesce(floor(extract(epoch from engine_now() - min(run_at))), 0)::int as late
      from ${DUE_JOBS} as due
    ) as jobs, (
      select count(*)::int as waiting, count(*) filter (where state = 'held')::int as held,
        coalesce(floor(extract(epoch from engine_now() - min(entered_at))), 0)::int as oldest,
        (array_agg(video_id order by entered_at))[1] as video,
        coalesce((select json_object_agg(reason, n) from (
          select hold_reason as reason, count(*)::int as n from line_entries
          where state = 'held' and hold_reason is not null group by 1) as held), '{}'::json) as reasons
      from line_entries
    ) as line`)
}

/** Returns the outcome of the orders that ended within the last hour. */
async function getRecent({ db }: Looks): Promise<SystemStatus['recent']> {
  return db.one<SystemStatus['recent']>(sql`
    select count(*) filter (where state = 'done')::int as delivered,
      count(distinct video_id) filter (where failure is not null)::int as failed,
      count(distinct video_id) filter (where failure is not null
        and settled_at > engine_now() - interval '10 minutes')::int as "failedLately",
      mode() within group (order by failure) as reason,
      count(distinct video_id) filter (where "isRefused")::int as refused,
      count(*) filter (where "isRepeated")::int as "repeatedIds"
    from (
      select attempts.state, video_id, settled_at, attempts.evidence->>'code' = ${REPEATED_ID} as "isRepeated",
        attempts.state <> 'done' and videos.status = 'error' and error_code = any(${REFUSALS}) as "isRefused",
        case when attempts.state <> 'done' and videos.status = 'error'
        and error_code <> all(${FAILURES_OF_OWNERS}) then error_code end as failure
      from (select video_id, generation, state, settled_at, evidence from attempts order by id desc limit ${NEWEST_ORDERS}) as attempts
        join videos on videos.id = video_id and videos.generation = attempts.generation
      where settled_at > engine_now() - interval '1 hour'
    ) as ended`)
}

/** How long the page waits for the storage, and for the folder of the backups. */
const STORAGE_MS = seconds(3)

/** Returns the free space, whether the storage responds, and whether clips wait for it. */
async function getStorage({ db, storage, settings }: Looks): Promise<SystemStatus['storage']> {
  const look = limited(STORAGE_MS, async () => {
    await storage.check()
    return storage.freeBytes()
  })
  const [gate, looked] = await Promise.allSettled([
    db.row<{ reason: StorageTrouble }>(sql`
      select reason from provider_gates where scope = ${STORAGE} and closed_until > engine_now()`),
    look,
  ])
  if (gate.status === 'rejected') throw gate.reason
  return {
    freeBytes: looked.status === 'fulfilled' ? looked.value : null,
    reserveBytes: settings.reserveBytes,
    closedFor: gate.value?.reason ?? null,
    problem: looked.status === 'fulfilled' ? null : problemOf(looked.reason),
  }
}

const problemOf = (error: unknown): string =>
  error instanceof StorageUnavailable ? error.what : String(error)

/** Reads the folder of the backups, which may be on a network disk that hangs. */
export async function getBackups({
  readBackups,
}: Pick<Deps, 'readBackups'>): Promise<SystemStatus['backups']> {
  if (readBackups === null) return null
  return limited(STORAGE_MS, readBackups).catch((error: unknown) => ({
    newest: null,
    copy: null,
    problem: `the folder cannot be read: ${problemOf(error)}`,
  }))
}

async function getProvider(deps: Looks): Promise<SystemStatus['provider']> {
  const { kind, model, can } = deps.provider
  const [gates, strangeWords] = await Promise.all([
    listGates(deps, deps.provider),
    listStrangeWords(deps),
  ])
  const expectedSeconds = (can.expectedMs * deps.settings.providerTimeScale) / 1000
  const { needsCredential } = can
  return { kind, model, needsCredential, expectedSeconds, gates, strangeWords }
}

async function listStrangeWords({ db }: Looks): Promise<string[]> {
  const rows = await db.rows<{ word: string }>(sql`
    select word from strange_words where seen_at > engine_now() - interval '1 day'
    order by seen_at desc limit 10`)
  return rows.map(({ word }) => word)
}

type Check = SystemStatus['invariants'][number]

async function listInvariants({ db }: Looks): Promise<Check[]> {
  return db.rows<Check>(sql`
    select name, violations, ${isoText(sql`checked_at`)} as "checkedAt",
      floor(extract(epoch from engine_now() - checked_at))::int as "ageSeconds"
    from invariant_checks order by violations desc, name`)
}
