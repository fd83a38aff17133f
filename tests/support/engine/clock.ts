import type pg from 'pg'

/** The engine's clock: PostgreSQL's clock plus an offset that the test sets. */
export type EngineClock = {
  /** Milliseconds since 1970. */
  now: () => Promise<number>
  move: (ms: number) => Promise<void>
  /**
   * Moves to an instant. Does nothing if it has passed, so several callers may wait for the same
   * one.
   */
  moveTo: (instant: number) => Promise<void>
  /** Returns the time without a query, accurate to a few milliseconds. */
  nowHere: () => number
}

/**
 * Real time moves this clock at a fraction of its speed, so that a busy machine, on which seconds pass between two
 * steps of a test, makes nothing due. It is not stopped: rows of one test have different times.
 */
const SLOWER = 20

export async function installClock(pool: pg.Pool): Promise<EngineClock> {
  await pool.query(`
    create table test_clock (started timestamptz not null, moved interval not null);
    -- In the morning of the day after: no test runs into midnight unless it means to.
    insert into test_clock values (now(), date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
      + interval '1 day 8 hours' - now());
    create or replace function engine_now() returns timestamptz language sql stable
      as 'select started + (statement_timestamp() - started) / ${SLOWER} + moved from test_clock';`)
  const { rows: first } = await pool.query<{ started: number; moved: number }>(
    `select extract(epoch from started)::float * 1000 as started,
       extract(epoch from moved)::float * 1000 as moved from test_clock`,
  )
  const { started, moved } = first[0]!
  let movedHere = moved
  const set = async (expression: string, ms: number) => {
    const { rows } = await pool.query<{ moved: number }>(
      `update test_clock set moved = ${expression}
       returning extract(epoch from moved)::float * 1000 as moved`,
      [ms],
    )
    movedHere = rows[0]?.moved ?? movedHere
  }
  return {
    now: async () => {
      const { rows } = await pool.query<{ ms: number }>(
        'select extract(epoch from engine_now())::float * 1000 as ms',
      )
      return rows[0]?.ms ?? 0
    },
    move: (ms) => set(`moved + $1 * interval '1 millisecond'`, ms),
    moveTo: (instant) =>
      set(
        `greatest(moved, to_timestamp($1::float / 1000) + interval '1 millisecond'
           - (started + (clock_timestamp() - started) / ${SLOWER}))`,
        instant,
      ),
    // Not Date.now: tests fake it.
    nowHere: () =>
      started + (performance.timeOrigin + performance.now() - started) / SLOWER + movedHere,
  }
}
