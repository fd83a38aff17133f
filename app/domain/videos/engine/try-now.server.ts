import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { logActivity } from '../../activity/write.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import { tokenName } from '../../tokens/state.server'
import { endPauses, GATE_OPENED, serviceOf } from './gates.server'

/**
 * Ends the pause of a token's account, and that of the provider: the next order is a probe, and if it
 * succeeds all others follow. A suspended token gets orders again; the first that is refused suspends it
 * again, because its refusals stay counted. Throws NOT_FOUND, or CONFLICT if nothing is paused.
 */
export async function tryTokenNow(ctx: AdminCtx, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const token = isId(id)
      ? await tx.row<{ name: string; account: string; provider: string | null }>(sql`
          select ${tokenName} as name, account, provider from credentials where id = ${id} and removal_id is null`)
      : undefined
    if (!token) throw new AppError('NOT_FOUND', 'This token does not exist')
    const wasSuspended = await tx.run(sql`
      update credentials set state = 'ok', death = null, died_at = null
      where id = ${id} and state = 'dead' and death = 'suspended'`)
    const wasPaused = await endPauses(tx, [
      token.account,
      serviceOf({ kind: token.provider ?? ctx.provider.kind }),
    ])
    if (!wasPaused && wasSuspended === 0)
      throw new AppError('CONFLICT', 'The account of this token is not paused')
    const subject = { kind: 'token', id, name: token.name } as const
    await logActivity(tx, ctx, { action: 'token.try-now', subject })
    await ctx.queue.add(tx, [GATE_OPENED])
  })
}
