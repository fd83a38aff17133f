import { nextInLine } from '../app/domain/videos/engine/next-in-line.server'
import { asOwner } from '../tests/support/cluster'
import { createTestDatabase } from '../tests/support/database'
import { median, round } from './measure'

const USERS = 1_000
const RUNS = 50

export type LinePlan = { waiting: number; ms: number; plan: string[] }

/** Times and explains the statement that picks the next fifty of the line, at several lengths. */
export async function linePlans(lengths: readonly number[]): Promise<LinePlan[]> {
  const database = await createTestDatabase()
  const { text, values } = nextInLine({
    most: 50,
    onlySingles: false,
    routes: ['first'],
    withoutPictures: [],
  })
  return asOwner(database.url, async (db) => {
    const plans: LinePlan[] = []
    // Rolled back, so that every run finds the same line.
    const look = async (statement: { name: string; text: string }) => {
      await db.query('begin')
      const startedAt = performance.now()
      const { rows } = await db.query<Record<string, string>>({ ...statement, values })
      const ms = performance.now() - startedAt
      await db.query('rollback')
      return { rows, ms }
    }
    await db.query(
      `insert into users (id, username, video_limit, speed_limit, video_generation_speed)
       select gen_random_uuid(), 'line' || n, 1000, 10, 30 from generate_series(1, $1::int) as n`,
      [USERS],
    )
    for (const waiting of lengths) {
      await db.query(FILL, [plans.at(-1)?.waiting ?? 0, waiting - 1, USERS])
      await db.query('vacuum analyze users, galleries, videos, line_entries')
      const times: number[] = []
      for (let i = 0; i < RUNS; i++) times.push((await look({ name: 'pick', text })).ms)
      const explained = await look({
        name: `explain ${waiting}`,
        text: `explain (analyze, buffers, costs off) ${text}`,
      })
      const plan = explained.rows.map((row) => row['QUERY PLAN'] ?? '')
      plans.push({ waiting, ms: round(median(times)), plan })
    }
    return plans
  })
}

const FILL = `
  with people as (select array_agg(id order by id) as ids from users), added as (
    insert into videos (id, user_id, prompt, aspect_ratio, model, seed)
    select gen_random_uuid(), ids[1 + n % $3::int], 'a boat', 'portrait', 'bench', n
    from people, generate_series($1::int, $2::int) as n
    returning id, user_id, seed
  )
  insert into line_entries (video_id, generation, user_id, lane, turn, state)
  select id, 1, user_id, 1, seed / $3::int, 'ready' from added`
