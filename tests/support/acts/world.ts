import fs from 'node:fs/promises'
import type { AdminCtx, UserCtx } from '../../../app/domain/context'
import { startEngine, type Engine, type EngineOptions } from '../engine/engine'
import { playCalm } from '../engine/make-video'

/** Where acts happen: a product in this process, on a clock that the test moves, with an administrator. */
export type World = {
  engine: Engine
  admin: AdminCtx
}

const DAY_MS = 24 * 3_600_000

/** Videos that the trial accounts of one network may order in a day. */
export const MOST_PER_NETWORK = 2

/**
 * What child processes do in production is done here without them: tests/providers/join-clips.test.ts and
 * tests/http/pictures.test.ts are about them.
 */
export const withoutChildren: NonNullable<EngineOptions['deps']> = () => ({
  joinClips: async ({ paths, target }) => {
    await fs.copyFile(paths[0]!, target)
    return { kind: 'joined', lostSound: false }
  },
  redraw: (bytes) => Promise.resolve({ ok: true, jpeg: bytes, hash: 'a', isWide: false }),
})

/** Starts one, with a calm provider. */
export async function openWorld(): Promise<World> {
  const engine = await startEngine({
    env: {
      IMAGE_TO_VIDEO: 'on',
      // As in production: the limit of trials is among them.
      THROTTLE_SCALE: '1',
      SIGNUP_TRIAL_MAX_PER_NETWORK: String(MOST_PER_NETWORK),
    },
    deps: withoutChildren,
  })
  playCalm(engine)
  return { engine, admin: await engine.admin() }
}

/** A customer whose days are sold, with three videos a day and rounds of one. */
export async function openCustomer(engine: Engine): Promise<UserCtx> {
  const expires = new Date((await engine.clock.now()) + 20 * DAY_MS)
  return engine.user({ plan: 'Starter', video_limit: 3, expiry_date: expires })
}

/** Moves the clock a minute beyond the end of the platform's day, and runs what is due on the way. */
export async function toNextDay(world: Pick<World, 'engine'>): Promise<void> {
  await world.engine.advance((await untilMidnight(world)) + 60_000)
}

/** Returns the milliseconds until the day of the platform ends. */
export async function untilMidnight({ engine }: Pick<World, 'engine'>): Promise<number> {
  const { rows } = await engine.pool.query<{ ms: number }>(
    `select extract(epoch from ((engine_now() at time zone $1)::date + 1)::timestamp at time zone $1
       - engine_now())::float * 1000 as ms`,
    [engine.deps.settings.timeZone],
  )
  return rows[0]!.ms
}
