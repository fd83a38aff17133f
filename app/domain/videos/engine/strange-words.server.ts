import sql from 'sql-template-tag'
import { minutes } from '~/lib/time'
import type { EngineCtx } from './context'

const NOTED_EVERY_MS = minutes(1)
const KEPT = sql`interval '7 days'`
/** A server that makes up a new word for each order must not fill the table. */
const MOST_WORDS = 50

/**
 * Records a status that the adapter does not know, for the page System. Writes at most once a minute
 * per word, because every poll of every order may bring it.
 */
export async function noteStrangeWord(
  { db, log }: Pick<EngineCtx, 'db' | 'log'>,
  word: string,
): Promise<void> {
  const noted = await db.row<{ isNew: boolean }>(sql`
    with forgotten as (
      delete from strange_words where seen_at < engine_now() - ${KEPT} and word <> ${word}
    )
    insert into strange_words as known (word, first_seen_at, seen_at)
    select ${word}, engine_now(), engine_now()
    where (select count(*) from strange_words where word <> ${word}) < ${MOST_WORDS}
    on conflict (word) do update set seen_at = excluded.seen_at
      where known.seen_at < excluded.seen_at - ${NOTED_EVERY_MS}::float * interval '1 millisecond'
    returning first_seen_at = seen_at as "isNew"`)
  if (noted?.isNew) log.warn({ word }, 'unknown status of an order; it counts as unfinished')
}
