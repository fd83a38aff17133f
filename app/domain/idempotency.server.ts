import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { z } from 'zod'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from './context'
import { AppError } from './errors'

/** One order of a client: the key that it chose, if any, the request, and what a result looks like. */
type KeyedOrder<T> = {
  key: string | undefined
  request: unknown
  result: z.ZodType<T>
}

/**
 * Runs `work` in a transaction, once per key of the actor, or at each call without a key. A repeated
 * call (double click, back button, retry after a lost response) returns the stored result. Throws
 * CONFLICT if the key was used with a different request. Concurrent calls with one key wait for the
 * first.
 */
export function oncePerKey<T>(
  { db, actor }: UserCtx,
  { key, request, result }: KeyedOrder<T>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    if (key === undefined) return work(tx)
    const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
    const isFirst = await tx.run(sql`
      insert into idempotency_keys (user_id, key, request_hash, created_at)
      values (${actor.id}, ${key}, ${hash}, engine_now())
      on conflict do nothing`)
    if (isFirst) {
      const done = await work(tx)
      await tx.run(sql`
        update idempotency_keys set result = ${JSON.stringify(done)}::jsonb
        where user_id = ${actor.id} and key = ${key}`)
      return done
    }
    const earlier = await tx.row<{ hash: string; result: unknown }>(sql`
      select request_hash as hash, result from idempotency_keys
      where user_id = ${actor.id} and key = ${key} and result is not null`)
    if (earlier?.hash === hash) return result.parse(earlier.result)
    throw new AppError('CONFLICT', 'This key was already used for another request. Use a new one.')
  })
}
