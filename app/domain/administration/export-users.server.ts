import sql, { empty } from 'sql-template-tag'
import type { AdminCtx } from '../context'
import { noteInTrail } from '../trail.server'
import { EXPORT_COLUMNS, EXPORT_HEADER, HASHED, NEVER, NONE, toCell } from './export-format'
import type { UserFilterQuery } from './list-schemas'
import type { ManagedUser } from './types'
import { countUsers, listForExport } from './users-query.server'

const AT_ONCE = 500

/**
 * All accounts that a filter finds as the lines of a file, some at a time, so that any number of them
 * takes the same memory. Notes the download in the trail. Null when there is nobody.
 */
export async function exportUsers(
  ctx: AdminCtx,
  query: UserFilterQuery,
): Promise<AsyncGenerator<string> | null> {
  const count = await countUsers(ctx, query)
  if (count === 0) return null
  await ctx.db.transaction((tx) => noteInTrail(tx, ctx, { action: 'users.export', count }))
  return lines(ctx, query)
}

async function* lines(ctx: AdminCtx, query: UserFilterQuery): AsyncGenerator<string> {
  yield `${EXPORT_HEADER}\n`
  for (let after: string | null = null; ;) {
    const beyond = after === null ? empty : sql`and users.id > ${after}`
    const users: ManagedUser[] = await listForExport(ctx, query, {
      beyond,
      limit: AT_ONCE,
    })
    if (users.length > 0) yield users.map(toLine).join('')
    after = users.at(-1)?.id ?? null
    if (users.length < AT_ONCE) return
  }
}

/** One account as a line of the file. Neither a password nor its hash nor a whole token is in it. */
function toLine(user: ManagedUser): string {
  const { daysLeft } = user
  const cells = {
    username: user.username,
    phone: user.phone ?? '',
    password: HASHED,
    role: user.role,
    plan: user.plan ?? '',
    videoLimit: user.videoLimit,
    speedLimit: user.speedLimit,
    videoGenerationSpeed: user.videoGenerationSpeed,
    videosGeneratedThisMonth: user.videosGeneratedThisMonth,
    expireDays: daysLeft === null ? NEVER : Math.max(0, daysLeft),
    bearerToken: user.tokenMasked ?? NONE,
    isActive: user.isActive,
    createdAt: user.createdAt,
  } satisfies Record<(typeof EXPORT_COLUMNS)[number], string | number | boolean>
  return `${EXPORT_COLUMNS.map((column) => toCell(String(cells[column]))).join('|')}\n`
}
