import { expect, onTestFinished, test, vi } from 'vitest'
import { findViolations } from '../../../app/domain/health/check-invariants.server'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { DEFAULT_TOKEN } from '../../simulator/settings'
import { generate, statusesOf } from '../../support/engine/actions'
import { startEngine } from '../../support/engine/engine'
import { findingAbout } from '../../support/engine/make-video'
import { PATIENCE_MS } from '../../support/engine/trials'

vi.setConfig({ testTimeout: PATIENCE_MS })

test('W10: a gateway gives a new order the id of an earlier one, as after a restart: System names it, and the video is made', async () => {
  const defaults = { generationMs: 20_000 }
  const rules = [{ when: { op: 'submit' as const, nth: 2 }, do: { fault: 'same-id' as const } }]
  // Two orders with one id are one order in the ledger's check, so only the statements are checked.
  const engine = await startEngine({ flavour: 'gateway', scenario: { defaults, rules } })
  onTestFinished(engine.close)
  await storeDefaultCredential(engine.deps, DEFAULT_TOKEN)
  const finding = () => findingAbout(engine, 'Order ids')
  const user = await engine.user({ plan: 'Enterprise' })
  await generate(user, 'the first')
  await engine.advance(30_000)
  expect(await finding()).toBeUndefined()
  await generate(user, 'the second')
  await engine.advance(10 * 60_000)
  expect(await finding()).toMatchObject({ level: 'warn' })
  expect((await finding())?.text).toContain('the id of an earlier order')
  await engine.settle()
  expect(await statusesOf(engine, user)).toEqual(['completed', 'completed'])
  expect(await findViolations(engine.deps.db)).toEqual({})
})
