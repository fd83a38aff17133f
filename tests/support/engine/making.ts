import fs from 'node:fs/promises'
import path from 'node:path'
import type { UserCtx } from '../../../app/domain/context'
import { generate, videosOf } from './acts'
import type { Engine } from './engine'

const CALM = { defaults: { generationMs: 60_000 } }

/** The provider makes what it is asked for, in a minute. */
export const playCalm = ({ fake }: Engine): void => fake.play(CALM)

/** The provider takes every order and refuses what it was asked to show. */
export const playRefusing = ({ fake }: Engine): void =>
  fake.play({ ...CALM, rules: [{ when: { op: 'submit' }, do: { outcome: 'filtered' } }] })

/** A user's video, brought to its end; answers its id. */
export async function makeVideo(
  engine: Engine,
  user: UserCtx,
  { fails = false } = {},
): Promise<string> {
  if (fails) playRefusing(engine)
  const { id } = await generate(user)
  await engine.settle()
  playCalm(engine)
  return id
}

/** What lies under a key, or null. */
export const storedFile = async ({ dataDir }: Engine, key: string | null | undefined) =>
  key ? fs.readFile(path.join(dataDir, 'videos', key)).catch(() => null) : null

/** The first video of a user, who has one. */
export async function onlyVideo(engine: Engine, user: UserCtx) {
  const [video] = await videosOf(engine, user)
  if (!video) throw new Error('no video')
  return video
}

/** Orders that may have been taken and were never found again. */
export async function orphansIn({ pool }: Engine): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from attempts where state = 'orphaned'`,
  )
  return rows[0]?.n ?? 0
}
