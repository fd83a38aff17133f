import type { Executor } from '~/platform/db/port'
import { PROVEN } from './columns.server'

/** Returns the existing account with the first matching form of a name. */
export async function findByName(db: Executor, forms: readonly string[]) {
  const found = await db.prisma(({ user }) =>
    user.findMany({
      where: { username: { in: [...forms] }, deletedAt: null },
      select: { ...PROVEN, passwordHash: true },
    }),
  )
  return found.sort((a, b) => forms.indexOf(a.username) - forms.indexOf(b.username)).at(0)
}
