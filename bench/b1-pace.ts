import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DEFAULT_PLANS } from '../app/domain/plans/catalogue'
import { startSimulator } from '../tests/simulator/simulator'
import type { Client } from '../tests/support/client'
import { startInstallation, type Installation } from '../tests/support/installation'
import { until } from '../tests/support/wait'
import { median, round } from './measure'

/** Rounds per batch. The first starts at once, the others at the plan's pace. */
const ROUNDS = 3
const CLIENTS = 8
/** Short enough for a video to finish before its user's next round. */
const GENERATION_MS = 2_000
/** The period over which the due times of the bare loop are spread. */
const BARE_MS = 10_000

export type Pace = {
  batches: number
  rounds: number
  early: number
  /** Delay of a round after the moment at which the plan's pace allowed it (decision 74). */
  lateMs: { p50: number; p99: number; max: number }
  /** Time between two rounds of a batch beyond the plan's delay. */
  driftMs: { p50: number; p99: number; max: number }
  /** Milliseconds from a round to its last order at the provider. */
  roundToOrderMs: { p50: number; p99: number }
  /** The delay in a bare loop that only looks for due rows, for as many rounds. */
  bareLateMs: { p50: number; p99: number; max: number }
}

/**
 * B1: runs concurrent batches of all plans at the plans' real intervals, with one video per round.
 * B3 measures how many videos a worker can process.
 */
export async function pace(batches: number): Promise<Pace> {
  const sim = await startSimulator({ scenario: { defaults: { generationMs: GENERATION_MS } } })
  const product = await startInstallation({
    env: {
      ...sim.env('openai'),
      VIDEO_PROVIDER_TIME_SCALE: '0.2',
      PLATFORM_MAX_IN_FLIGHT: '100000',
      TOKEN_MAX_IN_FLIGHT: '100000',
    },
  })
  try {
    const owners = await ownersOf(product, batches)
    await product.startWorker()
    await startAll(owners)
    await allRounds(product, batches)
    return {
      batches,
      ...(await readRounds(product)),
      bareLateMs: await bareTicker(product, batches * (ROUNDS - 1)),
    }
  } finally {
    await product.remove()
    await sim.stop()
  }
}

type Owner = { client: Client; prompts: string[] }

async function ownersOf(product: Installation, count: number): Promise<Owner[]> {
  const plans = Object.values(DEFAULT_PLANS)
  const owners: Owner[] = []
  for (let i = 0; i < count; i++) {
    const plan = plans[i % plans.length]
    if (!plan) throw new Error('there are no plans')
    const client = await product.user({
      video_limit: 1000,
      speed_limit: 1,
      video_generation_speed: plan.pace.delaySeconds,
    })
    owners.push({
      client,
      prompts: Array.from({ length: ROUNDS }, (_, n) => `${plan.name} scene ${n}`),
    })
  }
  return owners
}

async function startAll(owners: readonly Owner[]): Promise<void> {
  const left = [...owners]
  const send = async () => {
    for (let owner = left.pop(); owner; owner = left.pop()) {
      const { prompts, client } = owner
      const response = await client.post('/api/videos/bulk-generate', { prompts })
      if (response.status !== 201) throw new Error(JSON.stringify(response.body))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, send))
}

const allRounds = ({ db }: Installation, batches: number) =>
  until(
    'the last round',
    async () => {
      await sleep(1000)
      const { rows } = await db.query<{ fired: number }>(
        'select count(*)::int as fired from rounds',
      )
      return rows[0]?.fired === batches * ROUNDS
    },
    600_000,
  )

async function readRounds({ db }: Installation) {
  // A round is allowed a whole delay after the last moment at which the provider can have received
  // an order of the previous round. The time that the order took to arrive is part of the drift.
  const { rows } = await db.query<{ late: number | null; drift: number | null }>(
    `with timed as (
       select fired_at, rounds.round_no, rounds.batch_id, make_interval(secs => delay_seconds) as delay,
         lag(fired_at) over (partition by batch_id order by rounds.round_no) as before
       from rounds join batches on batches.id = rounds.batch_id
     ), allowed as (
       select timed.*, greatest(before + delay, (
         select max(sent_by) + delay from attempts
           join videos on videos.id = attempts.video_id and attempts.n = 1
         where videos.batch_id = timed.batch_id and batch_position = timed.round_no - 1)) as at
       from timed
     )
     select extract(epoch from fired_at - at)::float * 1000 as late,
       extract(epoch from fired_at - before - delay)::float * 1000 as drift
     from allowed`,
  )
  const sorted = (of: 'late' | 'drift') =>
    rows.flatMap((row) => (row.drift === null ? [] : (row[of] ?? []))).sort((a, b) => a - b)
  const [late, drift] = [sorted('late'), sorted('drift')]
  const sent = await db.query<{ ms: number }>(
    `select extract(epoch from sent_at - fired_at)::float * 1000 as ms
     from attempts join videos on videos.id = attempts.video_id
       join rounds on rounds.batch_id = videos.batch_id and rounds.round_no = videos.batch_position
     where attempts.n = 1 and sent_at is not null`,
  )
  const order = sent.rows.map(({ ms }) => ms).sort((a, b) => a - b)
  return {
    rounds: rows.length,
    early: [...late, ...drift].filter((ms) => ms < 0).length,
    lateMs: spread(late),
    driftMs: spread(drift),
    roundToOrderMs: spread(order),
  }
}

const spread = (sorted: readonly number[]) => ({
  p50: round(median(sorted)),
  p99: round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
  max: round(sorted.at(-1) ?? 0),
})

/** Measures the simplest scheduler: a loop over one table that sleeps until the next row is due. */
async function bareTicker({ env, db }: Installation, count: number) {
  await db.query('create table bare_ticks (due timestamptz not null)')
  await db.query('create index on bare_ticks (due)')
  await db.query(
    `insert into bare_ticks select now() + interval '1 second' + random() * $2 * interval '1 ms'
     from generate_series(1, $1::int)`,
    [count, BARE_MS],
  )
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const late: number[] = []
  while (late.length < count) {
    const { rows } = await client.query<{ late: number }>(
      `delete from bare_ticks where due <= clock_timestamp()
       returning extract(epoch from clock_timestamp() - due)::float * 1000 as late`,
    )
    late.push(...rows.map((row) => row.late))
    const next = await client.query<{ ms: number | null }>(
      'select extract(epoch from min(due) - clock_timestamp())::float * 1000 as ms from bare_ticks',
    )
    await sleep(Math.max(0, next.rows[0]?.ms ?? 0))
  }
  await client.end()
  return spread(late.sort((a, b) => a - b))
}
