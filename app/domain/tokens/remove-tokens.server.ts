import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { figure } from '~/lib/figures'
import { isId, newId } from '~/lib/ids'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import type { AdminCtx, Deps } from '~/domain/context'
import { requireProof } from '~/domain/accounts/proof.server'
import { logActivity } from '~/domain/activity/write.server'
import { AppError } from '~/domain/errors'
import { forgetUnused } from './credentials.server'
import { UNDO_HOURS } from './desk-rules'
import { IS_LISTED } from './token-desk.server'
import { tokenName } from './state.server'

const removedTokens = z.array(
  z.object({ id: z.string(), isInPool: z.boolean(), holders: z.array(z.string()) }),
)
type Removed = { id: string; name: string; isInPool: boolean; holders: string[] }

/**
 * Removes one token: nothing is ordered with it any more, and its holders use the next one. Orders
 * under way continue. It can be undone for a day. Throws NOT_FOUND, CONFLICT for the platform's own
 * token, which the settings name, and PASSWORD_NEEDED.
 */
export async function removeToken(ctx: AdminCtx, id: string): Promise<void> {
  requireProof(ctx)
  if (!isId(id)) throw noSuchToken()
  await ctx.db.transaction(async (tx) => {
    const [token] = await takeOut(ctx, tx, sql`id = ${id}`)
    if (!token) {
      const isDefault = await tx.row(sql`select 1 from credentials where id = ${id} and is_default`)
      if (!isDefault) throw noSuchToken()
      const problem =
        'The platform’s own token comes from VIDEO_PROVIDER_TOKEN. Change the setting.'
      throw new AppError('CONFLICT', problem)
    }
    // Nobody is left with a token that works but is not shown. A dead one is replaced when it is used.
    await tx.run(sql`
      update users set credential_id = null from credentials
      where users.credential_id = ${id} and credentials.id = ${id} and credentials.state <> 'dead'`)
    const subject = { kind: 'token', id, name: token.name } as const
    await logActivity(tx, ctx, { action: 'token.remove', subject })
  })
}

const noSuchToken = () => new AppError('NOT_FOUND', 'This token does not exist')

/**
 * Removes all dead tokens but the platform's own, and returns how many. Their holders get the next token
 * of the pool when they order. It can be undone for a day. Throws CONFLICT if there are not as many as
 * `expected`, and PASSWORD_NEEDED.
 */
export async function removeDeadTokens(
  ctx: AdminCtx,
  { expected }: { expected: number },
): Promise<number> {
  requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    const tokens = await takeOut(ctx, tx, sql`state = 'dead'`)
    if (tokens.length !== expected) {
      const message = `There are now ${figure(tokens.length)} dead tokens, not ${figure(expected)}. Look at them again.`
      throw new AppError('CONFLICT', message)
    }
    const entries = tokens.map(({ id, name }) => ({
      action: 'tokens.remove-dead' as const,
      subject: { kind: 'token' as const, id, name },
    }))
    await logActivity(tx, ctx, entries)
    return tokens.length
  })
}

async function takeOut(ctx: AdminCtx, tx: Tx, which: Sql): Promise<Removed[]> {
  await tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.pool})`)
  const tokens = await tx.rows<Removed>(sql`
    select id, ${tokenName} as name, pool_position is not null as "isInPool",
      (select coalesce(json_agg(users.id), '[]') from users where credential_id = credentials.id) as holders
    from credentials where ${IS_LISTED} and not is_default and ${which}
    order by pool_position, number for update`)
  if (tokens.length === 0) return []
  const removalId = newId()
  await tx.run(sql`
    insert into key_removals (id, actor_id, actor_name, count, keys, removed_at)
    values (${removalId}, ${ctx.actor.id}, ${ctx.actor.username}, ${tokens.length},
      ${JSON.stringify(tokens.map(({ name: _, ...kept }) => kept))}::jsonb, engine_now())`)
  await tx.run(sql`
    update credentials set pool_position = null, removal_id = ${removalId}
    where id = any(${tokens.map(({ id }) => id)}::uuid[])`)
  return tokens
}

/**
 * Brings removed tokens back: into the pool, at its end, and to those holders who have no other token.
 * Returns how many. Throws NOT_FOUND if there is no such removal or its time is over, CONFLICT if it
 * was undone before, and PASSWORD_NEEDED.
 */
export async function undoRemoval(ctx: AdminCtx, id: string): Promise<number> {
  requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.pool})`)
    const removal = isId(id)
      ? await tx.row<{ keys: unknown; isUndone: boolean }>(sql`
          select keys, undone_at is not null as "isUndone" from key_removals where id = ${id} for update`)
      : undefined
    if (!removal) throw new AppError('NOT_FOUND', 'This removal can no longer be undone')
    if (removal.isUndone) throw new AppError('CONFLICT', 'This removal has already been undone')
    const tokens = removedTokens.parse(removal.keys)
    let restored = 0
    for (const { id: tokenId, isInPool, holders } of tokens) {
      const token = await tx.row<{ name: string }>(sql`
        update credentials set removal_id = null, pool_position = case when ${isInPool}::boolean
          then 1 + (select coalesce(max(pool_position), 0) from credentials) end
        where id = ${tokenId} and removal_id = ${id} returning ${tokenName} as name`)
      // It was pasted again meanwhile.
      if (!token) continue
      restored++
      await tx.run(sql`
        update users set credential_id = ${tokenId}
        where id = any(${holders}::uuid[]) and credential_id is null`)
      const subject = { kind: 'token', id: tokenId, name: token.name } as const
      await logActivity(tx, ctx, { action: 'tokens.undo-removal', subject })
    }
    await tx.run(sql`update key_removals set undone_at = engine_now() where id = ${id}`)
    await ctx.queue.add(tx, [{ name: 'videos.wake', payload: { reason: 'token' } }])
    return restored
  })
}

/** Forgets tokens whose removal can no longer be undone. */
export async function forgetRemovedTokens({ db }: Pick<Deps, 'db'>): Promise<void> {
  const isOver = sql`removed_at < engine_now() - make_interval(hours => ${UNDO_HOURS})`
  const over = await db.row(sql`select 1 from key_removals where ${isOver} limit 1`)
  if (!over) return
  await db.transaction(async (tx) => {
    await tx.run(sql`
      update users set credential_id = null from credentials
      where credentials.id = users.credential_id
        and removal_id in (select id from key_removals where ${isOver})`)
    await tx.run(sql`
      update credentials set removal_id = null
      where removal_id in (select id from key_removals where ${isOver})`)
    await tx.run(sql`delete from key_removals where ${isOver}`)
    await forgetUnused(tx)
  })
}
