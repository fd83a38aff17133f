import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  lockUsers,
  stopUsers,
  trashUsers,
} from '../../../app/domain/administration/users/stop-users.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import {
  regenerateAll,
  regenerateSelected,
} from '../../../app/domain/batches/regenerate-as-admin.server'
import {
  pauseBatch,
  resumeBatch,
  stopAfterRound,
} from '../../../app/domain/batches/steer-batch.server'
import { leaveLine, moveUpInLine } from '../../../app/domain/batches/steer-line.server'
import {
  editWaitingPrompt,
  listWaitingPrompts,
  moveWaitingPrompt,
  removeWaitingPrompt,
} from '../../../app/domain/batches/waiting-prompts.server'
import { retryAllFailed } from '../../../app/domain/batches/retry-failed.server'
import { moreLikeThis } from '../../../app/domain/batches/more-like-this.server'
import { putPromptsBack } from '../../../app/domain/batches/prompts-again.server'
import type { AdminCtx, UserCtx } from '../../../app/domain/context'
import { createFilm } from '../../../app/domain/films/create-film.server'
import { deleteFilm, listFilms } from '../../../app/domain/films/own-films.server'
import { resetCounters } from '../../../app/domain/quota/reset-counters.server'
import {
  addClips,
  deleteCollection,
  listCollectionNames,
  removeClips,
} from '../../../app/domain/videos/collections.server'
import { restoreOwn } from '../../../app/domain/videos/requests/own-trash.server'
import {
  generateFromPicture,
  pictureVideoForm,
} from '../../../app/domain/videos/requests/picture-video.server'
import { starVideo } from '../../../app/domain/videos/requests/star-videos.server'
import {
  deleteOwnByStatus,
  deleteVideo,
} from '../../../app/domain/videos/requests/delete-videos.server'
import {
  editVideo,
  regenerateVideo,
  retryVideo,
} from '../../../app/domain/videos/requests/redo-video.server'
import sql from 'sql-template-tag'
import { newId } from '../../../app/lib/ids'
import {
  acceptedFrom,
  attempt,
  bulk,
  bulkOverDays,
  generate,
  videosOf,
} from '../../support/engine/actions'
import { SEED, trials, PATIENCE_MS } from '../../support/engine/trials'
import { untilMidnight, withoutChildren } from '../../support/acts/world'
import { startEngine, type Engine } from '../../support/engine/engine'
import { drawPicture } from '../../support/pictures'

vi.setConfig({ testTimeout: PATIENCE_MS })

// Runs random histories of users, an administrator, the clock and killed workers, and checks the
// invariants. A history that fails is shrunk to the shortest one that still fails, and printed.

type World = {
  engine: Engine
  users: UserCtx[]
  admin: AdminCtx
  /** Ids of the accepted videos as their client received them (I1). */
  accepted: Set<string>
}
type Model = Record<string, never>
type Step = fc.AsyncCommand<Model, World>

const USERS = 3
const who = fc.nat({ max: USERS - 1 })
const which = fc.nat({ max: 11 })

function step<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  act: (world: World, given: T) => Promise<unknown>,
) {
  return arbitrary.map((given): Step => ({
    check: () => true,
    run: async (_model, world) => {
      await attempt(() => act(world, given))
    },
    toString: () => `${name}(${JSON.stringify(given)})`,
  }))
}

const userAt = ({ users }: World, index: number): UserCtx => users[index]!

async function videoOf({ engine }: World, user: UserCtx, index: number): Promise<string> {
  const videos = await videosOf(engine, user)
  return videos[index % Math.max(1, videos.length)]?.id ?? 'none'
}

async function batchesOf({ engine }: Pick<World, 'engine'>, user: UserCtx): Promise<string[]> {
  const { rows } = await engine.pool.query<{ id: string }>(
    `select id from batches where user_id = $1 and status in ('queued', 'processing')`,
    [user.actor.id],
  )
  return rows.map(({ id }) => id)
}

const onVideo = (name: string, act: (user: UserCtx, id: string) => Promise<unknown>) =>
  step(name, fc.tuple(who, which), async (world, [user, video]) =>
    act(userAt(world, user), await videoOf(world, userAt(world, user), video)),
  )

type Waiting = { batchId: string; videoId: string }

/** Acts on a prompt of a running batch that has not been sent, if there is one. */
const onWaiting = (name: string, act: (user: UserCtx, waiting: Waiting) => Promise<unknown>) =>
  step(name, fc.tuple(who, which), async (world, [index, place]) => {
    const user = userAt(world, index)
    for (const batchId of await batchesOf(world, user)) {
      const prompts = await listWaitingPrompts(user, batchId)
      const prompt = prompts[place % Math.max(1, prompts.length)]
      if (prompt) await act(user, { batchId, videoId: prompt.id })
    }
  })

const onBatch = (name: string, act: (user: UserCtx, id: string) => Promise<unknown>) =>
  step(name, who, async (world, index) => {
    const user = userAt(world, index)
    for (const id of await batchesOf(world, user)) await act(user, id)
  })

/** Acts on some of a user's videos with clips. */
const onClips = (name: string, act: (user: UserCtx, ids: string[]) => Promise<unknown>) =>
  step(name, fc.tuple(who, fc.integer({ min: 1, max: 4 })), async (world, [index, count]) => {
    const user = userAt(world, index)
    const videos = await videosOf(world.engine, user)
    const clips = videos.filter(({ fileKey, deletedAt }) => fileKey !== null && deletedAt === null)
    await act(
      user,
      clips.slice(-count).map(({ id }) => id),
    )
  })

const starsOf = async ({ engine }: World, { actor }: UserCtx): Promise<string[]> => {
  const { rows } = await engine.pool.query<{ id: string }>(
    'select id from videos where user_id = $1 and starred and deleted_at is null order by id',
    [actor.id],
  )
  return rows.map(({ id }) => id)
}

const PICTURE = drawPicture(90, 160, 'jpeg')

const keep =
  (world: World) =>
  ({ id }: { id: string }) =>
    world.accepted.add(id)

/** Without some steps more often than others, few batches would be paused and few clips made. */
const often = (one: fc.Arbitrary<Step>) => [one, one, one]

const steps = [
  step(
    'generate',
    fc.tuple(who, fc.constantFrom('a', 'refused', 'flaky', 'lost')),
    async (world, [user, prompt]) => generate(userAt(world, user), prompt).then(keep(world)),
  ),
  step('bulk', fc.tuple(who, fc.integer({ min: 1, max: 7 })), (world, [user, count]) =>
    bulk(userAt(world, user), count),
  ),
  ...often(
    step('bulk over days', fc.tuple(who, fc.integer({ min: 1, max: 20 })), (world, [user, count]) =>
      bulkOverDays(userAt(world, user), count),
    ),
  ),
  step('bulk in line', fc.tuple(who, fc.integer({ min: 1, max: 9 })), (world, [user, count]) =>
    bulkOverDays(userAt(world, user), count, { queue: true }),
  ),
  step('cancel', who, async (world, user) => {
    for (const id of await batchesOf(world, userAt(world, user)))
      await cancelBatch(userAt(world, user), id)
  }),
  ...often(onBatch('pause', pauseBatch)),
  onBatch('resume', resumeBatch),
  onBatch('stop after round', stopAfterRound),
  onBatch('move up in line', moveUpInLine),
  onBatch('leave the line', leaveLine),
  onWaiting('remove prompt', removeWaitingPrompt),
  onWaiting('edit prompt', (user, waiting) =>
    editWaitingPrompt(user, { ...waiting, prompt: 'lost' }),
  ),
  onWaiting('move prompt', (user, waiting) =>
    moveWaitingPrompt(user, { ...waiting, to: 'earlier' }),
  ),
  onWaiting('move prompt first', (user, waiting) =>
    moveWaitingPrompt(user, { ...waiting, to: 'first' }),
  ),
  onWaiting('move prompt later', (user, waiting) =>
    moveWaitingPrompt(user, { ...waiting, to: 'later' }),
  ),
  step('put back', who, async (world, index) => {
    const user = userAt(world, index)
    const { rows } = await world.engine.pool.query<{ id: string }>(
      `select batch_id as id from videos where user_id = $1 and error_code = 'cancelled'
         and deleted_at is null and batch_id is not null limit 1`,
      [user.actor.id],
    )
    for (const { id } of rows) await putPromptsBack(user, id)
  }),
  step('from a picture', who, async (world, index) => {
    const user = userAt(world, index)
    const input = pictureVideoForm.parse({ prompt: 'from a picture' })
    const receipt = await generateFromPicture(user, { input, bytes: PICTURE })
    acceptedFrom(user.db).videos.set(receipt.id, user.actor.id)
    keep(world)(receipt)
  }),
  onVideo('three more', (user, id) => moreLikeThis(user, { id })),
  step('restore', who, async (world, index) => {
    const user = userAt(world, index)
    const videos = await videosOf(world.engine, user)
    const ids = videos.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id)
    await restoreOwn(user, { ids })
  }),
  onClips('star', async (user, ids) => {
    for (const id of ids) await starVideo(user, { id, starred: true })
  }),
  onVideo('unstar', (user, id) => starVideo(user, { id, starred: false })),
  onClips('collect', (user, ids) => addClips(user, { into: { name: 'Best' }, ids })),
  onClips('take out of the collection', async (user, ids) => {
    for (const { id } of await listCollectionNames(user)) await removeClips(user, { id, ids })
  }),
  step('delete the collection', who, async (world, index) => {
    const user = userAt(world, index)
    for (const { id } of await listCollectionNames(user)) await deleteCollection(user, id)
  }),
  ...often(
    onClips('join', (user, ids) => createFilm(user, { filmId: newId(), name: 'A film', ids })),
  ),
  step('delete film', who, async (world, index) => {
    const user = userAt(world, index)
    const [film] = await listFilms(user)
    if (film) await deleteFilm(user, film.id)
  }),
  onVideo('retry', retryVideo),
  onVideo('regenerate', regenerateVideo),
  onVideo('edit', (user, id) => editVideo(user, { id, prompt: 'edited' })),
  onVideo('delete', deleteVideo),
  step('retry all', who, (world, user) => retryAllFailed(userAt(world, user))),
  step(
    'delete by status',
    fc.tuple(who, fc.constantFrom('pending', 'error', 'completed')),
    async (world, [index, status]) => {
      const user = userAt(world, index)
      const starred = await starsOf(world, user)
      await deleteOwnByStatus(user, { status, aspectRatio: 'all' })
      expect(await starsOf(world, user)).toEqual(starred)
    },
  ),
  step('reset counters', who, ({ engine, users }, user) =>
    engine.deps.db.transaction((tx) =>
      resetCounters(tx, {
        timeZone: engine.deps.settings.timeZone,
        actorName: 'a',
        userId: users[user]!.actor.id,
      }),
    ),
  ),
  step('disable', who, ({ engine, users }, user) =>
    engine.deps.db.transaction(async (tx) => {
      const { id } = users[user]!.actor
      await lockUsers(tx, sql`id = ${id}`)
      await tx.run(sql`update users set is_active = false where id = ${id}`)
      await stopUsers(tx, [id])
    }),
  ),
  step('enable', who, ({ engine, users }, user) =>
    engine.pool.query('update users set is_active = true where id = $1', [users[user]!.actor.id]),
  ),
  step('expire or renew', fc.tuple(who, fc.boolean()), ({ engine, users }, [user, isOver]) =>
    engine.pool.query(`update users set expiry_date = engine_now() + $2::interval where id = $1`, [
      users[user]!.actor.id,
      isOver ? '-3 days' : '30 days',
    ]),
  ),
  step('regenerate as admin', fc.tuple(who, which), async (world, [user, video]) =>
    regenerateSelected(world.admin, [await videoOf(world, userAt(world, user), video)]),
  ),
  step('regenerate everything', fc.constant(null), ({ admin }) => regenerateAll(admin)),
  step('stop the administrator’s', fc.constant(null), async (world) => {
    for (const id of await batchesOf(world, world.admin)) await cancelBatch(world.admin, id)
  }),
  step('delete user', fc.nat({ max: 3 }), async ({ engine, users }, turn) => {
    // Seldom: nothing more happens to this user.
    if (turn > 0) return
    await engine.deps.db.transaction(async (tx) => {
      const { id } = users[0]!.actor
      await trashUsers(tx, engine.deps.queue, sql`id = ${id}`)
    })
  }),
  step('kill', fc.integer({ min: 1, max: 200 }), async ({ engine }, boundaries) =>
    engine.worker().killSwitch.killAfter(boundaries),
  ),
  step('restart', fc.constant(null), ({ engine }) => engine.restart()),
  ...often(
    step(
      'time',
      fc.constantFrom(1_000, 20_000, 90_000, 600_000, 16 * 3_600_000),
      ({ engine }, ms) => engine.advance(ms),
    ),
  ),
  step('to midnight', fc.constantFrom(-1_000, 0, 1_000), async (world, beyond) =>
    world.engine.advance(Math.max(0, (await untilMidnight(world)) + beyond)),
  ),
  step('sweep', fc.constant(null), ({ engine }) => engine.sweep()),
  step('everybody at once', who, async (world, user) => {
    const ctx = userAt(world, user)
    const actions = [
      generate(ctx),
      bulk(ctx, 3),
      bulkOverDays(ctx, 2, { queue: true }),
      retryAllFailed(ctx),
      world.engine.drain(),
    ]
    await Promise.all(actions.map((act) => attempt<unknown>(() => act)))
  }),
]

const SCENARIO = {
  defaults: { generationMs: [1_000, 90_000] as [number, number] },
  rules: [
    {
      when: { op: 'submit' as const, promptIncludes: 'refused' },
      do: { outcome: 'filtered' as const },
    },
    { when: { op: 'submit' as const, promptIncludes: 'flaky', nth: 1 }, do: { status: 503 } },
    {
      when: { op: 'submit' as const, promptIncludes: 'lost' },
      times: 2,
      do: { fault: 'drop-after-accept' as const },
    },
  ],
}

/** Where histories happen, and the day on which they begin: time zones without and with summer time. */
const PLACES = [
  ['UTC', null],
  ['Asia/Karachi', null],
  // The next day has 23 hours, or 25.
  ['America/New_York', '2027-03-13'],
  ['America/New_York', '2027-11-06'],
  // The next day begins at 01:00.
  ['Africa/Cairo', '2027-04-29'],
] as const
type Place = (typeof PLACES)[number]

async function openWorld([timeZone, day]: Place): Promise<World> {
  const engine = await startEngine({
    scenario: SCENARIO,
    env: { PLATFORM_TIMEZONE: timeZone, IMAGE_TO_VIDEO: 'on' },
    deps: withoutChildren,
  })
  if (day !== null) await engine.clock.moveTo(Date.parse(`${day}T15:00:00Z`))
  const users = []
  for (let i = 0; i < USERS; i++) {
    users.push(
      await engine.user({ plan: 'Professional', video_limit: 12, video_generation_speed: 5 }),
    )
  }
  return { engine, users, admin: await engine.admin(), accepted: new Set() }
}

/**
 * Enables every user again, restarts the worker and waits until everything that can end has ended.
 */
async function bringToRest({ engine, users }: World): Promise<void> {
  await engine.restart()
  await engine.pool.query(
    `update users set expiry_date = null where id = any($1) and deleted_at is null`,
    [users.map(({ actor }) => actor.id)],
  )
  for (const user of users)
    for (const id of await batchesOf({ engine }, user)) await attempt(() => resumeBatch(user, id))
  // A line of batches takes days.
  for (let day = 0; day < 12; day++) {
    await engine.settle()
    await engine.clock.move(61_000)
    await engine.sweep()
  }
  await engine.settle()
}

test(`the invariants hold after any sequence of actions (seed ${SEED})`, async () => {
  const history = fc.asyncProperty(
    fc.constantFrom(...PLACES),
    fc.commands(steps, { maxCommands: 60, size: 'max' }),
    async (place, commands) => {
      const world = await openWorld(place)
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands)
        expect(await world.engine.violations()).toEqual({})
        await bringToRest(world)
        expect(await world.engine.violations()).toEqual({})
        expect(await world.engine.jobErrors()).toEqual([])
        const { rows } = await world.engine.pool.query<{ id: string; status: string }>(
          'select id, status from videos where deleted_at is null',
        )
        expect(
          rows.filter(({ status }) => status === 'pending' || status === 'generating'),
        ).toEqual([])
        const waiting = await world.engine.pool.query(
          `select batches.id from batches join users on users.id = user_id
           where batches.status in ('queued', 'processing') and users.is_active and users.deleted_at is null`,
        )
        expect(waiting.rows).toEqual([])
        const unlike = await world.engine.pool.query(
          `select films.id from films where state in ('waiting', 'working')
           union all
           select video_id from collection_videos join collections on collections.id = collection_id
             join videos on videos.id = video_id where videos.user_id <> collections.user_id`,
        )
        expect(unlike.rows).toEqual([])
        const all = await world.engine.pool.query<{ id: string }>('select id from videos')
        const known = new Set(all.rows.map(({ id }) => id))
        expect([...world.accepted].filter((id) => !known.has(id))).toEqual([])
      } finally {
        await world.engine.close()
      }
    },
  )
  await fc.assert(history, {
    seed: SEED,
    numRuns: trials(70, 2000),
  })
})
