import sql from 'sql-template-tag'
import { seconds } from '~/lib/time'

// The pace that a plan promises is kept at the provider's door: what held the videos of one round up
// (a provider that is down, no token, no room, the user's cap, a killed worker) must not let them go
// out together with the next ones. Decision 31.

/** When to look again at a round whose predecessor has not gone out. */
export const LOOK_AGAIN_MS = seconds(5)

/**
 * Another order for a video of which the provider had one already keeps nobody waiting. One that
 * was never taken is no retry: it stays in its round's count.
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

/** Look-ups settle earlier. An order that they cannot settle counts as taken when it was lost. */
const SETTLES_WITHIN = sql`interval '3 minutes'`

/**
 * Whether videos of a row of `batches` were released of which nobody knows yet when the provider had
 * them: they have not gone out, their answer has not come, or their order is being looked for. An
 * order that was not taken goes out again; the next round must not have left by then.
 */
export const HAS_UNSENT = sql`(batches.delay_seconds > 0 and (
  exists (select 1 from line_entries as entry
    where entry.batch_id = batches.id and not ${isRetry('entry')})
  or exists (select 1 from attempts as attempt
    where attempt.batch_id = batches.id and not ${isRetry('attempt')}
      and attempt.state in ('queued', 'submitting', 'unknown')
      and (attempt.state <> 'unknown' or attempt.lost_at > engine_now() - ${SETTLES_WITHIN}))))`

/** When the next round of a row of `batches` may go: its time, and a whole delay after what was sent last. */
export const PACE_ALLOWS_AT = sql`greatest(batches.next_round_at, (
  select max(coalesce(attempt.sent_by, attempt.lost_at)) + make_interval(secs => batches.delay_seconds)
  from attempts as attempt
  where attempt.batch_id = batches.id and batches.delay_seconds > 0
    and attempt.sent_at > engine_now() - make_interval(secs => batches.delay_seconds + 90)
    and (attempt.sent_by is not null or attempt.state in ('unknown', 'orphaned'))
    and not ${isRetry('attempt')}))`
