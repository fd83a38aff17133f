import { expect, test } from 'vitest'
import { DEFAULT_PLANS } from '../../../app/domain/plans/catalogue'
import { bulk, gapsOfRounds } from '../../support/engine/actions'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

test('U-BATCH-2: the pace has not drifted after a hundred rounds', async () => {
  const user = await engine.user({ plan: 'Starter', video_limit: 100 })
  const { batchId } = await bulk(user, 100)
  await engine.advance(100 * DEFAULT_PLANS.Starter.pace.delaySeconds * 1000)
  const all = await gapsOfRounds(engine, batchId)
  expect(all).toHaveLength(99)
  expect(Math.min(...all)).toBeGreaterThanOrEqual(90)
  // Each round is timed from the one before, so only the time that this machine takes for a round
  // adds up: a few milliseconds, and on an overloaded machine hundreds of them.
  expect(all.reduce((sum, gap) => sum + gap, 0) / 99).toBeLessThan(91)
  await engine.settle()
})
