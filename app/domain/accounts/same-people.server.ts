import sql from 'sql-template-tag'
import { BEFORE_ALL_IDS } from '~/lib/ids'
import type { Deps } from '../context'
import { nameForms } from '../names/name-forms.server'

export type Namesake = {
  id: string
  username: string
  role: string
  plan: string | null
  createdAt: Date
  videos: number
}

const STEP = 5_000

/**
 * Finds existing accounts whose names have the same canonical form today, in groups, oldest account
 * first. Such accounts were created before names were normalized or before the countries of phone
 * numbers were set. Reads all names in chunks. Read-only.
 */
export async function findSamePeople({
  db,
  settings,
}: Pick<Deps, 'db' | 'settings'>): Promise<Namesake[][]> {
  const groups = new Map<string, string[]>()
  for (let after = BEFORE_ALL_IDS; ;) {
    const rows = await db.prisma(({ user }) =>
      user.findMany({
        where: { deletedAt: null, id: { gt: after } },
        select: { id: true, username: true },
        orderBy: { id: 'asc' },
        take: STEP,
      }),
    )
    for (const { id, username } of rows) {
      const { stored } = nameForms(username, settings.phoneCountries)
      groups.set(stored, [...(groups.get(stored) ?? []), id])
    }
    const last = rows.at(-1)
    if (!last) break
    after = last.id
  }
  const same = [...groups.values()].filter(({ length }) => length > 1)
  return Promise.all(same.map((ids) => describe(db, ids)))
}

const describe = (db: Deps['db'], ids: readonly string[]): Promise<Namesake[]> =>
  db.rows<Namesake>(sql`
    select id, username, role, plan, created_at as "createdAt",
      (select count(*)::int from videos where user_id = users.id and videos.deleted_at is null) as videos
    from users where id = any(${[...ids]}::uuid[]) order by created_at, id`)
