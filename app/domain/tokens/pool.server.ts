import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import { requireProof } from '../accounts/proof.server'
import type { AdminCtx } from '../context'
import { AppError, isAppError } from '../errors'
import { isoText } from '../iso-text.server'
import { logActivity } from '../activity/write.server'
import { FIRST_PROVIDER } from '../route'
import { boundToNamed } from '../providers.server'
import { forgetUnused, storeToken, type TokenFacts } from './credentials.server'
import { credentialState, tokenName } from './state.server'
import type { TokenLine } from './rules'
import { addTokenInput } from './schemas'
import type { PoolTokenView } from './types'

const poolRows = sql`
  select id, mask as token, ${tokenName} as name, death, pool_position as position,
    ${isoText(sql`last_assigned_at`)} as "lastAssignedAt", ${credentialState} as state
  from credentials where pool_position is not null`

/** Lists the pool tokens in their order: all of them, or the first `limit`. */
export const listPoolTokens = (
  ctx: AdminCtx,
  limit: number | null = null,
): Promise<PoolTokenView[]> =>
  ctx.db.rows<PoolTokenView>(sql`${poolRows} order by pool_position limit ${limit}`)

/**
 * Adds a token of a provider, as plans name it, at the end of the pool, or revives it there if it is dead.
 * Videos held for lack of a token continue. Throws NOT_FOUND if there is no such provider, CONFLICT if the
 * token is in the pool and alive, and PASSWORD_NEEDED.
 */
export async function addPoolToken(
  ctx: AdminCtx,
  token: string,
  { provider = FIRST_PROVIDER, ...facts }: TokenFacts & { provider?: string | undefined } = {},
): Promise<PoolTokenView> {
  requireProof(ctx)
  const bound = boundToNamed(ctx, provider)
  return ctx.db.transaction(async (tx) => {
    await lockPool(tx)
    const { id, name, isRevived } = await storeToken(bound, tx, { ...facts, token, by: ctx })
    const added = await tx.run(sql`
      update credentials set pool_position = 1 + (select coalesce(max(pool_position), 0) from credentials)
      where id = ${id} and pool_position is null`)
    if (!added && !isRevived) throw new AppError('CONFLICT', 'This token is already in the pool')
    await ctx.queue.add(tx, [{ name: 'videos.wake', payload: { reason: 'token' } }])
    const row = await tx.row<PoolTokenView>(sql`${poolRows} and id = ${id}`)
    if (!row) throw new Error('the token was not added')
    const subject = { kind: 'token', id, name } as const
    if (added) await logActivity(tx, ctx, { action: 'token.add', subject })
    return row
  })
}

export type PoolAdditions = { added: number; failed: { text: string; problem: string }[] }

/**
 * Adds the tokens of a text, one per line. Each is added independently, and failures are returned
 * with their reason. Throws PASSWORD_NEEDED.
 */
export async function addPoolTokens(
  ctx: AdminCtx,
  lines: readonly TokenLine[],
  provider?: string,
): Promise<PoolAdditions> {
  requireProof(ctx)
  const result: PoolAdditions = { added: 0, failed: [] }
  for (const { text, ...line } of lines) {
    try {
      const parsed = addTokenInput.safeParse(line)
      if (!parsed.success) throw new AppError('BAD_INPUT', parsed.error.issues[0]?.message ?? '')
      const { token, ...facts } = parsed.data
      await addPoolToken(ctx, token, { ...facts, provider })
      result.added++
    } catch (error) {
      if (!isAppError(error)) throw error
      result.failed.push({ text, problem: error.message })
    }
  }
  return result
}

/** Serialises additions, so that two concurrent ones get different positions. */
const lockPool = (tx: Tx) => tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.pool})`)

/**
 * Removes a token from the pool. Users who have it assigned keep it. Throws NOT_FOUND or
 * PASSWORD_NEEDED.
 */
export async function removePoolToken(ctx: AdminCtx, id: string): Promise<void> {
  const count = isId(id) ? await takeOut(ctx, id) : 0
  if (count === 0) throw new AppError('NOT_FOUND', 'This token is not in the pool')
}

/** Empties the pool. Returns how many tokens were removed. Throws PASSWORD_NEEDED. */
export const removeAllPoolTokens = (ctx: AdminCtx): Promise<number> => takeOut(ctx, null)

async function takeOut(ctx: AdminCtx, id: string | null): Promise<number> {
  requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    const taken = await tx.rows<{ id: string; name: string }>(sql`
      update credentials set pool_position = null
      where pool_position is not null and (${id}::uuid is null or id = ${id}::uuid)
      returning id, ${tokenName} as name`)
    await forgetUnused(tx)
    const [only] = taken
    if (id === null && taken.length > 0) {
      await logActivity(tx, ctx, { action: 'tokens.remove-all', count: taken.length })
    } else if (only) {
      const subject = { kind: 'token', id: only.id, name: only.name } as const
      await logActivity(tx, ctx, { action: 'token.remove', subject })
    }
    return taken.length
  })
}
