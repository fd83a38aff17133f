import fs from 'node:fs/promises'
import type { AdminCtx, HelperCtx, UserCtx } from '../../../app/domain/context'
import { startEngine, type Engine, type EngineOptions } from '../engine/engine'
import { playCalm } from '../engine/make-video'

/** Where acts happen: a product in this process, on a clock that the test moves, with an operator's staff. */
export type World = {
  engine: Engine
  admin: AdminCtx
  /** An editor who may renew, and confirm payments up to 9,000 PKR. */
  helper: HelperCtx
}

export const DAY_MS = 24 * 3_600_000

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
  lastPicture: () => Promise.resolve(Buffer.from('a last picture')),
})

/** Starts one, with a calm provider and these settings besides. */
export async function openWorld(env: Record<string, string> = {}): Promise<World> {
  const engine = await startEngine({
    env: {
      IMAGE_TO_VIDEO: 'on',
      KEEP_VIDEOS_DAYS: '90',
      // As in production: the limit of trials is among them.
      THROTTLE_SCALE: '1',
      SIGNUP_TRIAL_MAX_PER_NETWORK: String(MOST_PER_NETWORK),
      ...env,
    },
    deps: withoutChildren,
  })
  playCalm(engine)
  return { engine, admin: await engine.admin(), helper: await hireHelper(engine) }
}

async function hireHelper(engine: Engine): Promise<HelperCtx> {
  const editor = await engine.user({ role: 'editor' })
  const rights = ['renew', 'payments'] as const
  await engine.pool.query(
    `insert into helper_rights (user_id, rights, confirm_up_to, confirm_currency, regenerate_per_day)
     values ($1, $2, 9000, 'PKR', 5)`,
    [editor.actor.id, rights],
  )
  return { ...editor, actor: { ...editor.actor, rights, proof: 'recent' } }
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
