import sql from 'sql-template-tag'
import { requireProof } from '../accounts/proof.server'
import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import { logActivity } from '../activity/write.server'
import { forgetUnused, giveInTurn, storeToken } from './credentials.server'
import { assignInTurn, maskToken } from './rules'
import type { AssignTokensInput } from './schemas'
import type { AssignmentReceipt } from './types'

/**
 * Assigns the tokens in turn to all users except administrators, including inactive users (decision
 * `repeated` counts the assignments beyond each token's first. Throws BAD_INPUT if there are
 * no users, and PASSWORD_NEEDED.
 */
export async function assignTokens(
  ctx: AdminCtx,
  { tokens }: AssignTokensInput,
): Promise<AssignmentReceipt> {
  requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    const users = await tx.rows<{ id: string }>(sql`
      select id from users where role <> 'admin' and deleted_at is null order by created_at, id for update`)
    if (users.length === 0)
      throw new AppError('BAD_INPUT', 'There are no users to assign tokens to')
    // More tokens than users are not handed out, and not kept.
    const needed = [...new Set(tokens)].slice(0, users.length)
    const stored: { id: string }[] = []
    for (const token of needed) stored.push(await storeToken(ctx, tx, { token, by: ctx }))
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
  { db }: AdminCtx,
  tokens: readonly string[],
): Promise<AssignmentPreview> {
  const where = { role: { not: 'admin' }, deletedAt: null } as const
  const [users, shown] = await Promise.all([
    db.prisma(({ user }) => user.count({ where })),
    db.prisma(({ user }) =>
      user.findMany({
        where,
        select: { username: true },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: PREVIEW_LINES,
      }),
    ),
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
