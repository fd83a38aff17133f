import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type Boot } from '../../../app/boot/deps.server'
import { readEnv } from '../../../app/platform/env.server'
import { superviseRunner } from '../../../jobs/runner'
import { startInstallation, type Installation } from '../../support/installation'
import { until } from '../../support/wait'

let product: Installation
let booted: Boot
beforeAll(async () => {
  product = await startInstallation()
  const read = readEnv({ NODE_ENV: 'test', ...product.env, LOG_LEVEL: 'silent' })
  if (!read.ok) throw new Error(read.problems.join('; '))
  booted = boot({
    env: read.env,
    name: 'test',
    buildDir: path.resolve('build'),
    poolSize: 2,
    queuePoolSize: 4,
    connectTimeoutMs: 30_000,
    statementTimeoutMs: 30_000,
  })
})
afterAll(async () => {
  await booted.close()
  await product.remove()
})

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
