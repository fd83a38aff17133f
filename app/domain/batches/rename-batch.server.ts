import type { UserCtx } from '../context'
import { getBatchSummary } from './batch-list.server'
import type { BatchSummary } from './types'

type Naming = {
  id: string
  /** Null: the batch is named after its time again. */
  name: string | null
}

/** Names one of the actor's own batches. Throws NOT_FOUND. */
export async function renameBatch(ctx: UserCtx, { id, name }: Naming): Promise<BatchSummary> {
  const { id: known } = await getBatchSummary(ctx, id)
  const where = { id: known, userId: ctx.actor.id }
  await ctx.db.prisma(({ batch }) => batch.updateMany({ where, data: { name } }))
  return getBatchSummary(ctx, known)
}
