import { afterAll, beforeAll, expect, test } from 'vitest'
import { startInstallation, type Installation } from '../support/installation'
import type { TestProcess } from '../support/processes'
import { findViolations } from '../support/invariants'
import { until } from '../support/wait'
import { allAreMade, order } from '../support/way'

let product: Installation
let worker: TestProcess
let pools: string[]
beforeAll(async () => {
  product = await startInstallation()
  await startOne()
})
afterAll(async () => {
  await worker.stop()
  await product.remove()
})

async function startOne(): Promise<void> {
  worker = await product.startWorker()
  pools = await poolsWithALease()
}

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

/** A worker stops while the last step of an order, which failed, waits there to be tried again. */
async function leaveInTheLastStep(): Promise<void> {
  const user = await product.user({ video_limit: 10 })
  await product.db.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on videos for each row
      when (new.status = 'completed') execute function refuse()`)
  await order(user, 'refused')
  await until('its last step to fail', async () => {
    const failed = `select 1 from graphile_worker.jobs where last_error like '%refused%'`
    return (await product.db.query(failed)).rowCount === 1
  })
  await worker.stop()
  await product.db.query('drop function refuse cascade')
}

test('W-JOB-3: a worker leaves while a step of its own waits to be tried again: the next one takes it on', async () => {
  await leaveInTheLastStep()
  await startOne()
  await allAreMade(product)
  expect(await findViolations(product.db)).toEqual({})
})

test('W-JOB-3: an order whose step was taken for a worker that was buried already is taken on', async () => {
  await leaveInTheLastStep()
  await product.db.query(`
    delete from graphile_worker._private_jobs
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'videos.fetch')`)
  await product.db.query(`
    update attempts set lease_pool = 'pool-that-was-buried', due_at = engine_now() + interval '5 minutes'
    where state = 'fetching'`)
  await startOne()
  await allAreMade(product)
  expect(await findViolations(product.db)).toEqual({})
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
