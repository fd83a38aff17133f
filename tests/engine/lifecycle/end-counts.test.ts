import { beforeEach, expect, test } from 'vitest'
import { noteLoad } from '../../../app/domain/administration/overview/note-load.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { removeOld } from '../../../app/domain/retention/remove-old.server'
import { days } from '../../../app/lib/time'
import { bulk, generate } from '../../support/engine/actions'
import { makeVideo, makeWithKill, playCalm } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'

// Issue 38, item 1: the counts that the overview reads.

const engine = useEngine()
beforeEach(() => engine.pool.query('delete from end_counts'))

async function counts() {
  const { rows } = await engine.pool.query<Record<string, number>>(
    `select coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(failed), 0)::int as failed,
       coalesce(sum((select sum(n) from unnest(times) as n)), 0)::int as timed from end_counts`,
  )
  return rows[0]
}

test('every end is counted once, with the delivery it belongs to, also if the worker dies', async () => {
  playCalm(engine)
  const user = await engine.user()
  await makeVideo(engine, user)
  await makeVideo(engine, user, { fails: true })
  expect(await counts()).toEqual({ delivered: 1, failed: 1, timed: 1 })
  await makeWithKill(engine, user, /before [^]*complete_generation/)
  expect(await counts()).toEqual({ delivered: 2, failed: 1, timed: 2 })
  await makeWithKill(engine, user, /after [^]*complete_generation/)
  expect(await counts()).toEqual({ delivered: 3, failed: 1, timed: 3 })
})

test('a minute from the order to the clip is counted among the times of a minute', async () => {
  playCalm(engine)
  await makeVideo(engine, await engine.user())
  const { rows } = await engine.pool.query<{ step: number }>(
    `select step::int from end_counts, unnest(times) with ordinality as kept(n, step) where n > 0`,
  )
  const [step = 0] = rows.map((row) => row.step)
  expect(2 ** ((step - 1) / 4)).toBeLessThan(75)
  expect(2 ** (step / 4)).toBeGreaterThanOrEqual(60)
})

test('cancelled videos do not count', async () => {
  playCalm(engine)
  const user = await engine.user()
  const { batchId } = await bulk(user, 4)
  await engine.drain()
  await cancelBatch(user, batchId)
  await engine.settle()
  expect(await counts()).toEqual({ delivered: 1, failed: 0, timed: 1 })
})

test('the highest numbers of a quarter of an hour are kept, and removed after two months', async () => {
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await noteLoad(engine.deps)
  await engine.settle()
  await noteLoad(engine.deps)
  const { rows } = await engine.pool.query(
    'select online, waiting, held, sold > 0 as "isSold" from load_peaks',
  )
  expect(rows[0]).toEqual({ online: 0, waiting: 1, held: 0, isSold: true })
  await engine.clock.move(days(63))
  await removeOld(engine.deps)
  const left = await engine.pool.query('select from end_counts union all select from load_peaks')
  expect(left.rowCount).toBe(0)
})
