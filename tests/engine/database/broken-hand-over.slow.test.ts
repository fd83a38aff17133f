import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { boot, type Boot } from '../../../app/boot/deps.server'
import { readEnv } from '../../../app/platform/env.server'
import { superviseRunner } from '../../../jobs/runner'
import { startInstallation, type Installation } from '../../support/installation'
import { until } from '../../support/wait'

let product: Installation
beforeAll(async () => {
  product = await startInstallation()
})
afterAll(() => product.remove())

/** Boots a process of its own, because connections stay as they were made. */
function bootWorker(): Boot {
  const read = readEnv({ NODE_ENV: 'test', ...product.env, LOG_LEVEL: 'silent' })
  if (!read.ok) throw new Error(read.problems.join('; '))
  const booted = boot({
    env: read.env,
    name: 'test',
    buildDir: path.resolve('build'),
    poolSize: 2,
    queuePoolSize: 4,
    connectTimeoutMs: 30_000,
    statementTimeoutMs: 30_000,
  })
  onTestFinished(() => booted.close())
  return booted
}

/**
 * Breaks the connection once, after the database has claimed jobs for it and before the result
 * arrives.
 */
function loseOneHandOver(pool: pg.Pool) {
  let lost = 0
  pool.on('connect', (client) => {
    client.query = new Proxy(client.query, {
      apply: async (query, self, args) => {
        const response: unknown = await Reflect.apply(query, self, args)
        const isHandOver = /skip locked[^]*returning \*/.test(JSON.stringify(args[0]))
        if (!isHandOver || lost > 0 || !(response instanceof pg.Result)) return response
        lost = response.rows.length
        if (lost > 0) throw new Error('Connection terminated unexpectedly')
        return response
      },
    })
  })
  return () => lost
}

test('W-JOB-3: jobs run although the response that assigned them to the worker was lost', async () => {
  const booted = bootWorker()
  const lost = loseOneHandOver(booted.queuePool)
  let runs = 0
  const count = () => {
    runs++
  }
  const runner = superviseRunner(booted, {
    taskList: { count },
    concurrency: 2,
    pollIntervalMs: 100,
  })
  await runner.started
  await product.db.query(`select graphile_worker.add_job('count') from generate_series(1, 2)`)
  await until('both jobs to run', () => runs === 2)
  expect(lost()).toBeGreaterThan(0)
  await runner.stop()
})

/** Breaks the connection whenever jobs are returned that no place was free for. Returns how often. */
function breakReturns(pool: pg.Pool) {
  let broken = 0
  pool.on('connect', (client) => {
    client.query = new Proxy(client.query, {
      apply: (query, self, args) => {
        if (!/attempts = GREATEST/i.test(JSON.stringify(args[0])))
          return Reflect.apply(query, self, args) as unknown
        broken++
        return Promise.reject(new Error('Connection terminated unexpectedly'))
      },
    })
  })
  return () => broken
}

test('K12: a runner that stops while the database goes away ends no process, and its jobs run', async () => {
  const unheard: unknown[] = []
  const note = (error: unknown) => unheard.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const booted = bootWorker()
  const returns = breakReturns(booted.queuePool)
  const waiting: (() => void)[] = []
  const hold = () => new Promise<void>((resolve) => waiting.push(resolve))
  const config = { concurrency: 2, pollIntervalMs: 100 }
  const runner = superviseRunner(booted, { ...config, taskList: { hold } })
  await runner.started
  const add = (count: number) =>
    product.db.query(`select graphile_worker.add_job('hold') from generate_series(1, $1::int)`, [
      count,
    ])
  // One runs, so there is one place for two jobs: the runner holds one of them.
  await add(1)
  await until('one to run', () => waiting.length === 1)
  await add(2)
  await until('two to run', () => waiting.length === 2)
  const stopped = runner.stop()
  for (const end of waiting) end()
  await stopped
  expect(returns()).toBeGreaterThan(0)
  expect(unheard).toEqual([])
})
