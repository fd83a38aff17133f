import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'

/**
 * Locks all administrators' rows in a fixed order. Two administrators who demote each other
 * concurrently are serialised, and the second one is rejected.
 */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.rows(sql`
    select id from users where role = 'admin' and deleted_at is null order by id for update`)
}

/** Throws CONFLICT if administrators would lock themselves out (decision Q-42). */
export function refuseOneself(ctx: AdminCtx, id: string, action: string): void {
  if (id === ctx.actor.id) throw new AppError('CONFLICT', `You cannot ${action} your own account`)
}

/**
 * Throws CONFLICT if there is no other active administrator than `id`. Must be called after
 * `lockAdmins`.
 */
export async function refuseLastAdmin(tx: Tx, id: string): Promise<void> {
  const where = { role: 'admin', isActive: true, deletedAt: null, id: { not: id } } as const
  const other = await tx.prisma(({ user }) => user.findFirst({ where, select: { id: true } }))
  if (!other) throw new AppError('CONFLICT', 'This is the last administrator')
}
