import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'

/** Returns the JPEG of a claim, or null: it had none, or it has been removed. */
export async function readScreenshot(db: Executor, id: string): Promise<Buffer | null> {
  if (!isId(id)) return null
  const row = await db.row<{ bytes: Buffer }>(sql`
    select bytes from payment_pictures where payment_id = ${id}`)
  return row?.bytes ?? null
}
