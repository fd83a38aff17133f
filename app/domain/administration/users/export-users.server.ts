import sql, { empty } from 'sql-template-tag'
import type { AdminCtx } from '../../context'
import { logActivity } from '../../activity/write.server'
import { EXPORT_COLUMNS, fieldsOf } from '../account-fields'
import { EXPORT_HEADER, HASHED, NEVER, NONE, toCell } from './export-format'
import type { UserFilterQuery } from './list-schemas'
import type { ManagedUser } from '../types'
import { openTokens } from './personal-token.server'
import { countUsers, listForExport } from './users-query.server'

const AT_ONCE = 500

/** Tokens are masked unless the administrator has given the password again (`confirmPassword`). */
type Export = { query: UserFilterQuery; tokens: 'masked' | 'clear' }

/**
 * Yields all accounts that match a filter as lines of a file, in chunks, so that memory use does
 * not depend on their number. Records the download in the activity log. Returns null if there are no
 * accounts.
 */
export async function exportUsers(
  ctx: AdminCtx,
  { query, tokens }: Export,
): Promise<AsyncGenerator<string> | null> {
  const count = await countUsers(ctx, query)
  if (count === 0) return null
  const action = tokens === 'clear' ? 'users.export-tokens' : 'users.export'
  await ctx.db.transaction((tx) => logActivity(tx, ctx, { action, count }))
  return lines(ctx, { query, tokens })
}

async function* lines(ctx: AdminCtx, { query, tokens }: Export): AsyncGenerator<string> {
  yield `${EXPORT_HEADER}\n`
  for (let after: string | null = null; ;) {
    const beyond = after === null ? empty : sql`and users.id > ${after}`
    const users: ManagedUser[] = await listForExport(ctx, query, {
      beyond,
      limit: AT_ONCE,
    })
    const clear = tokens === 'clear' ? await openTokens(ctx, users) : new Map<string, string>()
    if (users.length > 0) yield users.map((user) => toLine(user, clear.get(user.id))).join('')
    after = users.at(-1)?.id ?? null
    if (users.length < AT_ONCE) return
  }
}

/** Builds one line of the file. It contains neither the password nor its hash. */
function toLine(user: ManagedUser, token: string | undefined): string {
  const { daysLeft } = user
  const cells = {
    ...fieldsOf(user),
    username: user.username,
    phone: user.phone,
    password: HASHED,
    videosGeneratedThisMonth: user.videosGeneratedThisMonth,
    expireDays: daysLeft === null ? NEVER : Math.max(0, daysLeft),
    bearerToken: token ?? user.tokenMasked ?? NONE,
    createdAt: user.createdAt,
  } satisfies Record<(typeof EXPORT_COLUMNS)[number], string | number | boolean | null>
  return `${EXPORT_COLUMNS.map((column) => toCell(String(cells[column] ?? ''))).join('|')}\n`
}
