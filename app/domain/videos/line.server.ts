import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Queue } from '~/platform/queue/port'
import { LANES, type Lane } from './types'

/** How much of a user's work may be under way, as multiples of his videos per round. */
export const USER_CAP = { singles: 1, everything: 10 } as const

type Entry = {
  videoId: string
  generation: number
  /** Whose turn it takes. */
  userId: string
  lane: Lane
}

/**
 * Puts an accepted video into the waiting line, on the transaction that accepted it. It goes out at
 * once when the user has room for it, else when one of his other videos ends.
 */
export async function enterLine(tx: Tx, queue: Queue, entry: Entry): Promise<void> {
  await tx.run(sql`
    insert into line_entries (video_id, generation, user_id, lane, state, entered_at)
    values (${entry.videoId}, ${entry.generation}, ${entry.userId}, ${entry.lane}, 'gated', engine_now())`)
  await admitWaiting(tx, queue, entry.userId)
}

/**
 * Lets a user's gated videos into the line as far as his caps allow, each taking the next turn: his
 * second waiting video stands behind everybody's first. Call it, in the same transaction, whenever
 * something of his entered or ended.
 */
export async function admitWaiting(tx: Tx, queue: Queue, userId: string): Promise<void> {
  // Serialises the decisions about one user: a count made while another transaction ends one of his
  // videos would leave a video gated that nobody looks at again.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('line:' || ${userId}::text, 0))`)
  const admitted = await tx.run(sql`
    with pace as (
      select greatest(1, speed_limit) as videos from users where id = ${userId}
    ), moving as (
      select count(*) filter (where lane = ${LANES.single}) as singles, count(*) as everything from (
        select lane from line_entries where user_id = ${userId} and state <> 'gated'
        union all
        select lane from attempts where user_id = ${userId}
          and state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown')) as work
    ), waiting as (
      select video_id, lane, entered_at from line_entries
      where user_id = ${userId} and state = 'gated' for update skip locked
    ), gated as (
      select video_id, lane,
        row_number() over (partition by lane order by entered_at, video_id) as place,
        row_number() over (order by lane, entered_at, video_id) as overall
      from waiting
    ), free as (
      select gated.video_id, gated.lane, gated.place from gated, pace, moving
      where moving.everything + gated.overall <= ${USER_CAP.everything} * pace.videos
        and (gated.lane <> ${LANES.single}
          or moving.singles + gated.place <= ${USER_CAP.singles} * pace.videos)
    )
    update line_entries set state = 'ready', turn = free.place - 1 + greatest(
      coalesce((select max(turn) + 1 from line_entries as own
        where own.user_id = ${userId} and own.lane = free.lane and own.state = 'ready'), 0),
      coalesce((select turn from line_entries as first
        where first.state = 'ready' and first.lane = free.lane
        order by turn, entered_at limit 1), 0))
    from free where line_entries.video_id = free.video_id`)
  if (admitted > 0) await queue.add(tx, [{ name: 'videos.dispatch', payload: {} }])
}
