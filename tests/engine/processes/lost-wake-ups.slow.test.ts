import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startInstallation, type Installation } from '../../support/installation'
import type { TestProcess } from '../../support/processes'
import { findViolations } from '../../support/invariants'
import { until } from '../../support/wait'
import { untilNothingIsUnderWay, order } from '../../support/attempt-progress'

// The tables are the truth and a job is only a wake-up: work continues even if a job is lost or
// delayed.
let product: Installation
let worker: TestProcess
beforeAll(async () => {
  product = await startInstallation()
})
afterAll(() => product.remove())
afterEach(async () => {
  await worker.stop()
  expect(await findViolations(product.db)).toEqual({})
})

/** Orders a video whose last step fails on our side until `mend` is called. */
async function failInTheLastStep() {
  const user = await product.user({ video_limit: 10 })
  await product.db.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on videos for each row
      when (new.status = 'completed') execute function refuse()`)
  worker = await product.startWorker()
  const video = await order(user, randomUUID())
  // Locked jobs of the earlier tests stay in the queue, so only this video's job counts.
  await until('its last step to fail', async () => {
    const failed = `select 1 from graphile_worker.jobs
      join attempts on jobs.key = 'attempt:' || attempts.id
      where video_id = $1 and last_error like '%refused%'`
    return (await product.db.query(failed, [video])).rowCount === 1
  })
  return { mend: () => product.db.query('drop function refuse cascade') }
}

const setJobs = (set: string) => product.db.query(`update graphile_worker._private_jobs set ${set}`)

test('W-JOB-3: a step that failed repeatedly does not wait for hours', async () => {
  const { mend } = await failInTheLastStep()
  await mend()
  await setJobs(`attempts = 12, run_at = now() + interval '6 hours'`)
  await untilNothingIsUnderWay(product)
})

test('W-JOB-3: a wake-up that is locked by a process that is gone is added again', async () => {
  const { mend } = await failInTheLastStep()
  await mend()
  await setJobs(`locked_by = 'a pool that is gone', locked_at = now()`)
  await untilNothingIsUnderWay(product)
})

test('W-JOB-3: a lost wake-up is added again by a worker that runs all the time', async () => {
  const { mend } = await failInTheLastStep()
  await mend()
  await product.db.query('delete from graphile_worker._private_jobs')
  await untilNothingIsUnderWay(product)
  expect(worker.child.exitCode).toBeNull()
})

test('W-JOB-3: a worker exits while one of its steps waits to be retried: the next worker runs it', async () => {
  const { mend } = await failInTheLastStep()
  await worker.stop()
  await mend()
  worker = await product.startWorker()
  await untilNothingIsUnderWay(product)
})

test('W-JOB-3: a step whose lease holder is unknown continues when its lease is over', async () => {
  const { mend } = await failInTheLastStep()
  await worker.stop()
  await mend()
  await product.db.query('delete from graphile_worker._private_jobs')
  await product.db.query(`update attempts set lease_holder = gen_random_uuid(),
    due_at = engine_now() + interval '15 seconds' where state = 'fetching'`)
  worker = await product.startWorker()
  await untilNothingIsUnderWay(product)
})
