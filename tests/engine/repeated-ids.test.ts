import { expect, onTestFinished, test, vi } from 'vitest'
import { findViolations } from '../../app/domain/activity/invariants.server'
import { getSystemFacts } from '../../app/domain/activity/system-status.server'
import { findingsOf } from '../../app/domain/activity/system-rules'
import { storeDefaultCredential } from '../../app/domain/tokens/credentials.server'
import { DEFAULT_TOKEN } from '../simulator/settings'
import { generate, videosOf } from '../support/engine/acts'
import { startEngine } from '../support/engine/engine'
import { PATIENCE_MS } from '../support/engine/trials'

vi.setConfig({ testTimeout: PATIENCE_MS })

test('W10: a gateway gives a new order the id of an earlier one, as after a restart: System names it, and the video is made', async () => {
  const defaults = { generationMs: 20_000 }
  const rules = [{ when: { op: 'submit' as const, nth: 2 }, do: { fault: 'same-id' as const } }]
  // Two orders with one id are one order in the ledger's check, so only the statements are checked.
  const engine = await startEngine({ flavour: 'gateway', scenario: { defaults, rules } })
  onTestFinished(engine.close)
  await storeDefaultCredential(engine.deps, DEFAULT_TOKEN)
  const finding = async () =>
    findingsOf(await getSystemFacts(engine.deps)).find(({ area }) => area === 'Order ids')
  const user = await engine.user({ plan: 'Enterprise' })
  await generate(user, 'the first')
  await engine.advance(30_000)
  expect(await finding()).toBeUndefined()
  await generate(user, 'the second')
  await engine.advance(10 * 60_000)
  expect(await finding()).toMatchObject({ level: 'warn' })
  expect((await finding())?.text).toContain('the id of an earlier order')
  await engine.settle()
  const states = (await videosOf(engine, user)).map(({ status }) => status)
  expect(states).toEqual(['completed', 'completed'])
  expect(await findViolations(engine.deps.db)).toEqual({})
})
