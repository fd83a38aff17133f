import { beforeAll, expect, test } from 'vitest'
import type { AdminCtx } from '../../../app/domain/context'
import { rotateDailyPrompt } from '../../../app/domain/prompts/current.server'
import { getDailyPrompt, skipPrompt } from '../../../app/domain/prompts/daily.server'
import {
  deletePrompts,
  importPrompts,
  listPrompts,
  setDailyPrompt,
} from '../../../app/domain/prompts/library.server'
import { attempt } from '../../support/engine/actions'
import { openRng, SEED, trials } from '../../support/engine/trials'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()
let admin: AdminCtx
beforeAll(async () => {
  admin = await engine.admin()
})

const current = async () => (await listPrompts(admin)).filter(({ isCurrent }) => isCurrent)

/**
 * Returns the number of deadlocks. PostgreSQL resolves one after a second by aborting a
 * transaction.
 */
async function deadlocks(): Promise<number> {
  const { rows } = await engine.pool.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.n ?? 0
}

test(`F26: fifty concurrent calls set, delete, skip and rotate the current prompt: exactly one is current, without deadlocks (seed ${SEED})`, async () => {
  const rng = openRng(26)
  for (let trial = 0; trial < trials(50, 5000); trial++) {
    await importPrompts(admin, { prompts: ['a', 'b', 'c', 'd'] })
    const ids = (await listPrompts(admin)).map(({ id }) => id)
    const first = ids[0] ?? ''
    await Promise.all(
      Array.from({ length: 50 }, () =>
        attempt<unknown>(
          rng.pick([
            () => setDailyPrompt(admin, rng.pick(ids)),
            () => deletePrompts(admin, [first]),
            () => skipPrompt(admin, rng.pick(ids)),
            () => rotateDailyPrompt(engine.deps),
            () => getDailyPrompt(admin),
          ]),
        ),
      ),
    )
    expect(await current()).toHaveLength(1)
    await engine.clock.move(rng.below(2) * 86_400_000)
    await deletePrompts(admin, ids.slice(0, 4))
  }
  await deletePrompts(
    admin,
    (await listPrompts(admin)).map(({ id }) => id),
  )
  expect(await listPrompts(admin)).toEqual([])
  expect(await deadlocks()).toBe(0)
})
