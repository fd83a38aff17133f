import sql, { type Sql } from 'sql-template-tag'
import { requireProof } from '../accounts/proof.server'
import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import { logActivity } from '../activity/write.server'
import { FIRST_PROVIDER } from '../route'
import { boundToNamed, namedProviders } from '../providers.server'
import { forgetUnused, giveInTurn, storeToken } from './credentials.server'
import { assignInTurn, maskToken } from './rules'
import type { AssignTokensInput } from './schemas'
import type { AssignmentReceipt } from './types'

const GETS_ONE = sql`role <> 'admin' and deleted_at is null`

/** Condition that a user's videos are ordered from a provider, as plans name it. */
const isAt = (ctx: AdminCtx, name: string): Sql => {
  const others = [...namedProviders(ctx).keys()].filter((one) => one !== FIRST_PROVIDER)
  return name === FIRST_PROVIDER
    ? sql`split_part(route, ' ', 1) <> all(${others}::text[])`
    : sql`split_part(route, ' ', 1) = ${name}`
}

/**
 * Assigns the tokens of a provider in turn to the users whose videos are ordered there, except
 * administrators, including inactive users (decision Q-19). `repeated` counts the assignments beyond each
 * token's first. Throws BAD_INPUT if there are no users, NOT_FOUND if there is no such provider, and
 * PASSWORD_NEEDED.
 */
export async function assignTokens(
  ctx: AdminCtx,
  { tokens, provider = FIRST_PROVIDER }: AssignTokensInput,
): Promise<AssignmentReceipt> {
  requireProof(ctx)
  const bound = boundToNamed(ctx, provider)
  return ctx.db.transaction(async (tx) => {
    const users = await tx.rows<{ id: string }>(sql`
      select id from users where ${GETS_ONE} and ${isAt(ctx, provider)} order by created_at, id for update`)
    if (users.length === 0)
      throw new AppError('BAD_INPUT', 'There are no users to assign tokens to')
    // More tokens than users are not handed out, and not kept.
    const needed = [...new Set(tokens)].slice(0, users.length)
    const stored: { id: string }[] = []
    for (const token of needed) stored.push(await storeToken(bound, tx, { token, by: ctx }))
    const [first, ...rest] = stored
    if (first === undefined) throw new AppError('BAD_INPUT', 'There are no tokens to assign')
    await giveInTurn(tx, users, [first, ...rest])
    const ids = stored.map(({ id }) => id)
    await tx.run(sql`
      update credentials set last_assigned_at = engine_now() where id = any(${ids}::uuid[])`)
    await forgetUnused(tx)
    await ctx.queue.add(tx, [{ name: 'videos.wake', payload: { reason: 'token' } }])
    const after = { tokensUsed: ids.length, repeated: users.length - ids.length }
    await logActivity(tx, ctx, { action: 'tokens.assign', after, count: users.length })
    return { assigned: users.length, ...after }
  })
}

/** A preview of which user would get which token. Tokens are masked. */
export type AssignmentPreview = AssignmentReceipt & {
  tokens: number
  users: number
  lines: { username: string; token: string }[]
}

const PREVIEW_LINES = 50

/**
 * Previews `assignTokens` without writing: the first assignments, and the receipt it would return.
 */
export async function previewAssignment(
  ctx: AdminCtx,
  tokens: readonly string[],
  provider = FIRST_PROVIDER,
): Promise<AssignmentPreview> {
  const { db } = ctx
  const [{ users }, shown] = await Promise.all([
    db.one<{ users: number }>(sql`
      select count(*)::int as users from users where ${GETS_ONE} and ${isAt(ctx, provider)}`),
    db.rows<{ username: string }>(sql`
      select username from users where ${GETS_ONE} and ${isAt(ctx, provider)}
      order by created_at, id limit ${PREVIEW_LINES}`),
  ])
  const distinct = [...new Set(tokens)]
  const [first, ...rest] = distinct.slice(0, PREVIEW_LINES).map(maskToken)
  const tokensUsed = Math.min(distinct.length, users)
  const plan = first === undefined ? [] : assignInTurn(shown, [first, ...rest])
  return {
    tokens: distinct.length,
    users,
    assigned: first === undefined ? 0 : users,
    tokensUsed,
    repeated: first === undefined ? 0 : users - tokensUsed,
    lines: plan.map(({ user, token }) => ({ username: user.username, token })),
  }
}
