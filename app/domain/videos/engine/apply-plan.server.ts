import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import type { Deps } from '../../context'
import { BY_ITSELF, logActivity } from '../../activity/write.server'
import { tokenName } from '../../tokens/state.server'
import { dispatchAfter } from '../line.server'
import type { Assignment, Plan } from './dispatch-plan'
import { noteProbe } from './gates.server'

type ApplyDeps = Pick<Deps, 'queue' | 'provider'>

/** Writes a plan: the attempts with their first jobs, what has to wait, and tokens that were assigned. */
export async function applyPlan(deps: ApplyDeps, tx: Tx, plan: Plan): Promise<void> {
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
          and other.provider is not distinct from chosen.provider
          and coalesce(other.last_assigned_at, '-infinity') < coalesce(chosen.last_assigned_at, '-infinity')
          and not exists (select 1 from provider_gates where scope = other.account)
          and other.id <> all(${passedIds}::uuid[])),
      engine_now()
    from users, credentials as chosen where users.id = ${userId} and chosen.id = ${credentialId}`)

/** Records in the activity log that a user's dead token was replaced. Called before it is. */
async function recordReplacement(tx: Tx, { userId, credentialId }: Assignment): Promise<void> {
  const change = await tx.row<{ username: string; old: string; id: string; name: string }>(sql`
    select username, old.name as old, credentials.id, ${tokenName} as name
    from users join credentials on credentials.id = ${credentialId}
      cross join lateral (
        select ${tokenName} as name from credentials where credentials.id = users.credential_id) as old
    where users.id = ${userId}`)
  if (!change) return
  const { username, old, id, name } = change
  await logActivity(tx, BY_ITSELF, {
    action: 'token.replace',
    subject: { kind: 'token', id, name },
    before: { token: old },
    after: { token: name, user: username },
  })
}

/** Removes the entries from the line and adds their attempts and first jobs, in one statement. */
async function send({ queue, provider }: ApplyDeps, tx: Tx, { sends }: Plan): Promise<void> {
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
      update videos set status = 'generating', model = ${provider.model} from next
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
