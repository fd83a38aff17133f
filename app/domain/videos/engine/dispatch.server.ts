import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import type { Deps } from '../../context'
import { BY_ITSELF, writeAudit } from '../../audit/write.server'
import { keyName } from '../../tokens/state.server'
import { ACTIVE } from './attempts.server'
import { dispatchAfter } from '../line.server'
import type { StorageTrouble } from '../types'
import { refusedDelay, type Refused } from './breaker.server'
import {
  planDispatch,
  type Assignment,
  type Candidate,
  type Gate,
  type Plan,
  type Refusal,
  type Waiting,
} from './dispatch-plan'
import { CLIPS, closeForStorage, noteProbe, openStorage, SERVICE, STORAGE } from './gates.server'
import {
  DISPATCH_SOON,
  dispatchSoonIfSkipped,
  wakeDueAndReadState,
  nextInLine,
  roomOf,
} from './next-in-line.server'
import { findStorageTrouble } from './storage-trouble.server'

/** Maximum number of videos handed over in one transaction. */
const BATCH = 50
/** Number of pool tokens to load. Larger than BATCH, so one batch of users cannot need more. */
const POOL_LOOK_AHEAD = 60
/** Share of the provider's rate limit to use, because its minute does not start when ours does. */
const RATE_SHARE = 0.9

type DispatchDeps = Pick<Deps, 'db' | 'queue' | 'provider' | 'settings' | 'storage' | 'log'>

/**
 * Creates attempts for videos in the line, taking turns between users, until the caps are reached
 * or the line is empty. Only one process does this at a time. A process that does not get the lock
 * schedules another run and returns.
 */
export async function dispatchWaiting(deps: DispatchDeps): Promise<void> {
  for (;;) {
    const trouble = await findStorageTrouble(deps)
    const outcome = await deps.db.transaction((tx) => sendOff(deps, tx, trouble))
    if (outcome !== 'more') return
  }
}

/** Hands over one batch of videos. Returns whether there may be more to send. */
async function sendOff(
  deps: DispatchDeps,
  tx: Tx,
  trouble: StorageTrouble | undefined,
): Promise<'more' | 'done'> {
  const { queue } = deps
  const { isOurs } = await tx.one<{ isOurs: boolean }>(sql`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.dispatch}) as "isOurs"`)
  if (!isOurs) {
    await queue.add(tx, [DISPATCH_SOON])
    return 'done'
  }
  // Must be a separate statement after taking the lock, to see what the previous holder committed.
  const { active, gates, refused } = await wakeDueAndReadState(tx)
  if (trouble) {
    await closeForStorage(deps, tx, trouble)
    return 'done'
  }
  const storage = gates.find(({ scope }) => scope === STORAGE)
  const ofLine = gates.filter(({ scope }) => scope === SERVICE || scope === CLIPS)
  if ([...ofLine, ...(storage ? [storage] : [])].some(({ waitMs }) => waitMs > 0)) return 'done'
  if (storage) await openStorage(deps, tx)
  const room = {
    ...roomOf(deps, active, Math.min(BATCH, ...ofLine.map(({ left }) => left))),
    without: notAsProbe(ofLine, refused),
  }
  if (room.most === 0) return 'done'
  const waiting = await tx.rows<Waiting>(nextInLine(room))
  if (waiting.length > 0) {
    const refusals = refusalsOf(deps, gates, refused)
    const plan = planDispatch({ ...(await survey(deps, tx, waiting)), waiting, gates, refusals })
    if (plan.sends.length > 0) plan.probed.push(...ofLine.filter(({ isHalfOpen }) => isHalfOpen))
    await applyPlan(deps, tx, plan)
  }
  // If an entry was held instead of sent, the next one may be the probe.
  if (waiting.length === room.most) return 'more'
  await dispatchSoonIfSkipped(deps, tx, room)
  return 'done'
}

/**
 * Returns the videos that may not be the probe of a gate of the whole line, because they were among
 * those that closed it. If no other video takes their place for a while, they may.
 */
const notAsProbe = (ofLine: readonly Gate[], refused: readonly Refused[]): string[] =>
  ofLine
    .filter(({ isHalfOpen, waitMs, probeMs }) => isHalfOpen && waitMs + probeMs > 0)
    .flatMap(({ reason }) => refused.filter(({ kind }) => kind === reason))
    .map(({ videoId }) => videoId)

/**
 * Returns the accounts that are closed to single videos: those whose order the account refused, for
 * a pause of their own, and those that may not be the probe of its gate yet.
 */
function refusalsOf(
  { settings }: Pick<Deps, 'settings'>,
  gates: readonly Gate[],
  refused: readonly Refused[],
): Refusal[] {
  return refused
    .map(({ videoId, scope, kind, tries, agoMs }) => {
      const gate = gates.find((one) => one.scope === scope && one.reason === kind && one.isHalfOpen)
      const ownMs =
        kind === 'forbidden' ? refusedDelay(tries) * settings.providerTimeScale - agoMs : 0
      const waitMs = Math.max(ownMs, gate ? gate.waitMs + gate.probeMs : 0)
      return { videoId, scope, waitMs }
    })
    .filter(({ waitMs }) => waitMs > 0)
}

type Survey = Omit<Parameters<typeof planDispatch>[0], 'waiting' | 'gates' | 'refusals'>

/**
 * Loads the candidate tokens, their orders in progress, and the remaining rate limit per account. An
 * order counts from the time it was sent; one that is still to be sent counts as well.
 */
async function survey(
  { provider, settings }: DispatchDeps,
  tx: Tx,
  waiting: readonly Waiting[],
): Promise<Survey> {
  const { needsCredential, submitsPerMinute } = provider.can
  const own = waiting.flatMap(({ ownCredentialId }) => ownCredentialId ?? [])
  const rows = needsCredential
    ? await tx.rows<Candidate & { isDefault: boolean; inPool: boolean }>(sql`
        with pool as (
          select id from credentials where pool_position is not null and state <> 'dead'
          order by exists (select 1 from provider_gates as gate
              where gate.scope = credentials.account and closed_until > engine_now()),
            last_assigned_at nulls first, pool_position limit ${POOL_LOOK_AHEAD}
        )
        select id, account_scope as "accountScope", account, is_default as "isDefault",
          id in (select id from pool) as "inPool",
          state = 'dead' as "isDead",
          (select count(*)::int from attempts
            where credential_id = credentials.id and state in (${ACTIVE})) as "inFlight"
        from credentials
        where is_default or id = any(${own}::uuid[]) or id in (select id from pool)
        order by last_assigned_at nulls first, pool_position
        for update`)
    : []
  const distinct = (texts: string[]) => (needsCredential ? [...new Set(texts)] : [provider.kind])
  const accounts = distinct(rows.map((row) => row.account))
  const scopes = distinct(rows.map((row) => row.accountScope))
  const sent = submitsPerMinute === undefined ? [] : await sentLately(tx, scopes)
  const perMinute = Math.floor((submitsPerMinute ?? 0) * RATE_SHARE)
  const left = (account: string) =>
    perMinute - (sent.find((row) => row.account === account)?.count ?? 0)
  return {
    needsCredential,
    fallbackScope: provider.kind,
    credentials: rows,
    defaultId: rows.find((row) => row.isDefault)?.id ?? null,
    poolIds: rows.filter((row) => row.inPool).map(({ id }) => id),
    room: new Map(
      submitsPerMinute === undefined ? [] : accounts.map((account) => [account, left(account)]),
    ),
    perToken: settings.maxInFlightPerToken,
  }
}

/** Counts the orders of the last minute by account. */
const sentLately = (tx: Tx, scopes: readonly string[]) =>
  tx.rows<{ account: string; count: number }>(sql`
    select coalesce(credentials.account, account_scope) as account, count(*)::int as count
    from attempts left join (select id, account from credentials) as credentials
      on credentials.id = credential_id
    where account_scope = any(${[...scopes]}::text[]) and attempts.created_at > engine_now() - interval '10 minutes'
      and (state = 'queued' or sent_at > engine_now() - interval '60 seconds')
    group by 1`)

async function applyPlan(deps: DispatchDeps, tx: Tx, plan: Plan): Promise<void> {
  const { queue } = deps
  await send(deps, tx, plan)
  if (plan.holds.length > 0) {
    await tx.run(sql`
      update line_entries set state = 'held', hold_reason = given.reason,
        wake_at = engine_now() + given.wait * interval '1 millisecond'
      from unnest(${plan.holds.map((h) => h.videoId)}::uuid[], ${plan.holds.map((h) => h.reason)}::text[],
        ${plan.holds.map((h) => h.waitMs)}::float[]) as given(video_id, reason, wait)
      where line_entries.video_id = given.video_id`)
    const soonest = Math.min(...plan.holds.map((hold) => hold.waitMs))
    await queue.add(tx, [dispatchAfter(soonest)])
  }
  for (const assignment of plan.assignments) {
    const { userId, credentialId } = assignment
    await noteAssignment(tx, assignment)
    await recordReplacement(tx, assignment)
    await tx.run(sql`update users set credential_id = ${credentialId} where id = ${userId}`)
    // `engine_now()` is evaluated per statement, so two assignments of one transaction keep their
    // order.
    await tx.run(
      sql`update credentials set last_assigned_at = engine_now() where id = ${credentialId}`,
    )
  }
  for (const gate of plan.probed) await noteProbe(deps, tx, gate)
}

/** Records an assignment with the number of tokens passed over, for the self-check (I14). */
const noteAssignment = (tx: Tx, { userId, credentialId, passedIds }: Assignment) =>
  tx.run(sql`
    insert into pool_assignments (user_id, replaced_id, credential_id, passed_over, assigned_at)
    select users.id, users.credential_id, chosen.id, (
        select count(*) from credentials as other
        where other.pool_position is not null and other.id <> chosen.id and other.state <> 'dead'
          and coalesce(other.last_assigned_at, '-infinity') < coalesce(chosen.last_assigned_at, '-infinity')
          and not exists (select 1 from provider_gates where scope = other.account)
          and other.id <> all(${passedIds}::uuid[])),
      engine_now()
    from users, credentials as chosen where users.id = ${userId} and chosen.id = ${credentialId}`)

/** Records in the activity log that a user's dead token was replaced. Called before it is. */
async function recordReplacement(tx: Tx, { userId, credentialId }: Assignment): Promise<void> {
  const change = await tx.row<{ username: string; old: string; id: string; name: string }>(sql`
    select username, old.name as old, credentials.id, ${keyName} as name
    from users join credentials on credentials.id = ${credentialId}
      cross join lateral (
        select ${keyName} as name from credentials where credentials.id = users.credential_id) as old
    where users.id = ${userId}`)
  if (!change) return
  const { username, old, id, name } = change
  await writeAudit(tx, BY_ITSELF, {
    action: 'token.replace',
    subject: { kind: 'token', id, name },
    before: { token: old },
    after: { token: name, user: username },
  })
}

/** Removes the entries from the line and adds their attempts and first jobs, in one statement. */
async function send({ queue, provider }: DispatchDeps, tx: Tx, { sends }: Plan): Promise<void> {
  if (sends.length === 0) return
  const ids = sends.map(newId)
  const jobs = ids.map((attemptId): NewJob => ({ name: 'videos.submit', payload: { attemptId } }))
  await tx.run(sql`
    with next as materialized (
      select * from unnest(${ids}::uuid[], ${sends.map((s) => s.videoId)}::uuid[],
        ${sends.map((s) => s.generation)}::int[], ${sends.map((s) => s.userId)}::uuid[],
        ${sends.map((s) => s.lane)}::int[], ${sends.map((s) => s.batchId)}::uuid[],
        ${sends.map((s) => s.credentialId)}::uuid[], ${sends.map((s) => s.accountScope)}::text[])
        as given(id, video_id, generation, user_id, lane, batch_id, credential_id, account_scope)
    ), gone as (
      delete from line_entries where video_id = any(${sends.map((s) => s.videoId)}::uuid[])
    ), marked as (
      update videos set status = 'generating' from next
      where videos.id = next.video_id and videos.generation = next.generation
    ), added as (
      insert into attempts (id, video_id, generation, n, user_id, lane, batch_id, credential_id, provider,
        model, account_scope, deadline_at, due_at, created_at)
      select id, video_id, generation,
        1 + (select count(*) from attempts as earlier
          where earlier.video_id = next.video_id and earlier.generation = next.generation),
        user_id, lane, batch_id, credential_id, ${provider.kind}, ${provider.model}, account_scope,
        engine_now() + ${provider.can.deadlineMs}::float * interval '1 millisecond',
        engine_now(), engine_now()
      from next
    )
    select ${queue.adding(jobs)}`)
}
