import { afterAll, beforeAll, expect, test } from 'vitest'
import { roundsOf } from '../../support/engine/actions'
import { startInstallation, type Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { until } from '../../support/wait'

// Checks the pace with three worker processes and PostgreSQL's own clock.
let product: Installation
beforeAll(async () => {
  product = await startInstallation()
})
afterAll(() => product.remove())

const SPEED = 2
const DELAY_SECONDS = 2
const ROUNDS = 5

test('W-JOB-3: three workers, one killed between rounds and another stopped: no round early, none twice', async () => {
  const user = await product.user({
    video_limit: 20,
    speed_limit: SPEED,
    video_generation_speed: DELAY_SECONDS,
  })
  const workers = await Promise.all([1, 2, 3].map(() => product.startWorker()))
  const { body } = await user.post<{ batchId: string }>('/api/videos/bulk-generate', {
    prompts: Array.from({ length: SPEED * ROUNDS }, (_, i) => `kite ${i}`),
  })
  const rounds = () => roundsOf({ pool: product.db }, body.batchId)
  await until('the second round', async () => (await rounds()).length >= 2)
  await workers[0]?.kill()
  await until('the third round', async () => (await rounds()).length >= 3)
  workers[1]?.child.kill('SIGSTOP')
  const fired = await until('the last round', async () => {
    const all = await rounds()
    return all.length >= ROUNDS && all
  }).finally(() => workers[1]?.child.kill('SIGCONT'))
  expect(fired.map(({ roundNo, size }) => [roundNo, size])).toEqual(
    Array.from({ length: ROUNDS }, (_, i) => [i + 1, SPEED]),
  )
  for (const { gap } of fired.slice(1)) expect(gap).toBeGreaterThanOrEqual(DELAY_SECONDS)
  expect(await findViolations(product.db)).toEqual({})
})
