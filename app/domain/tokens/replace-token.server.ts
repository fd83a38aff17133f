import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import { requireProof } from '~/domain/accounts/proof.server'
import { logActivity } from '~/domain/activity/write.server'
import type { AdminCtx } from '~/domain/context'
import { AppError } from '~/domain/errors'
import { allProviders } from '~/domain/providers.server'
import { giveInTurn } from './credentials.server'
import { credentialState, isOf, tokenName } from './state.server'

/**
 * Moves the holders of a token to the next tokens of the pool in turn, and returns how many there were.
 * The token itself stays where it is. Throws NOT_FOUND, CONFLICT if nobody holds it or the pool has no
 * other token that works, and PASSWORD_NEEDED.
 */
export async function replaceToken(ctx: AdminCtx, id: string): Promise<number> {
  requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.pool})`)
    const token = isId(id)
      ? await tx.row<{ name: string; provider: string | null }>(sql`
          select ${tokenName} as name, provider from credentials where id = ${id} and removal_id is null`)
      : undefined
    if (!token) throw new AppError('NOT_FOUND', 'This token does not exist')
    const holders = await tx.rows<{ id: string }>(sql`
      select id from users where credential_id = ${id} and deleted_at is null order by id for no key update`)
    if (holders.length === 0) throw new AppError('CONFLICT', 'Nobody holds this token')
    const of = token.provider ?? ctx.provider.kind
    const [first, ...rest] = await tx.rows<{ id: string }>(sql`
      select id from (select credentials.*, ${credentialState} as shown_state from credentials
        where ${isOf(allProviders(ctx).find(({ kind }) => kind === of) ?? { kind: of })}) as pool
      where pool_position is not null and id <> ${id} and shown_state = 'ok'
      order by last_assigned_at nulls first, pool_position limit ${holders.length}`)
    if (!first) throw new AppError('CONFLICT', 'The pool has no other token that works')
    await giveInTurn(tx, holders, [first, ...rest])
    // The order of the pool stays: each a little later than the one before.
    await tx.run(sql`
      update credentials set last_assigned_at = engine_now() + given.place * interval '1 microsecond'
      from unnest(${[first, ...rest].map((other) => other.id)}::uuid[]) with ordinality as given(id, place)
      where credentials.id = given.id`)
    const subject = { kind: 'token', id, name: token.name } as const
    await logActivity(tx, ctx, { action: 'token.replace', subject, count: holders.length })
    await ctx.queue.add(tx, [{ name: 'videos.wake', payload: { reason: 'token' } }])
    return holders.length
  })
}
