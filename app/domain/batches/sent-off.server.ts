import sql from 'sql-template-tag'
import { seconds } from '~/lib/time'

// The pace that a plan promises is kept towards the provider, not only in our own tables: what held
// the videos of one round up (a provider that is down, no token, no room, the user's cap) must not
// let them go out together with the next ones. Decision 31.

/** When to look again at a round whose predecessor has not gone out. */
export const LOOK_AGAIN_MS = seconds(5)

/** A video on its way from the line to the provider takes its moment; rounds do not drift for it. */
const ON_THE_WAY = sql`interval '1 second'`

/** Another order for a video that failed once keeps nobody waiting. */
const isRetry = (of: 'entry' | 'attempt') => {
  const [videoId, generation] =
    of === 'entry'
      ? [sql`entry.video_id`, sql`entry.generation`]
      : [sql`attempt.video_id`, sql`attempt.generation`]
  return sql`exists (select 1 from attempts as earlier
    where earlier.video_id = ${videoId} and earlier.generation = ${generation}
      and earlier.state in ('failed', 'orphaned'))`
}

/** Whether videos of a row of `batches` were released and have not gone to the provider. */
export const HAS_UNSENT = sql`(batches.delay_seconds > 0 and (
  exists (select 1 from line_entries as entry
    where entry.batch_id = batches.id and not ${isRetry('entry')})
  or exists (select 1 from attempts as attempt
    where attempt.batch_id = batches.id and attempt.state = 'queued' and not ${isRetry('attempt')})))`

/** When the next round of a row of `batches` may go: its time, and a whole delay after what was sent last. */
export const PACE_ALLOWS_AT = sql`greatest(batches.next_round_at, (
  select max(attempt.sent_at) + make_interval(secs => batches.delay_seconds) - ${ON_THE_WAY}
  from attempts as attempt
  where attempt.batch_id = batches.id and batches.delay_seconds > 0
    and attempt.sent_at > engine_now() - make_interval(secs => batches.delay_seconds)
    and not ${isRetry('attempt')}))`
