import { afterAll, beforeAll, expect, test } from 'vitest'
import { startInstallation, type Installation } from '../support/installation'
import type { TestProcess } from '../support/processes'
import { until } from '../support/wait'

let product: Installation
let worker: TestProcess
let pools: string[]
beforeAll(async () => {
  product = await startInstallation()
  worker = await product.startWorker()
  pools = await poolsWithALease()
})
afterAll(async () => {
  await worker.stop()
  await product.remove()
})

async function poolsWithALease(): Promise<string[]> {
  const { rows } = await product.db.query<{ pool: string }>(
    'select pool_id as pool from worker_leases order by pool_id',
  )
  return rows.map(({ pool }) => pool)
}

/** Adds a job as something has left it: nobody sees it before. */
async function leave(set: string): Promise<string> {
  const client = await product.db.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ id: string }>(
      `select id::text from graphile_worker.add_job('videos.purge', '{"keys":["00/nothing.mp4"]}')`,
    )
    const id = rows[0]!.id
    await client.query(`update graphile_worker._private_jobs set ${set} where id = $1`, [id])
    await client.query('commit')
    return id
  } finally {
    client.release()
  }
}

/** Waits until a job is done, by the worker that was there before: it stands in the queue until then. */
async function isDone(job: string): Promise<void> {
  await until('the job to be done', async () => {
    const query = 'select 1 from graphile_worker.jobs where id = $1'
    return (await product.db.query(query, [job])).rowCount === 0
  })
  expect(await poolsWithALease()).toEqual(pools)
}

test('W-JOB-3: a job of a worker that died before its lease stood is done by another', async () => {
  await isDone(await leave(`locked_by = 'pool-without-a-lease', locked_at = now()`))
})

test('W-JOB-3: a job that failed again and again does not wait for hours', async () => {
  const failed = `last_error = 'away', attempts = 12, run_at = now() + interval '6 hours'`
  await isDone(await leave(failed))
})

test('W-JOB-3: a job that is to be done later is left alone', async () => {
  const job = await leave(`run_at = now() + interval '6 hours'`)
  // Whoever brought it back would have brought the one back that failed.
  await isDone(await leave(`last_error = 'away', attempts = 3, run_at = now() + interval '1 hour'`))
  const { rows } = await product.db.query<{ waits: boolean }>(
    `select run_at > now() + interval '5 hours' as waits from graphile_worker.jobs where id = $1`,
    [job],
  )
  expect(rows).toEqual([{ waits: true }])
})
