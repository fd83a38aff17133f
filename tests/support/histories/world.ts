import fc from 'fast-check'
import { expect } from 'vitest'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { resumeBatch } from '../../../app/domain/batches/steer-batch.server'
import type { AdminCtx, UserCtx } from '../../../app/domain/context'
import { saveWebhook } from '../../../app/domain/notifications/webhook.server'
import type { startReceiver } from '../alarm-receivers'
import { attempt, videosOf } from '../engine/actions'
import { startEngine, type Engine } from '../engine/engine'
import { withoutChildren } from '../acts/world'

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Everybody who acts in a history, on one clock. */
export type World = {
  engine: Engine
  users: UserCtx[]
  /** Two, whose pages may be old. */
  admins: AdminCtx[]
  /** An editor, who has the rights that an administrator gave. */
  helper: UserCtx
  /** What the users' programs listen at. */
  receiver: Receiver
  /** Ids of the accepted videos as their client received them (I1). */
  accepted: Set<string>
}
type Model = Record<string, never>
export type Step = fc.AsyncCommand<Model, World>

const USERS = 3
export const who = fc.nat({ max: USERS - 1 })
export const which = fc.nat({ max: 11 })

/** Creates the arbitrary of one kind of step. A refusal is one of its results. */
export function step<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  act: (world: World, given: T) => Promise<unknown>,
): fc.Arbitrary<Step> {
  return arbitrary.map((given) => ({
    check: () => true,
    run: async (_model, world) => {
      await attempt(() => act(world, given))
    },
    toString: () => `${name}(${JSON.stringify(given)})`,
  }))
}

/** Without some steps more often than others, few batches would be paused and few clips made. */
export const often = (one: fc.Arbitrary<Step>): fc.Arbitrary<Step>[] => [one, one, one]

export const userAt = ({ users }: World, index: number): UserCtx => users[index]!

export async function videoOf({ engine }: World, user: UserCtx, index: number): Promise<string> {
  const videos = await videosOf(engine, user)
  return videos[index % Math.max(1, videos.length)]?.id ?? 'none'
}

/** Returns the ids of a person's batches that have not ended. */
export async function batchesOf(
  { engine }: Pick<World, 'engine'>,
  { actor }: UserCtx,
): Promise<string[]> {
  const { rows } = await engine.pool.query<{ id: string }>(
    `select id from batches where user_id = $1 and status in ('queued', 'processing')`,
    [actor.id],
  )
  return rows.map(({ id }) => id)
}

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
export const PLACES = [
  ['UTC', null],
  ['Asia/Karachi', null],
  // The next day has 23 hours, or 25.
  ['America/New_York', '2027-03-13'],
  ['America/New_York', '2027-11-06'],
  // The next day begins at 01:00.
  ['Africa/Cairo', '2027-04-29'],
] as const
export type Place = (typeof PLACES)[number]

/** Starts the product at a place. */
export async function openPlace([timeZone, day]: Place, receiver: Receiver): Promise<Engine> {
  const engine = await startEngine({
    scenario: SCENARIO,
    env: {
      PLATFORM_TIMEZONE: timeZone,
      IMAGE_TO_VIDEO: 'on',
      USER_WEBHOOKS: 'on',
      USER_WEBHOOK_HOSTS: receiver.host,
    },
    deps: withoutChildren,
  })
  if (day !== null) await engine.clock.moveTo(Date.parse(`${day}T15:00:00Z`))
  return engine
}

/** Gives a history its people. */
export async function openWorld(engine: Engine, receiver: Receiver): Promise<World> {
  receiver.answer(204)
  const plans = ['Professional', 'Professional', 'Enterprise'] as const
  const users: UserCtx[] = []
  for (const plan of plans)
    users.push(await engine.user({ plan, video_limit: 12, video_generation_speed: 5 }))
  await saveWebhook(users[2]!, { url: receiver.url })
  const helper = await engine.user({ role: 'editor' })
  const admins = [await engine.admin(), await engine.admin()]
  return { engine, users, admins, helper, receiver, accepted: new Set() }
}

/**
 * Renews every user, restarts the worker and waits until everything that can end has ended.
 */
async function bringToRest({ engine, users, admins: [admin], receiver }: World): Promise<void> {
  receiver.answer(204)
  await engine.restart()
  for (const { actor } of users)
    await attempt(() =>
      editUser(admin!, { id: actor.id, videoLimit: 60, expireDays: 3_000, renewFromToday: true }),
    )
  for (const user of users)
    for (const id of await batchesOf({ engine }, user)) await attempt(() => resumeBatch(user, id))
  // A line of batches takes days.
  for (let day = 0; day < 12; day++) {
    await engine.settle()
    await engine.clock.move(61_000)
    await engine.sweep()
    if (await isAtRest(engine)) break
  }
  await engine.settle()
}

/** What is not settled by itself, of people who may use the service. */
const UNSETTLED = `
  select 'video' as kind, videos.id::text from videos
  where deleted_at is null and status in ('pending', 'generating')
  union all
  select 'batch', batches.id::text from batches join users on users.id = user_id
  where batches.status in ('queued', 'processing') and users.is_active and users.deleted_at is null
  union all
  select 'message', id::text from notifications where state = 'waiting'`

const isAtRest = async ({ pool }: Engine) => (await pool.query(UNSETTLED)).rowCount === 0

/** What must never be, besides the product's invariants. */
const NEVER = `
  select 'of another in a collection' as what, video_id::text as id
  from collection_videos join collections on collections.id = collection_id
    join videos on videos.id = video_id where videos.user_id <> collections.user_id
  union all
  select 'session of a disabled account', sessions.user_id::text
  from sessions join users on users.id = user_id where not is_active or deleted_at is not null`

/** Fails unless the invariants hold, now and when everything has come to rest. */
export async function expectOrder(world: World): Promise<void> {
  const { engine, accepted } = world
  expect(await engine.violations()).toEqual({})
  await bringToRest(world)
  expect(await engine.violations()).toEqual({})
  expect(await engine.jobErrors()).toEqual([])
  for (const query of [UNSETTLED, NEVER]) expect((await engine.pool.query(query)).rows).toEqual([])
  const all = await engine.pool.query<{ id: string }>('select id from videos')
  const known = new Set(all.rows.map(({ id }) => id))
  expect([...accepted].filter((id) => !known.has(id))).toEqual([])
}
