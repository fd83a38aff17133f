import sql from 'sql-template-tag'
import { seconds } from '~/lib/time'

/** A batch that ended while it was paused keeps the time of its pause. */
export const IS_PAUSED = sql`(paused_at is not null and status = 'processing')`

/**
 * Condition on which rounds are released for a user. Accepted work of an expired account waits for
 * its renewal (decision Q-40).
 */
export const ROUNDS_ALLOWED = sql`users.is_active and users.deleted_at is null
  and (users.expiry_date is null or users.expiry_date > engine_now() - interval '1 day')`

/** Condition on which a user's carried prompts get the units of a new day, as for any order. */
export const MAY_CARRY = sql`${ROUNDS_ALLOWED} and users.plan is not null`

// The plan's pace applies to the moment at which orders reach the provider. If the videos of a
// round are delayed (provider down, no token, no room, the user's cap, a killed worker), they must
// not be sent together with those of the next round. Decision 74.

/** When the next round of a row of `batches` starts that had none: at its pace after the last one. */
export const NEXT_ROUND_AT = sql`greatest(engine_now(), (
  select max(fired_at) from rounds where rounds.batch_id = batches.id) + make_interval(secs => delay_seconds))`

/** Delay before a postponed round is checked again. */
export const LOOK_AGAIN_MS = seconds(5)

/**
 * Condition for a repeated order. Another order for a video whose earlier order reached the
 * provider does not delay the next round. If the earlier order was never accepted, the new one is
 * not a retry and still counts in its round.
 */
const isRetry = (of: 'entry' | 'attempt') => {
  const [videoId, generation] =
    of === 'entry'
      ? [sql`entry.video_id`, sql`entry.generation`]
      : [sql`attempt.video_id`, sql`attempt.generation and earlier.n < attempt.n`]
  return sql`exists (select 1 from attempts as earlier
    where earlier.video_id = ${videoId} and earlier.generation = ${generation}
      and ((earlier.state = 'failed' and earlier.sent_by is not null) or earlier.state = 'orphaned'))`
}

/**
 * Look-ups decide within this time. An unresolved order then counts as accepted at the moment of
 * its loss.
 */
const SETTLES_WITHIN = sql`interval '3 minutes'`

/**
 * Condition on a row of `batches`: some released videos may not have reached the provider yet,
 * because they have not been sent, their response is outstanding, or their order is being looked up.
 * An order that was not accepted is sent again, and the next round must not be sent before it.
 */
export const HAS_UNSENT = sql`(batches.delay_seconds > 0 and (
  exists (select 1 from line_entries as entry
    where entry.batch_id = batches.id and not ${isRetry('entry')})
  or exists (select 1 from attempts as attempt
    where attempt.batch_id = batches.id and not ${isRetry('attempt')}
      and attempt.state in ('queued', 'submitting', 'unknown')
      and (attempt.state <> 'unknown' or attempt.lost_at > engine_now() - ${SETTLES_WITHIN}))))`

/**
 * When the next round of a row of `batches` may start: at its time, and no earlier than a full
 * delay after the last order was sent.
 */
export const PACE_ALLOWS_AT = sql`greatest(batches.next_round_at, (
  select max(coalesce(attempt.sent_by, attempt.lost_at)) + make_interval(secs => batches.delay_seconds)
  from attempts as attempt
  where attempt.batch_id = batches.id and batches.delay_seconds > 0
    and attempt.sent_at > engine_now() - make_interval(secs => batches.delay_seconds + 90)
    and (attempt.sent_by is not null or attempt.state in ('unknown', 'orphaned'))
    and not ${isRetry('attempt')}))`
