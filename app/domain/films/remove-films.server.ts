import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Queue } from '~/platform/queue/port'
import { fileKeyOf, posterKeyOf } from './film-files'

/**
 * Removes the films that match `which`, and their files by a job. The run of a film that is being
 * made finds its row gone, and removes what it has stored since. Returns how many were removed.
 */
export async function removeFilms(tx: Tx, queue: Queue, which: Sql): Promise<number> {
  const gone = await tx.rows<{ id: string }>(
    sql`delete from films where ${which} returning films.id`,
  )
  const keys = gone.flatMap(({ id }) => [fileKeyOf(id), posterKeyOf(id)])
  if (keys.length > 0) await queue.add(tx, [{ name: 'videos.purge', payload: { keys } }])
  return gone.length
}
