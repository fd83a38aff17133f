import sql, { type Sql } from 'sql-template-tag'
import { minutes, seconds } from '~/lib/time'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Executor, Tx } from '~/platform/db/port'
import type { VideoProvider } from '~/platform/providers/port'
import type { Deps } from '../../context'
import { FIRST_PROVIDER } from '../../route'
import { nameOf } from '../../providers.server'
import type { GateReason } from '../types'
import { PROVEN_BY } from './gate-policies'
import { closeGate } from './close-gate.server'
import {
  clipsOf,
  endPausesForNothing,
  GATE_OPENED,
  openingGates,
  releaseAfterOpening,
  serviceOf,
  startSlowly,
  STORAGE,
} from './gates.server'

// Counts the failures that close a gate in numbers. A failure of one video says something about the video or about the provider.
// Which of the two shows only in comparison: several different ones in a row speak against the
// provider, a single one while others succeed speaks against itself.

/** Failures that close a gate only in numbers. The others close it at once (`closeGate`). */
export type FailureKind = Extract<
  GateReason,
  'down' | 'token' | 'forbidden' | 'model-gone' | 'unreadable' | 'no-clips' | 'clips'
>

type Limit = {
  /** How many different subjects in a row close the gate of the scope, and of the whole line. */
  inScope?: number
  inLine?: number
  withinMs?: number
}

const LIMITS: Record<FailureKind, Limit> = {
  /** Refused without a reason that would concern the video: 5xx. */
  down: { inLine: 5, withinMs: seconds(60) },
  /** Several dead tokens suggest a wrong address of the provider or a wrong clock. */
  token: { inLine: 3 },
  forbidden: { inScope: 3 },
  'model-gone': { inLine: 3 },
  unreadable: { inScope: 3, inLine: 5 },
  'no-clips': { inScope: 3, inLine: 5 },
  /** In the scope of the clips' host. */
  clips: { inScope: 3 },
}

/** Pauses of a video that its account refuses, as long as it is not known whose fault this is. */
const REFUSED_DELAYS = [minutes(1), minutes(2), minutes(4), minutes(5)] as const

/** Returns how long the account that refused a video waits for it, in milliseconds. */
export const refusedDelay = (tries: number): number =>
  REFUSED_DELAYS[Math.min(tries, REFUSED_DELAYS.length) - 1] ?? REFUSED_DELAYS[0]

/** Names a generation of a video as the subject of a failure. */
export const subjectOf = (video: { videoId: string; generation: number }): string =>
  `${video.videoId}/${video.generation}`

export type Failure = {
  kind: FailureKind
  scope: string
  /** What failed: see `subjectOf`; for `token` the id of the token. */
  subject: string
  /** The provider's answer, redacted. */
  seen?: string | undefined
  /** The attempt that failed: see `closeGate`. */
  attemptId?: string | undefined
}

/** `othersPassed`: others have succeeded since the subject's first failure. */
export type Known = { othersPassed: boolean; tries: number }

type Deciding = Pick<Deps, 'queue' | 'settings' | 'log' | 'provider' | 'otherProviders'>

/**
 * Records a failure, and closes the gate of its scope or of the provider if enough different
 * subjects failed there in a row. Returns what is known of the subject.
 */
export async function noteFailure(deps: Deciding, tx: Tx, failure: Failure): Promise<Known> {
  const { kind, scope, subject, seen, attemptId } = failure
  const { provider } = deps
  // Failures occur concurrently. Without the lock, they would not count each other.
  await tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.failures})`)
  const known = await tx.one<Known>(sql`
    insert into provider_failures as failure (kind, provider, scope, subject, failed_at)
    values (${kind}, ${provider.kind}, ${scope}, ${subject}, engine_now())
    on conflict (kind, scope, subject) do update set failed_at = engine_now(), tries = failure.tries + 1,
      provider = excluded.provider
    returning others_passed as "othersPassed", tries`)
  const { inScope = Infinity, inLine = Infinity, withinMs = null } = LIMITS[kind]
  const seenNow = await tx.one<{ inScope: number; inLine: number }>(sql`
    select count(*) filter (where scope = ${scope} and not others_passed)::int as "inScope",
      count(distinct subject) filter (where not line_passed)::int as "inLine"
    from provider_failures where kind = ${kind} and provider = ${provider.kind} and (${withinMs}::float is null
      or failed_at > engine_now() - ${withinMs ?? 0}::float * interval '1 millisecond')`)
  const closing = [
    ...(seenNow.inScope >= inScope
      ? [{ scope: kind === 'clips' ? clipsOf(provider) : scope, forNothing: seenNow.inScope }]
      : []),
    ...(seenNow.inLine >= inLine
      ? [{ scope: serviceOf(provider), forNothing: seenNow.inLine }]
      : []),
  ]
  for (const closed of closing) {
    await closeGate(deps, tx, { ...closed, reason: kind, seen, attemptId })
  }
  return known
}

type Success = { provider: string; by: keyof typeof PROVEN_BY; scopes: string[]; subject: string }

/**
 * Builds the part of a statement that notes a success of `subject` in `scopes` of a provider: its own
 * failures there are forgotten, and those of others are known to be their own.
 */
const noteSuccess = (from: Sql, { provider, by, scopes, subject }: Success): Sql => sql`
  own_failures as (
    delete from provider_failures where kind = any(${[...PROVEN_BY[by]]}::text[]) and subject = ${subject}
      and provider = ${provider} and exists (select 1 from ${from})
  ), others_failures as (
    update provider_failures set line_passed = true,
      others_passed = others_passed or scope = any(${scopes}::text[])
    where kind = any(${[...PROVEN_BY[by]]}::text[]) and subject is distinct from ${subject}
      and provider = ${provider} and (not line_passed or (not others_passed and scope = any(${scopes}::text[])))
      and exists (select 1 from ${from})
  )`

/**
 * Builds the part of the statement in `scheduleNextStep` that notes an accepted order: failures to
 * order count no longer, and the gates of the account and the provider open, or open further.
 */
export const noteAcceptance = (
  { provider }: Pick<Deps, 'provider'>,
  { account, subject }: { account: string; subject: string },
): Sql => {
  const [from, by] = [sql`written`, 'acceptance'] as const
  const scopes = [account, serviceOf(provider)]
  return sql`, ${openingGates(from, { by, scopes })}, ${noteSuccess(from, { provider: provider.kind, by, scopes, subject })}`
}

type Stored = {
  account: string
  host: string
  subject: string
  /** Whether the clip had to wait before it could be stored. */
  hasWaited: boolean
}

/** Notes a stored clip, which shows that clips arrive: opens the gates that were closed for them. */
export async function noteClip(
  { db, queue, log, provider }: Pick<Deps, 'db' | 'queue' | 'log' | 'provider'>,
  { account, host, subject, hasWaited }: Stored,
): Promise<void> {
  const [from, by] = [sql`stored`, 'clip'] as const
  const scopes = [account, serviceOf(provider), clipsOf(provider), ...(hasWaited ? [STORAGE] : [])]
  // A clip is a proof whenever it was ordered: it has just arrived.
  const row = await db.row<{ isStorageBack: boolean; released: unknown }>(sql`
    with stored as (select 'infinity'::timestamptz as created_at),
    ${openingGates(from, { by, scopes })}, ${noteSuccess(from, { provider: provider.kind, by, scopes: [account, host], subject })}
    select exists (select 1 from opened where scope = ${STORAGE}) as "isStorageBack",
      ${releaseAfterOpening(queue)} as released`)
  if (row?.isStorageBack) log.info('clips can be stored again')
}

/**
 * Failures that are older say nothing any more, unless a gate is closed for them: its probes may be a
 * day apart. A clip that still fails does so every minute.
 */
const FORGOTTEN_AFTER = sql`interval '6 hours'`

/** Removes old failures. Their number stays small, because they are read with every order. */
export const forgetFailures = (db: Executor): Promise<number> =>
  db.run(sql`
    delete from provider_failures where failed_at < engine_now() - ${FORGOTTEN_AFTER}
      and not exists (select 1 from provider_gates where reason = kind and strikes > 0)`)

/** A video that a scope refused lately, and how long ago. */
export type Refused = { videoId: string; scope: string; kind: string; tries: number; agoMs: number }

/**
 * Builds a scalar query for the videos that must not be the next probe where they failed: those of
 * closed gates, and those that an account refused. Empty if nothing is wrong.
 */
export const refusedVideos: Sql = sql`(
  select coalesce(json_agg(json_build_object('videoId', split_part(subject, '/', 1), 'scope', scope, 'kind', kind,
    'tries', tries, 'agoMs', extract(epoch from engine_now() - failed_at)::float * 1000)), '[]')
  from (select * from provider_failures
    where kind = 'forbidden' or exists (select 1 from provider_gates where reason = kind)
    order by failed_at desc limit 200) as failures)`

/** Digest of the provider's settings, by which a changed setting is found. */
type Start = { digest: string }

/** Orders without a clip before the first one arrives from a provider of which nothing is known. */
const FIRST_CLIPS = 4
/** A provider that delivered a clip within this time is trusted when a worker starts. */
const TRUSTED_FOR = sql`interval '24 hours'`

/**
 * Lets the line start slowly: one order until the first readable acceptance, then two, four, …, and the
 * same for the first clips after a change of settings. A provider that has delivered no clip for a day,
 * or ever, begins with `FIRST_CLIPS`. One that has is held by acceptances alone, which takes less than
 * two seconds, however long its clips take. A mistake in the settings or in a new version thus
 * costs a few orders, however many videos wait. Called when a worker starts.
 */
export async function startLine({ db, queue, provider }: Deps, { digest }: Start): Promise<void> {
  if (!costsMoney(provider)) return
  await db.transaction(async (tx) => {
    const name = nameOf(provider)
    const known = await tx.row<{ digest: string }>(sql`
      select digest from provider_settings where name = ${name} and digest <> '' for update`)
    await tx.run(sql`
      insert into provider_settings (id, name, digest)
      select case when ${name} = ${FIRST_PROVIDER} then 1 else 1 + greatest(1, max(id)) end, ${name}, ${digest}
      from provider_settings
      on conflict (name) do update set digest = excluded.digest`)
    const isChanged = known !== undefined && known.digest !== digest
    await startSlowly(tx, { scope: serviceOf(provider), reason: 'unreadable', room: 1 })
    if (isChanged && (await endPausesForNothing(tx)) > 0) await queue.add(tx, [GATE_OPENED])
    if (isChanged || !(await hasDelivered(tx, provider))) {
      const room = isChanged ? 1 : FIRST_CLIPS
      await startSlowly(tx, { scope: clipsOf(provider), reason: 'no-clips', room })
    }
  })
}

const hasDelivered = async (db: Executor, { kind }: VideoProvider): Promise<boolean> =>
  (await db.row(sql`
    select 1 from attempts where state = 'done' and provider = ${kind}
      and settled_at > engine_now() - ${TRUSTED_FOR} limit 1`)) !== undefined

/** Whether orders of a provider are paid for. The built-in renderer needs no token and is free. */
export const costsMoney = ({ can }: Pick<VideoProvider, 'can'>): boolean => can.needsCredential
