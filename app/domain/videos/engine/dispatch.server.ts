import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import { planDispatch, type Candidate, type Gate, type Plan, type Waiting } from './dispatch-plan'
import { SERVICE } from './gates.server'
import { closeForSpace, hasRoom, openStorage, STORAGE } from './space.server'

/** How many videos one transaction sends off. */
const BATCH = 50
/** Names the lock that makes the count of free places and their taking one step. */
const DISPATCH_LOCK = 7_303
/** Pool tokens looked at; more than one batch of users can need. */
const POOL_LOOK_AHEAD = 60
/** When to look again at entries that somebody was changing. */
const LOOK_AGAIN_MS = 100
const ACTIVE = sql`state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown')`
/** Leaves the provider's own count some slack: its minute is not ours. */
const RATE_SHARE = 0.9

type DispatchDeps = Pick<Deps, 'db' | 'queue' | 'provider' | 'settings' | 'storage' | 'log'>

/** Sends off what waits in the line, users in turn, until the caps are reached or nobody waits. */
export async function dispatchWaiting(deps: DispatchDeps): Promise<void> {
  for (;;) {
    const isRoom = await hasRoom(deps)
    const looked = await deps.db.transaction((tx) => sendOff(deps, tx, isRoom))
    if (looked < BATCH) return
  }
}

/** Answers how many entries it dealt with. */
async function sendOff(deps: DispatchDeps, tx: Tx, isRoom: boolean): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(${DISPATCH_LOCK})`)
  await tx.run(sql`
    update line_entries set state = 'ready', hold_reason = null, wake_at = null
    where video_id in (select video_id from line_entries
      where state = 'held' and wake_at <= engine_now() for update skip locked)`)
  if (!isRoom) {
    await closeForSpace(deps, tx)
    return 0
  }
  const gates = await tx.rows<Gate>(sql`
    select scope, reason, probe_ms as "probeMs",
      extract(epoch from closed_until - engine_now())::float * 1000 as "waitMs"
    from provider_gates`)
  const service = gates.find(({ scope }) => scope === SERVICE)
  const storage = gates.find(({ scope }) => scope === STORAGE)
  if ([service, storage].some((gate) => gate && gate.waitMs > 0)) return 0
  if (storage) await openStorage(deps, tx)
  const waiting = await pickNext(deps, tx, service ? 1 : BATCH)
  if (waiting.length === 0) {
    await lookAgainForSkipped(deps, tx)
    return 0
  }
  const plan = planDispatch({ ...(await survey(deps, tx, waiting)), waiting, gates })
  if (service && plan.sends.length > 0) plan.probed.push(service)
  await carryOut(deps, tx, plan)
  if (service) return 0
  if (waiting.length < BATCH) await lookAgainForSkipped(deps, tx)
  return waiting.length
}

function pickNext({ provider, settings }: DispatchDeps, tx: Tx, most: number): Promise<Waiting[]> {
  const cap = placesOf(settings, provider)
  return tx.rows<Waiting>(sql`
    select entry.video_id as "videoId", entry.generation, entry.user_id as "userId", entry.lane,
      entry.batch_id as "batchId", users.credential_id as "ownCredentialId"
    from line_entries as entry join users on users.id = entry.user_id
      join videos on videos.id = entry.video_id
      join galleries on galleries.user_id = videos.user_id
    where entry.state = 'ready'
    order by entry.lane, entry.turn, entry.entered_at
    limit least(${most}, greatest(0, ${cap}::int - (select count(*) from attempts where ${ACTIVE})))
    for update of entry, galleries skip locked for no key update of users skip locked`)
}

/**
 * Whoever is being changed just now is passed over, because everybody else locks a gallery before
 * line entries: this one must not wait. It looks again in a moment; so it does for what comes due
 * within a second, whose own job came too early if its time was rounded up or the clock set back.
 */
async function lookAgainForSkipped(
  { queue, settings, provider }: DispatchDeps,
  tx: Tx,
): Promise<void> {
  const skipped = await tx.row(sql`
    select 1 from line_entries
    where (state = 'ready' or (state = 'held' and wake_at <= engine_now() + interval '1 second'))
      and (select count(*) from attempts where ${ACTIVE}) < ${placesOf(settings, provider)}::int limit 1`)
  if (skipped)
    await queue.add(tx, [{ name: 'videos.dispatch', payload: {}, delayMs: LOOK_AGAIN_MS }])
}

const placesOf = (settings: Deps['settings'], { can }: Deps['provider']) =>
  Math.min(settings.maxInFlight, can.maxInFlight ?? settings.maxInFlight)

type Survey = Omit<Parameters<typeof planDispatch>[0], 'waiting' | 'gates'>

/** The tokens there are, how busy they are, and what their accounts still take. */
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
          order by last_assigned_at nulls first, pool_position limit ${POOL_LOOK_AHEAD}
        )
        select id, account_scope as "accountScope", is_default as "isDefault",
          id in (select id from pool) as "inPool",
          state = 'ok' or (state = 'cooling' and cool_until <= engine_now()) as "isUsable",
          state = 'dead' as "isDead",
          (select count(*)::int from attempts where credential_id = credentials.id and ${ACTIVE}) as "inFlight"
        from credentials
        where is_default or id = any(${own}::uuid[]) or id in (select id from pool)
        order by last_assigned_at nulls first, pool_position
        for update`)
    : []
  const scopes = needsCredential
    ? [...new Set(rows.map((row) => row.accountScope))]
    : [provider.kind]
  const sent =
    submitsPerMinute === undefined
      ? []
      : await tx.rows<{ scope: string; count: number }>(sql`
          select account_scope as scope, count(*)::int as count from attempts
          where account_scope = any(${scopes}::text[]) and created_at > engine_now() - interval '60 seconds'
          group by account_scope`)
  const perMinute = Math.floor((submitsPerMinute ?? 0) * RATE_SHARE)
  const left = (scope: string) => perMinute - (sent.find((row) => row.scope === scope)?.count ?? 0)
  return {
    needsCredential,
    fallbackScope: provider.kind,
    credentials: rows,
    defaultId: rows.find((row) => row.isDefault)?.id ?? null,
    poolIds: rows.filter((row) => row.inPool).map(({ id }) => id),
    room: new Map(
      submitsPerMinute === undefined ? [] : scopes.map((scope) => [scope, left(scope)]),
    ),
    perToken: settings.maxInFlightPerToken,
  }
}

async function carryOut(deps: DispatchDeps, tx: Tx, plan: Plan): Promise<void> {
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
    await queue.add(tx, [{ name: 'videos.dispatch', payload: {}, delayMs: soonest + 50 }])
  }
  for (const { userId, credentialId } of plan.assignments) {
    await noteAssignment(tx, { userId, credentialId })
    await tx.run(sql`update users set credential_id = ${credentialId} where id = ${userId}`)
    // The statement's own time, so that two assignments of one transaction keep their order.
    await tx.run(
      sql`update credentials set last_assigned_at = engine_now() where id = ${credentialId}`,
    )
  }
  for (const { scope, probeMs } of plan.probed) {
    await tx.run(sql`
      update provider_gates set closed_until = engine_now() + ${probeMs}::float * interval '1 millisecond'
      where scope = ${scope}`)
    await queue.add(tx, [{ name: 'videos.dispatch', payload: {}, delayMs: probeMs + 50 }])
  }
}

/** Writes down whose turn was taken, counted here anew, so that the self-check can tell (I14). */
const noteAssignment = (tx: Tx, { userId, credentialId }: Plan['assignments'][number]) =>
  tx.run(sql`
    insert into pool_assignments (user_id, replaced_id, credential_id, passed_over, assigned_at)
    select users.id, users.credential_id, chosen.id, (
        select count(*) from credentials as other
        where other.pool_position is not null and other.id <> chosen.id
          and (other.state = 'ok' or (other.state = 'cooling' and other.cool_until <= engine_now()))
          and coalesce(other.last_assigned_at, '-infinity') < coalesce(chosen.last_assigned_at, '-infinity')
          and not exists (select 1 from provider_gates where scope = other.account_scope)),
      engine_now()
    from users, credentials as chosen where users.id = ${userId} and chosen.id = ${credentialId}`)

async function send({ queue, provider }: DispatchDeps, tx: Tx, { sends }: Plan): Promise<void> {
  if (sends.length === 0) return
  const attempts = await tx.rows<{ id: string }>(sql`
    with next as (
      select * from unnest(${sends.map((s) => s.videoId)}::uuid[], ${sends.map((s) => s.generation)}::int[],
        ${sends.map((s) => s.userId)}::uuid[], ${sends.map((s) => s.lane)}::int[],
        ${sends.map((s) => s.batchId)}::uuid[], ${sends.map((s) => s.credentialId)}::uuid[],
        ${sends.map((s) => s.accountScope)}::text[])
        as given(video_id, generation, user_id, lane, batch_id, credential_id, account_scope)
    ), gone as (
      delete from line_entries using next where line_entries.video_id = next.video_id
    ), marked as (
      update videos set status = 'generating' from next
      where videos.id = next.video_id and videos.generation = next.generation
    )
    insert into attempts (id, video_id, generation, n, user_id, lane, batch_id, credential_id, provider,
      model, account_scope, deadline_at, due_at, created_at)
    select gen_random_uuid(), video_id, generation,
      1 + (select count(*) from attempts as earlier
        where earlier.video_id = next.video_id and earlier.generation = next.generation),
      user_id, lane, batch_id, credential_id, ${provider.kind}, ${provider.model}, account_scope,
      engine_now() + ${provider.can.deadlineMs}::float * interval '1 millisecond',
      engine_now(), engine_now()
    from next
    returning id`)
  await queue.add(
    tx,
    attempts.map(({ id }) => ({ name: 'videos.submit', payload: { attemptId: id } })),
  )
}

/** Lets go on what was held for a reason that is gone, and looks at the line. */
export async function wakeHeld(
  { db, queue }: Pick<Deps, 'db' | 'queue'>,
  reason: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`delete from provider_gates where reason = ${reason}`)
    await tx.run(sql`
      update line_entries set wake_at = engine_now() where state = 'held' and hold_reason = ${reason}`)
    await queue.add(tx, [{ name: 'videos.dispatch', payload: {} }])
  })
}
