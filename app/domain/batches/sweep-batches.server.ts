import sql from 'sql-template-tag'
import type { Deps } from '../context'
import { roundJob } from './fire-round.server'

/**
 * Adds the jobs of batches that are late: lost ones, and those of an owner who was renewed. Answers
 * how many; a batch whose owner is expired or disabled is looked at and left waiting.
 */
export async function sweepBatches({ db, queue }: Pick<Deps, 'db' | 'queue'>): Promise<number> {
  return db.transaction(async (tx) => {
    const late = await tx.rows<{ batchId: string; roundNo: number; from: string | null }>(sql`
      select id as "batchId", round_no as "roundNo", gathered_to as from from batches
      where status = 'processing' and next_round_at < engine_now() - interval '30 seconds'
      order by next_round_at limit 500`)
    await queue.add(
      tx,
      late.map(({ batchId, roundNo }) => roundJob({ batchId, roundNo })),
    )
    const gathering = late.flatMap(({ batchId, from }) =>
      from === null ? [] : [{ batchId, from }],
    )
    await queue.add(
      tx,
      gathering.map((payload) => ({ name: 'batches.gather', payload })),
    )
    return late.length
  })
}
