import { beforeEach, expect } from 'vitest'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { cancelRegeneration } from '../../../app/domain/batches/cancel-regeneration.server'
import { regenerateSelected } from '../../../app/domain/batches/regenerate-as-admin.server'
import type { AdminCtx, UserCtx } from '../../../app/domain/context'
import { hearEvent, sweepEvents } from '../../../app/domain/events/hear.server'
import { deleteVideo } from '../../../app/domain/videos/requests/delete-videos.server'
import { bulk, generate, videosOf } from '../../support/engine/actions'
import { playCalm, playRefusing } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'
import { slowTest, test } from '../../support/slow'

const { engine, start } = useFreshEngine()
beforeEach(async () => {
  await start({ scenario: { defaults: { generationMs: [1_000, 1_000] } } })
  // Events are removed when they are heard.
  await engine.pool.query(`
    create table written as select * from events;
    create function keep() returns trigger language plpgsql as $$
      begin insert into written select new.*; return null; end $$;
    create trigger keep after insert on events for each row execute function keep()`)
})

const rowsOf = async (statement: string, batchId: string) => {
  const { rows } = await engine.pool.query<Record<string, unknown>>(statement, [batchId])
  return rows
}
const writtenFor = (batchId: string) =>
  rowsOf('select kind from written where subject_id = $1', batchId)
const entriesOf = (batchId: string) =>
  rowsOf(
    `select count, after from trail_entries
     where action = 'videos.regenerated' and subject_id = $1`,
    batchId,
  )
const unheard = async () => (await engine.pool.query('select 1 from events')).rowCount
const statusOf = async (batchId: string) =>
  (await rowsOf('select status from batches where id = $1', batchId))[0]?.status

/** Starts a regeneration of finished videos, in rounds of ten. */
async function regenerateMany(admin: AdminCtx, count: number): Promise<string> {
  const owner = await engine.user({ plan: 'Enterprise', video_limit: 100 })
  for (let i = 0; i < count; i++) await generate(owner)
  await engine.settle()
  const ids = (await videosOf(engine, owner)).map(({ id }) => id)
  return (await regenerateSelected(admin, ids, owner.actor.id)).batchId
}

const batchOf = async (user: UserCtx, count = 3) => (await bulk(user, count)).batchId

const WAYS: Record<string, { end: () => Promise<string>; status: string }> = {
  'all its videos are completed': {
    status: 'completed',
    end: async () => batchOf(await engine.user()),
  },
  'all its videos fail': {
    status: 'completed',
    end: async () => {
      playRefusing(engine)
      const batchId = await batchOf(await engine.user())
      await engine.settle()
      playCalm(engine)
      return batchId
    },
  },
  'its user cancels it while videos are made': {
    status: 'cancelled',
    end: async () => {
      const user = await engine.user()
      const batchId = await batchOf(user)
      await engine.drain()
      await cancelBatch(user, batchId)
      return batchId
    },
  },
  'its user deletes its videos': {
    status: 'completed',
    end: async () => {
      const user = await engine.user()
      const batchId = await batchOf(user)
      for (const { id } of await videosOf(engine, user)) await deleteVideo(user, id)
      return batchId
    },
  },
  'its user is deleted': {
    status: 'cancelled',
    end: async () => {
      const user = await engine.user()
      const batchId = await batchOf(user)
      await deleteUser(await engine.admin(), user.actor.id)
      return batchId
    },
  },
  'a regeneration is completed': {
    status: 'completed',
    end: async () => regenerateMany(await engine.admin(), 12),
  },
  'a regeneration is stopped': {
    status: 'cancelled',
    end: async () => {
      const admin = await engine.admin()
      const batchId = await regenerateMany(admin, 12)
      await engine.drain()
      await cancelRegeneration(admin, batchId)
      return batchId
    },
  },
}

test.each(Object.entries(WAYS))('I17: %s: the batch has one event', async (_, { end, status }) => {
  const batchId = await end()
  await engine.settle()
  expect(await statusOf(batchId)).toBe(status)
  expect(await writtenFor(batchId)).toEqual([{ kind: 'batch.ended' }])
  expect(await unheard()).toBe(0)
})

test('I17: the last two videos of a batch end at the same moment: it has one event', async () => {
  for (let trial = 0; trial < 10; trial++) {
    const batchId = await batchOf(await engine.user({ speed_limit: 2 }), 2)
    await engine.settle()
    expect(await writtenFor(batchId)).toHaveLength(1)
  }
})

test('A-VID-14: the activity log shows how a regeneration ended, once; a stopped one has its own entry', async () => {
  const admin = await engine.admin()
  const done = await regenerateMany(admin, 2)
  await engine.settle()
  expect(await entriesOf(done)).toEqual([
    { count: 2, after: { completed: 2, failed: 0, removed: 0 } },
  ])
  const stopped = await regenerateMany(admin, 12)
  await cancelRegeneration(admin, stopped)
  await engine.settle()
  expect(await entriesOf(stopped)).toEqual([])
})

/** Runs jobs until a regeneration has ended and nobody has heard of it yet. */
async function endUnheard(): Promise<string> {
  const batchId = await regenerateMany(await engine.admin(), 1)
  while ((await unheard()) === 0) if (!(await engine.worker().step())) await engine.clock.move(500)
  expect(await statusOf(batchId)).toBe('completed')
  return batchId
}

slowTest(
  'I17: the worker is killed at any statement of the hearing: it takes effect once',
  async () => {
    let wasKilled = true
    for (let statements = 1; wasKilled; statements++) {
      const batchId = await endUnheard()
      const { killSwitch } = engine.worker()
      killSwitch.killAfter(statements)
      await engine.drain()
      wasKilled = killSwitch.isDead()
      if (wasKilled) await engine.restart()
      else killSwitch.killAfter(Infinity)
      await engine.settle()
      expect(await entriesOf(batchId)).toHaveLength(1)
      expect(await unheard()).toBe(0)
      if (statements === 1) expect(wasKilled).toBe(true)
    }
  },
)

test('W-JOB-3: an event whose job is lost is heard after the next sweep', async () => {
  const batchId = await endUnheard()
  await engine.pool.query(`delete from graphile_worker._private_jobs where key like 'event %'`)
  await engine.clock.move(60_000)
  expect(await sweepEvents(engine.deps)).toBe(1)
  await engine.settle()
  expect(await entriesOf(batchId)).toHaveLength(1)
})

test('W-JOB-3: a listener that always throws keeps no other from hearing, and is retried alone', async () => {
  const heard: string[] = []
  const hearsWell = (name: string) => () => Promise.resolve(void heard.push(name))
  let throws = true
  const listeners = {
    first: () => {
      heard.push('first')
      return throws ? Promise.reject(new Error('never')) : Promise.resolve()
    },
    second: hearsWell('second'),
    third: hearsWell('third'),
  }
  await endUnheard()
  const { rows } = await engine.pool.query<{ id: string }>('select id from events')
  const hear = () => hearEvent(engine.deps, { eventId: rows[0]!.id }, { 'batch.ended': listeners })
  await expect(hear()).rejects.toThrow('1 of 3')
  expect(heard).toEqual(['first', 'second', 'third'])
  await expect(hear()).rejects.toThrow('1 of 3')
  expect(heard.slice(3)).toEqual(['first'])
  expect(await unheard()).toBe(1)
  throws = false
  await hear()
  expect(heard.slice(4)).toEqual(['first'])
  expect(await unheard()).toBe(0)
  await engine.settle()
})

test('an event of a kind that only a newer version knows stays for that version', async () => {
  await engine.pool.query(`insert into events (id, kind, subject_id, at)
    values (gen_random_uuid(), 'prompt.added', gen_random_uuid(), engine_now())`)
  await engine.clock.move(60_000)
  expect(await sweepEvents(engine.deps)).toBe(0)
  expect(await unheard()).toBe(1)
  await engine.pool.query('delete from events')
})
