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

export async function installClock(pool: pg.Pool): Promise<EngineClock> {
  await pool.query(`
    create table test_clock (moved interval not null);
    -- In the morning of the day after: no test runs into midnight unless it means to.
    insert into test_clock values (date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
      + interval '1 day 8 hours' - now());
    create or replace function engine_now() returns timestamptz language sql stable
      as 'select statement_timestamp() + (select moved from test_clock)';`)
  const { rows: moved } = await pool.query<{ ms: number }>(
    'select extract(epoch from moved)::float * 1000 as ms from test_clock',
  )
  let movedHere = moved[0]?.ms ?? 0
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
        `greatest(moved, to_timestamp($1::float / 1000) + interval '1 millisecond' - clock_timestamp())`,
        instant,
      ),
    // Not Date.now: tests fake it.
    nowHere: () => performance.timeOrigin + performance.now() + movedHere,
  }
}
