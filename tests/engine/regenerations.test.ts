import { beforeEach, expect, test } from 'vitest'
import {
  regenerateAll,
  regenerateSelected,
} from '../../app/domain/batches/regenerate-as-admin.server'
import type { AdminCtx } from '../../app/domain/context'
import { attempt, generate, videosOf } from '../support/engine/acts'
import { trials } from '../support/engine/trials'
import { useFreshEngine } from '../support/engine/shared-engine'

// Uses its own platform: a regeneration of everything includes all videos there are.
const { engine, start } = useFreshEngine()
beforeEach(() => start())

async function batchesOf({ actor }: AdminCtx): Promise<number> {
  const { rows } = await engine.pool.query<{ n: number }>(
    'select count(*)::int as n from batches where user_id = $1',
    [actor.id],
  )
  return rows[0]?.n ?? 0
}

test('F17: an administrator’s regeneration is sent twenty times with one key: one batch, one generation, one response', async () => {
  const admin = await engine.admin()
  const owner = await engine.user()
  const ids = [(await generate(owner)).id, (await generate(owner)).id]
  await engine.settle()
  for (let trial = 0; trial < trials(15, 250); trial++) {
    const key = `k${trial}`
    const order =
      trial % 2 ? () => regenerateAll(admin, key) : () => regenerateSelected(admin, ids, key)
    const before = await batchesOf(admin)
    const answers = await Promise.all(Array.from({ length: 20 }, order))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ count: 2 })
    expect(await batchesOf(admin)).toBe(before + 1)
    await engine.settle()
    expect(await order()).toEqual(answers[0])
    expect((await videosOf(engine, owner)).map((v) => [v.status, v.generation])).toEqual([
      ...[
        ['completed', trial + 2],
        ['completed', trial + 2],
      ],
    ])
  }
  expect(await attempt(() => regenerateSelected(admin, ids.slice(1), 'k0'))).toBe('CONFLICT')
})
