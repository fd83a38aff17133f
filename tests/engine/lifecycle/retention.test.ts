import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getBatch } from '../../../app/domain/batches/queries.server'
import type { UserCtx } from '../../../app/domain/context'
import { readLedger } from '../../../app/domain/quota/ledger.server'
import { getQuota } from '../../../app/domain/quota/queries.server'
import { listRetention, removeOld } from '../../../app/domain/retention/remove-old.server'
import { addClips, listCollections } from '../../../app/domain/videos/collections.server'
import { createShareLink } from '../../../app/domain/videos/share-links.server'
import { restoreSelected } from '../../../app/domain/videos/admin/trash.server'
import { purgeTrash } from '../../../app/domain/videos/requests/trash.server'
import { getKeeping } from '../../../app/domain/videos/keeping.server'
import { starVideo } from '../../../app/domain/videos/requests/star-videos.server'
import { retryVideo } from '../../../app/domain/videos/requests/redo-video.server'
import { dayIn, days } from '../../../app/lib/time'
import { bulk, generate, videosOf } from '../../support/engine/actions'
import { PATIENCE_MS } from '../../support/engine/trials'
import { startEngine, type Engine } from '../../support/engine/engine'
import { makeVideo, onlyVideo, storedFile } from '../../support/engine/make-video'
import { findViolations } from '../../support/invariants'

vi.setConfig({ testTimeout: PATIENCE_MS })

let engine: Engine
beforeEach(async () => {
  engine = await startEngine({
    env: {
      KEEP_VIDEOS_DAYS: '30',
      KEEP_ATTEMPTS_DAYS: '7',
      KEEP_LEDGER_DAYS: '32',
      KEEP_ROUNDS_DAYS: '7',
      KEEP_ACTIVITY_DAYS: '365',
    },
  })
})
afterEach(async () => {
  expect(await findViolations(engine.pool)).toEqual({})
  await engine.close()
})

const idsIn = async (table: string): Promise<number> => {
  const { rows } = await engine.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)
  return rows[0]?.n ?? 0
}
const removedBy = async (name: string) =>
  (await listRetention(engine.deps)).find((rule) => rule.name === name)?.removed
const dayAhead = async (count: number) =>
  dayIn('UTC', new Date((await engine.clock.now()) + days(count)))
const isThere = async (user: UserCtx) => (await onlyVideo(engine, user)).deletedAt === null

describe('Q-54: videos past their retention', () => {
  test('stay if they are starred, until the star is taken away', async () => {
    await removeOld(engine.deps)
    const user = await engine.user()
    const id = await makeVideo(engine, user)
    await starVideo(user, { id, starred: true })
    await engine.clock.move(days(29))
    expect(await getKeeping(user, [id])).toMatchObject({ goingCount: 0, dayOf: {} })
    await engine.clock.move(days(2))
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(true)
    await starVideo(user, { id, starred: false })
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(false)
  })

  test('U-COLL-12: do not stay because of a collection, which they leave when the trash ends', async () => {
    await removeOld(engine.deps)
    const user = await engine.user()
    const id = await makeVideo(engine, user)
    const { id: collectionId } = await addClips(user, { into: { name: 'Kept' }, ids: [id] })
    await createShareLink(user, { collectionId }, { days: null, showsPrompt: false })
    await engine.clock.move(days(31))
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(false)
    expect(await idsIn('collection_videos')).toBe(1)
    await engine.clock.move(days(8))
    await purgeTrash(engine.deps)
    expect(await idsIn('collection_videos')).toBe(0)
    expect((await listCollections(user, null)).collections).toMatchObject([
      { name: 'Kept', clips: 0 },
    ])
    await engine.pool.query('delete from users where id = $1', [user.actor.id])
    expect([await idsIn('collections'), await idsIn('share_links')]).toEqual([0, 0])
  })

  test('move to the trash first, and are removed for good a week later', async () => {
    await removeOld(engine.deps)
    const user = await engine.user()
    const id = await makeVideo(engine, user)
    await engine.clock.move(days(15))
    expect(await getKeeping(user, [id])).toEqual({
      days: 30,
      goingCount: 0,
      firstDay: null,
      dayOf: {},
    })
    await engine.clock.move(days(14))
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(true)
    const told = await getKeeping(user, [id])
    const day = await dayAhead(1)
    expect(told).toMatchObject({ goingCount: 1, firstDay: day })
    expect(Object.values(told?.dayOf ?? {})).toEqual([day])
    expect(await getKeeping(await engine.user(), [id])).toMatchObject({ goingCount: 0, dayOf: {} })
    await engine.clock.move(days(1))
    const { fileKey } = await onlyVideo(engine, user)
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(false)
    expect(await storedFile(engine, fileKey)).not.toBeNull()
    expect(await removedBy('videos')).toBe(1)
    await engine.clock.move(days(6))
    await purgeTrash(engine.deps)
    expect(await videosOf(engine, user)).toHaveLength(1)
    await engine.clock.move(days(1))
    await purgeTrash(engine.deps)
    await engine.drain()
    expect(await videosOf(engine, user)).toEqual([])
    expect(await storedFile(engine, fileKey)).toBeNull()
  })

  test('start a new retention period when they are restored from the trash', async () => {
    await removeOld(engine.deps)
    const user = await engine.user()
    const id = await makeVideo(engine, user)
    await engine.clock.move(days(31))
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(false)
    await restoreSelected(await engine.admin(), [id])
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(true)
    await engine.clock.move(days(31))
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(false)
  })

  test('stay until their owners have had notice of a new setting', async () => {
    const user = await engine.user()
    const id = await makeVideo(engine, user)
    await engine.clock.move(days(300))
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(true)
    expect(await getKeeping(user, [id])).toMatchObject({ firstDay: await dayAhead(14) })
    await engine.clock.move(days(13))
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(true)
    await engine.clock.move(days(1))
    // Fewer days are a new setting with a new notice, more days are not.
    const keep = (videos: number | null) =>
      removeOld({
        ...engine.deps,
        settings: {
          ...engine.deps.settings,
          keptDays: { ...engine.deps.settings.keptDays, videos },
        },
      })
    await keep(29)
    expect(await isThere(user)).toBe(true)
    await keep(null)
    expect(await getKeeping(user, [id])).toBeNull()
    await keep(29)
    expect(await getKeeping(user, [id])).toMatchObject({ firstDay: await dayAhead(14) })
    await engine.clock.move(days(15))
    await keep(40)
    expect(await isThere(user)).toBe(false)
  })

  test('stay while they are made again, and for the retention of their new clip', async () => {
    await removeOld(engine.deps)
    const user = await engine.user()
    const id = await makeVideo(engine, user, { fails: true })
    await engine.clock.move(days(31))
    await retryVideo(user, id)
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(true)
    await engine.settle()
    await removeOld(engine.deps)
    expect(await isThere(user)).toBe(true)
    expect(await getKeeping(user, [id])).toMatchObject({ goingCount: 0 })
  })
})

test('removing old ledger lines does not change the figures', async () => {
  const user = await engine.user({ plan: 'Professional' })
  await makeVideo(engine, user, { fails: true })
  await makeVideo(engine, user)
  const day = dayIn('UTC', new Date(await engine.clock.now()))
  const before = await readLedger(user, { day, page: 1 })
  expect(before).toMatchObject({ charged: 1, returned: 1, lineCount: 2 })
  await engine.clock.move(days(32))
  const waiting = await generate(user)
  const quota = () => getQuota(engine.deps.db, { userId: user.actor.id, limit: 9, timeZone: 'UTC' })
  await removeOld(engine.deps)
  expect(await readLedger(user, { day, page: 1 })).toMatchObject({ lineCount: 2 })
  // A month may begin with this day.
  await engine.clock.move(days(1))
  const used = await quota()
  await removeOld(engine.deps)
  const after = await readLedger(user, { day, page: 1 })
  expect(after).toMatchObject({ charged: 1, returned: 1, reserved: 0, lineCount: 0, lines: [] })
  expect(await quota()).toMatchObject({ usedThisMonth: used.usedThisMonth })
  expect(await removedBy('ledger')).toBe(2)
  // An open unit is kept, however old it is.
  await engine.clock.move(days(40))
  await removeOld(engine.deps)
  const open = await engine.pool.query('select state from quota_charges where video_id = $1', [
    waiting.id,
  ])
  expect(open.rows).toEqual([{ state: 'reserved' }])
  await engine.settle()
})

test('attempts and rounds are removed after everything has ended, not before', async () => {
  const user = await engine.user({ plan: 'Professional' })
  const { batchId } = await bulk(user, 7)
  await engine.settle()
  await makeVideo(engine, user, { fails: true })
  const batch = await getBatch(user, batchId)
  const orders = await idsIn('attempts')
  const rounds = await idsIn('rounds')
  expect(rounds).toBeGreaterThan(1)
  await engine.clock.move(days(6))
  await removeOld(engine.deps)
  expect([await idsIn('attempts'), await idsIn('rounds')]).toEqual([orders, rounds])
  await engine.clock.move(days(2))
  // An orphan stays on record. So do rows that an open batch or video still needs.
  const [orphan, open] = (
    await engine.pool.query<{ id: string; videoId: string }>(
      `select id, video_id as "videoId" from attempts where state = 'done' order by id limit 2`,
    )
  ).rows
  await engine.pool.query(`update attempts set state = 'orphaned' where id = $1`, [orphan?.id])
  const setStatus = (status: string) =>
    engine.pool.query('update videos set status = $2::video_status where id = $1', [
      open?.videoId,
      status,
    ])
  await setStatus('generating')
  await engine.pool.query(`update batches set status = 'processing'`)
  await removeOld(engine.deps)
  expect([await idsIn('attempts'), await idsIn('rounds')]).toEqual([7, rounds])
  await engine.pool.query(`update batches set status = 'completed'`)
  await removeOld(engine.deps)
  const left = await engine.pool.query('select id from attempts order by id')
  expect(left.rows).toEqual([orphan, open].map((kept) => ({ id: kept?.id })))
  expect(await idsIn('rounds')).toBe(0)
  await setStatus('completed')
  await removeOld(engine.deps)
  expect(await idsIn('attempts')).toBe(1)
  expect(await getBatch(user, batchId)).toEqual(batch)
})

describe('the activity log', () => {
  const ENTRIES = 5000
  const fill = (action: string, age: string) =>
    engine.pool.query(
      `insert into trail_entries (id, at, actor_name, action)
       select gen_random_uuid(), engine_now() - $2::interval, 'somebody', $1 from generate_series(1, $3)`,
      [action, age, ENTRIES],
    )

  test('keeps entries of sign-ins for their own number of days', async () => {
    await fill('auth.sign-in', '181 days')
    await fill('user.edit', '364 days')
    await removeOld(engine.deps)
    expect(await idsIn('trail_entries')).toBe(ENTRIES)
    await engine.clock.move(days(2))
    await removeOld(engine.deps)
    expect(await idsIn('trail_entries')).toBe(0)
    expect([await removedBy('access'), await removedBy('activity')]).toEqual([ENTRIES, ENTRIES])
  })

  test('an interrupted removal has counted exactly the removed entries', async () => {
    await fill('auth.sign-in', '181 days')
    const { db } = engine.deps
    let pieces = 0
    const failing = {
      ...db,
      transaction: ((run) => {
        if (pieces++ === 1) throw new Error('the connection ended')
        return db.transaction(run)
      }) as typeof db.transaction,
    }
    const onlyAccess = { ...engine.deps.settings.keptDays }
    for (const name of ['videos', 'attempts', 'ledger', 'rounds', 'activity'] as const)
      onlyAccess[name] = null
    const settings = { ...engine.deps.settings, keptDays: onlyAccess }
    await expect(removeOld({ ...engine.deps, settings, db: failing })).rejects.toThrow('ended')
    const left = await idsIn('trail_entries')
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(ENTRIES)
    expect(await removedBy('access')).toBe(ENTRIES - left)
    const stopped = new AbortController()
    stopped.abort()
    await removeOld(engine.deps, stopped.signal)
    expect(await idsIn('trail_entries')).toBe(left)
    await removeOld(engine.deps)
    expect(await removedBy('access')).toBe(ENTRIES)
  })
})
