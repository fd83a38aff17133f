import { expect, test } from 'vitest'
import { getSystemFacts } from '../../app/domain/activity/system-status.server'
import { findingsOf } from '../../app/domain/activity/system-rules'
import { storeDefaultCredential } from '../../app/domain/tokens/credentials.server'
import { DEFAULT_TOKEN } from '../simulator/settings'
import { generate, videosOf } from '../support/engine/acts'
import { useFreshEngine } from '../support/engine/shared-engine'

const { engine, start } = useFreshEngine()

test('W10: a gateway gives a new order the id of an earlier one, as after a restart: System names it, and the video is made', async () => {
  const defaults = { generationMs: 20_000 }
  const rules = [{ when: { op: 'submit' as const, nth: 2 }, do: { fault: 'same-id' as const } }]
  await start({ flavour: 'gateway', scenario: { defaults, rules } })
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
})
