import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { figure } from '~/lib/figures'
import { isId, newId } from '~/lib/ids'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import type { AdminCtx, Deps } from '../context'
import { requireProof } from '../accounts/proof.server'
import { writeAudit } from '../audit/write.server'
import { AppError } from '../errors'
import { forgetUnused } from './credentials.server'
import { UNDO_HOURS } from './desk-rules'
import { IS_LISTED } from './key-desk.server'
import { keyName } from './state.server'

const removedKeys = z.array(
  z.object({ id: z.string(), isInPool: z.boolean(), holders: z.array(z.string()) }),
)
type Removed = { id: string; name: string; isInPool: boolean; holders: string[] }

/**
 * Removes one key: nothing is ordered with it any more, and its holders use the next one. Orders
 * under way continue. It can be undone for a day. Throws NOT_FOUND, CONFLICT for the platform's own
 * token, which the settings name, and PASSWORD_NEEDED.
 */
export async function removeKey(ctx: AdminCtx, id: string): Promise<void> {
  requireProof(ctx)
  if (!isId(id)) throw noSuchKey()
  await ctx.db.transaction(async (tx) => {
    const [key] = await takeOut(ctx, tx, sql`id = ${id}`)
    if (!key) {
      const isDefault = await tx.row(sql`select 1 from credentials where id = ${id} and is_default`)
      if (!isDefault) throw noSuchKey()
      const problem =
        'The platform’s own token comes from VIDEO_PROVIDER_TOKEN. Change the setting.'
      throw new AppError('CONFLICT', problem)
    }
    // Nobody is left with a key that works but is not shown. A dead one is replaced when it is used.
    await tx.run(sql`
      update users set credential_id = null from credentials
      where users.credential_id = ${id} and credentials.id = ${id} and credentials.state <> 'dead'`)
    const subject = { kind: 'token', id, name: key.name } as const
    await writeAudit(tx, ctx, { action: 'token.remove', subject })
  })
}

const noSuchKey = () => new AppError('NOT_FOUND', 'This token does not exist')

/**
 * Removes all dead keys but the platform's own, and returns how many. Their holders get the next key
 * of the pool when they order. It can be undone for a day. Throws CONFLICT if there are not as many as
 * `expected`, and PASSWORD_NEEDED.
 */
export async function removeDeadKeys(
  ctx: AdminCtx,
  { expected }: { expected: number },
): Promise<number> {
  requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    const keys = await takeOut(ctx, tx, sql`state = 'dead'`)
    if (keys.length !== expected) {
      const message = `There are now ${figure(keys.length)} dead tokens, not ${figure(expected)}. Look at them again.`
      throw new AppError('CONFLICT', message)
    }
    const entries = keys.map(({ id, name }) => ({
      action: 'tokens.remove-dead' as const,
      subject: { kind: 'token' as const, id, name },
    }))
    await writeAudit(tx, ctx, entries)
    return keys.length
  })
}

async function takeOut(ctx: AdminCtx, tx: Tx, which: Sql): Promise<Removed[]> {
  await tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.pool})`)
  const keys = await tx.rows<Removed>(sql`
    select id, ${keyName} as name, pool_position is not null as "isInPool",
      (select coalesce(json_agg(users.id), '[]') from users where credential_id = credentials.id) as holders
    from credentials where ${IS_LISTED} and not is_default and ${which}
    order by pool_position, number for update`)
  if (keys.length === 0) return []
  const removalId = newId()
  await tx.run(sql`
    insert into key_removals (id, actor_id, actor_name, count, keys, removed_at)
    values (${removalId}, ${ctx.actor.id}, ${ctx.actor.username}, ${keys.length},
      ${JSON.stringify(keys.map(({ name: _, ...key }) => key))}::jsonb, engine_now())`)
  await tx.run(sql`
    update credentials set pool_position = null, removal_id = ${removalId}
    where id = any(${keys.map(({ id }) => id)}::uuid[])`)
  return keys
}

/**
 * Brings removed keys back: into the pool, at its end, and to those holders who have no other key.
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
    const keys = removedKeys.parse(removal.keys)
    let restored = 0
    for (const { id: keyId, isInPool, holders } of keys) {
      const key = await tx.row<{ name: string }>(sql`
        update credentials set removal_id = null, pool_position = case when ${isInPool}::boolean
          then 1 + (select coalesce(max(pool_position), 0) from credentials) end
        where id = ${keyId} and removal_id = ${id} returning ${keyName} as name`)
      // It was pasted again meanwhile.
      if (!key) continue
      restored++
      await tx.run(sql`
        update users set credential_id = ${keyId}
        where id = any(${holders}::uuid[]) and credential_id is null`)
      const subject = { kind: 'token', id: keyId, name: key.name } as const
      await writeAudit(tx, ctx, { action: 'tokens.undo-removal', subject })
    }
    await tx.run(sql`update key_removals set undone_at = engine_now() where id = ${id}`)
    await ctx.queue.add(tx, [{ name: 'videos.wake', payload: { reason: 'token' } }])
    return restored
  })
}

/** Forgets keys whose removal can no longer be undone. */
export async function forgetRemovedKeys({ db }: Pick<Deps, 'db'>): Promise<void> {
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
