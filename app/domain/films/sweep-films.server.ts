import sql from 'sql-template-tag'
import type { Deps } from '../context'

/**
 * Adds the jobs of films again that nothing has touched for a minute, and returns their number. They
 * may only be waiting for their turn, so each keeps its place: the job is due since its film was
 * accepted.
 */
export async function sweepFilms({ db, queue }: Pick<Deps, 'db' | 'queue'>): Promise<number> {
  return db.transaction(async (tx) => {
    const late = await tx.rows<{ filmId: string; ageMs: number }>(sql`
      update films set touched_at = engine_now()
      where id in (select id from films where state in ('waiting', 'working')
        and touched_at < engine_now() - interval '60 seconds'
        order by created_at limit 500 for update skip locked)
      returning id as "filmId", (extract(epoch from engine_now() - created_at) * 1000)::float as "ageMs"`)
    await queue.add(
      tx,
      late.map(({ filmId, ageMs }) => ({
        name: 'films.join',
        payload: { filmId },
        delayMs: -ageMs,
      })),
    )
    return late.length
  })
}
