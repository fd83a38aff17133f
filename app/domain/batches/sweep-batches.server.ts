import sql from 'sql-template-tag'
import type { NewJob } from '~/platform/queue/port'
import type { Deps } from '../context'
import { takeBackJob } from './cancel-regeneration.server'
import { carryJob } from './carry-over.server'
import { roundJob } from './fire-round.server'
import { MAY_CARRY } from './round-conditions.server'

/**
 * Adds jobs for batches whose round or day is late, because their job was lost or their owner's account
 * was renewed, and for stopped regenerations that have not ended. Returns how many. For an owner who is
 * still expired or disabled, the job does nothing.
 */
export async function sweepBatches({ db, queue }: Pick<Deps, 'db' | 'queue'>): Promise<number> {
  return db.transaction(async (tx) => {
    const late = await tx.rows<{
      batchId: string
      roundNo: number
      from: string | null
      isFiltered: boolean
    }>(sql`
      select id as "batchId", round_no as "roundNo", gathered_to as from,
        gather_filter is not null as "isFiltered" from batches
      where status = 'processing' and paused_at is null
        and next_round_at < engine_now() - interval '30 seconds'
      order by next_round_at limit 500`)
    const jobs: NewJob[] = []
    for (const { batchId, roundNo, from, isFiltered } of late) {
      jobs.push(roundJob({ batchId, roundNo }))
      const name = isFiltered ? 'batches.gather-found' : 'batches.gather'
      if (from !== null) jobs.push({ name, payload: { batchId, from } })
    }
    // Those of owners who may not order are not counted: they may stay for long.
    const carrying = await tx.rows<{ batchId: string }>(sql`
      select batches.id as "batchId" from batches join users on users.id = batches.user_id
      where carries_at < engine_now() - interval '30 seconds' and status = 'processing' and paused_at is null
        and ${MAY_CARRY}
      order by carries_at limit 500`)
    jobs.push(...carrying.map(({ batchId }) => carryJob(batchId)))
    const stopping = await tx.rows<{ batchId: string }>(sql`
      select id as "batchId" from batches
      where status = 'processing' and next_round_at is null
        and stopped_at < engine_now() - interval '30 seconds'`)
    jobs.push(...stopping.map(takeBackJob))
    await queue.add(tx, jobs)
    return late.length + carrying.length + stopping.length
  })
}
