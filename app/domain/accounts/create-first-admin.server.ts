import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Deps } from '../context'
import { DEFAULT_PLANS } from '../plans/catalogue'
import { normalizeUsername } from '../names/names'

/** `password` is the generated password, or null if the settings provided one. */
export type FirstAdmin = { username: string; password: string | null }

/**
 * Creates the first administrator if there is none. Returns a generated password in clear text,
 * which is not stored anywhere. Safe to run concurrently.
 */
export async function createFirstAdmin(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  wish: { username: string; password: string | undefined },
): Promise<FirstAdmin | undefined> {
  const username = normalizeUsername(wish.username)
  const password = wish.password ?? randomBytes(9).toString('base64url')
  const existing = await db.row(
    sql`select 1 from users where role = 'admin' and deleted_at is null limit 1`,
  )
  if (existing) return undefined
  const passwordHash = await passwords.hash(password)
  const { videosPerDay, pace } = DEFAULT_PLANS.Enterprise
  const created = await db.run(sql`
    insert into users (id, username, password_hash, role, plan, video_limit, speed_limit,
      video_generation_speed, created_at)
    select ${newId()}, ${username}, ${passwordHash}, 'admin', 'Enterprise', ${videosPerDay},
      ${pace.videos}, ${pace.delaySeconds}, engine_now()
    where not exists (select 1 from users where role = 'admin' and deleted_at is null)
    on conflict (username) where deleted_at is null do nothing`)
  return created ? { username, password: wish.password === undefined ? password : null } : undefined
}
