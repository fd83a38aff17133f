import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { writeAudit } from '../../audit/write.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import { keyName } from '../../tokens/state.server'
import { endPauses, GATE_OPENED, SERVICE } from './gates.server'

/**
 * Ends the pause of a key's account, and that of the provider: the next order is a probe, and if it
 * succeeds all others follow. Throws NOT_FOUND, or CONFLICT if neither is paused.
 */
export async function tryKeyNow(ctx: AdminCtx, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const key = isId(id)
      ? await tx.row<{ name: string; account: string }>(sql`
          select ${keyName} as name, account from credentials where id = ${id} and removal_id is null`)
      : undefined
    if (!key) throw new AppError('NOT_FOUND', 'This token does not exist')
    if (!(await endPauses(tx, [key.account, SERVICE])))
      throw new AppError('CONFLICT', 'The account of this token is not paused')
    const subject = { kind: 'token', id, name: key.name } as const
    await writeAudit(tx, ctx, { action: 'token.try-now', subject })
    await ctx.queue.add(tx, [GATE_OPENED])
  })
}
