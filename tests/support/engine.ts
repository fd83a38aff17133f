import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runOnce } from 'graphile-worker'
import type pg from 'pg'
import { boot, type Boot } from '../../app/boot/deps.server'
import type { AdminCtx, Deps, UserCtx } from '../../app/domain/context'
import { newId } from '../../app/lib/ids'
import { readEnv } from '../../app/platform/env.server'
import { graphileLogger } from '../../jobs/graphile-log'
import { allTasks, bindTasks } from '../../jobs/task-list'
import { createTestDatabase } from './database'
import { findViolations } from './invariants'
import type { UserColumns } from './installation'
import { testEnv } from './processes'

/** The product's commands and jobs in this process, on a database whose clock the test moves. */
export type Engine = {
  deps: Deps
  pool: pg.Pool
  dataDir: string
  /** A new user, and the context in which he acts. */
  user: (columns?: Partial<UserColumns>) => Promise<UserCtx>
  admin: () => Promise<AdminCtx>
  /** Runs every job that is due. */
  drain: () => Promise<void>
  /** Moves the clock, running each job at its time on the way. */
  advance: (ms: number) => Promise<void>
  /** Milliseconds of the engine's clock since the engine was made. */
  elapsed: () => Promise<number>
  violations: () => Promise<Record<string, unknown[]>>
  close: () => Promise<void>
}

type Options = {
  env?: Record<string, string>
  /** Replaces adapters: the provider speaks to the simulator. */
  deps?: Partial<Deps>
}

let phones = 50_000_000

export async function startEngine({
  env: extra = {},
  deps: replaced = {},
}: Options = {}): Promise<Engine> {
  const database = await createTestDatabase()
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-engine-'))
  const result = readEnv({
    NODE_ENV: 'test',
    ...testEnv(database.url, dataDir),
    LOG_LEVEL: 'silent',
    ...extra,
  })
  if (!result.ok) throw new Error(result.problems.join('; '))
  const booted: Boot = boot({
    env: result.env,
    name: 'test',
    buildDir: path.resolve('build'),
    poolSize: 12,
    statementTimeoutMs: 30_000,
  })
  const { pool } = booted
  const deps: Deps = { ...booted.deps, ...replaced }
  await pool.query(`
    create table test_clock (moved interval not null);
    insert into test_clock values ('0');
    create or replace function engine_now() returns timestamptz language sql stable
      as 'select statement_timestamp() + (select moved from test_clock)';`)
  const startedAt = await now(pool)
  const move = async (ms: number) => {
    await pool.query(`update test_clock set moved = moved + $1 * interval '1 millisecond'`, [ms])
  }
  const controller = new AbortController()
  const poolId = 'pool-test'
  await pool.query(`insert into worker_leases (pool_id, pid, host) values ($1, $2, 'test')`, [
    poolId,
    process.pid,
  ])
  const scope = { deps, poolId: Promise.resolve(poolId), signal: controller.signal, sleep: move }
  const taskList = bindTasks(allTasks, scope)

  const drain = async () => {
    for (;;) {
      // The queue compares with PostgreSQL's own clock: what is due by ours is due now.
      const { rowCount } = await pool.query(`
        update graphile_worker._private_jobs set run_at = now() - interval '1 second'
        where locked_at is null and run_at <= engine_now()`)
      if (!rowCount) return
      await runOnce({
        pgPool: pool,
        taskList,
        concurrency: 8,
        noHandleSignals: true,
        logger: graphileLogger(deps.log),
      })
    }
  }
  const advance = async (ms: number) => {
    const target = (await now(pool)) + ms
    for (;;) {
      await drain()
      const { rows } = await pool.query<{ next: number | null }>(
        `select extract(epoch from min(run_at))::float * 1000 as next from graphile_worker._private_jobs`,
      )
      const current = await now(pool)
      const next = rows[0]?.next ?? Infinity
      if (next > target) {
        if (target > current) await move(target - current)
        return drain()
      }
      await move(Math.max(1, next - current))
    }
  }
  return {
    deps,
    pool,
    dataDir,
    user: async (columns = {}) => {
      const username = `0333${phones++}`
      const row = {
        plan: 'Starter',
        video_limit: 20,
        speed_limit: 1,
        video_generation_speed: 90,
        ...columns,
      }
      const id = newId()
      const names = Object.keys(row)
      await pool.query(
        `insert into users (id, username, phone, ${names.join(', ')})
         values ($1, $2, $2, ${names.map((_, i) => `$${i + 3}`).join(', ')})`,
        [id, username, ...Object.values(row)],
      )
      return {
        ...deps,
        requestId: newId(),
        actor: { kind: 'user', id, username, role: columns.role ?? 'user' },
      }
    },
    admin: async () => {
      const id = newId()
      const username = `admin${phones++}`
      await pool.query(
        `insert into users (id, username, role, plan, video_limit, speed_limit, video_generation_speed)
         values ($1, $2, 'admin', 'Enterprise', 1000, 10, 30)`,
        [id, username],
      )
      return { ...deps, requestId: newId(), actor: { kind: 'user', id, username, role: 'admin' } }
    },
    drain,
    advance,
    elapsed: async () => (await now(pool)) - startedAt,
    violations: () => findViolations(pool),
    close: async () => {
      controller.abort()
      await booted.close()
      await database.drop()
      await fs.rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function now(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'select extract(epoch from engine_now())::float * 1000 as ms',
  )
  return rows[0]?.ms ?? 0
}
