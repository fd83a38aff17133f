import { expect, test } from 'vitest'
import { logAccess, type Access } from '../../../app/domain/activity/write.server'
import { useEngine } from '../../support/engine/shared-engine'
import { until } from '../../support/wait'

const engine = useEngine()

const lockOut = async (address: string): Promise<Access> => {
  const { actor } = await engine.user()
  return { action: 'auth.locked', user: actor, isUser: false, address }
}
const countOf = async ({ user, address }: Access) => {
  const { rows } = await engine.pool.query<{ count: number }>(
    `select count(*)::int as count from trail_entries
     where action = 'auth.locked' and subject_id = $1 and after ->> 'address' = $2`,
    [user?.id, address],
  )
  return rows[0]?.count
}

test('a lock-out that one request is recording is not recorded again by a concurrent request', async () => {
  const { db } = engine.deps
  const access = await lockOut('192.0.2.1')
  let other = Promise.resolve()
  await db.transaction(async (tx) => {
    await logAccess(tx, access)
    let isDone = false
    other = logAccess(db, access).then(() => void (isDone = true))
    // The entry is not committed yet: the other request waits for its lock, or has returned without
    // waiting.
    await until('the other request', async () => {
      const { rowCount } = await engine.pool.query('select 1 from pg_locks where not granted')
      return isDone || rowCount !== 0
    })
  })
  await other
  expect(await countOf(access)).toBe(1)
})

test('concurrent requests record a lock-out once; an hour later it is recorded again', async () => {
  const { db } = engine.deps
  const access = await lockOut('192.0.2.2')
  const many = () => Promise.all(Array.from({ length: 20 }, () => logAccess(db, access)))
  await many()
  expect(await countOf(access)).toBe(1)
  const elsewhere = { ...access, address: '192.0.2.3' }
  await logAccess(db, elsewhere)
  expect(await countOf(elsewhere)).toBe(1)
  await engine.advance(60 * 60_000)
  await many()
  expect(await countOf(access)).toBe(2)
})
