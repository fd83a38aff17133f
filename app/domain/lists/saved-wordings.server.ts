import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import type { SavedWording } from './types'
import { OWN_PLACE } from './wording'

/** The most wordings that a user can save. */
const MOST_SAVED = 20

/** Returns the user's saved wordings, newest first. */
export const listSavedWordings = ({ db, actor }: UserCtx): Promise<SavedWording[]> =>
  db.rows<SavedWording>(sql`
    select hash as id, text from saved_wordings where user_id = ${actor.id}
    order by created_at desc, hash`)

/**
 * Saves how every prompt of a list is written, so that other lists can use it. One that is saved already,
 * or says nothing, is not saved. Throws CONFLICT beyond 20.
 */
export async function saveWording({ db, actor }: UserCtx, text: string): Promise<void> {
  if (['', OWN_PLACE].includes(text)) return
  const hash = createHash('sha256').update(text).digest('hex')
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into saved_wordings (user_id, hash, text, created_at)
      values (${actor.id}, ${hash}, ${text}, engine_now())
      on conflict do nothing`)
    const { count } = await tx.one<{ count: number }>(sql`
      select count(*)::int as count from saved_wordings where user_id = ${actor.id}`)
    if (count <= MOST_SAVED) return
    throw new AppError(
      'CONFLICT',
      `You can save ${MOST_SAVED} wordings. Remove one to save this one.`,
    )
  })
}

/** Removes a saved wording. Lists that use it stay as they are. */
export async function removeWording({ db, actor }: UserCtx, id: string): Promise<void> {
  await db.run(sql`delete from saved_wordings where user_id = ${actor.id} and hash = ${id}`)
}
