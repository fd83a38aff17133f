import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { AdminCtx } from '../../app/domain/context'
import { rotateDailyPrompt } from '../../app/domain/prompts/current.server'
import { getDailyPrompt, skipPrompt } from '../../app/domain/prompts/daily.server'
import {
  deletePrompts,
  importPrompts,
  listPrompts,
  setDailyPrompt,
} from '../../app/domain/prompts/library.server'
import { attempt } from '../support/engine/acts'
import { openChance, PATIENCE_MS, SEED, trials } from '../support/engine/chance'
import { startEngine, type Engine } from '../support/engine/engine'

vi.setConfig({ testTimeout: PATIENCE_MS })

let engine: Engine
let admin: AdminCtx
beforeAll(async () => {
  engine = await startEngine()
  admin = await engine.admin()
})
afterAll(() => engine.close())
afterEach(async () => expect(await engine.violations()).toEqual({}))

const current = async () => (await listPrompts(admin)).filter(({ isCurrent }) => isCurrent)

test.each([
  [50, trials(25, 500)],
  [6, trials(200, 4500)],
])(
  `F26: the current prompt is set, deleted, skipped and rotated by %i at once, %i times: exactly one is current (seed ${SEED})`,
  async (many, times) => {
    const chance = openChance(26 + many)
    for (let trial = 0; trial < times; trial++) {
      await importPrompts(admin, { prompts: ['a', 'b', 'c', 'd'] })
      const ids = (await listPrompts(admin)).map(({ id }) => id)
      const first = ids[0] ?? ''
      await Promise.all(
        Array.from({ length: many }, () =>
          attempt<unknown>(
            chance.pick([
              () => setDailyPrompt(admin, chance.pick(ids)),
              () => deletePrompts(admin, [first]),
              () => skipPrompt(admin, chance.pick(ids)),
              () => rotateDailyPrompt(engine.deps),
              () => getDailyPrompt(admin),
            ]),
          ),
        ),
      )
      expect(await current()).toHaveLength(1)
      await engine.clock.move(chance.below(2) * 86_400_000)
      await deletePrompts(admin, ids.slice(0, 4))
    }
    await deletePrompts(
      admin,
      (await listPrompts(admin)).map(({ id }) => id),
    )
    expect(await listPrompts(admin)).toEqual([])
  },
)
