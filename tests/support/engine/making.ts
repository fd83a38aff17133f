import fs from 'node:fs/promises'
import path from 'node:path'
import type { UserCtx } from '../../../app/domain/context'
import { generate, videosOf } from './acts'
import type { Engine } from './engine'

const CALM = { defaults: { generationMs: 60_000 } }

/** The provider finishes every order in a minute. */
export const playCalm = ({ fake }: Engine): void => fake.play(CALM)

/** The provider accepts every order and ends it as filtered by its safety rules. */
export const playRefusing = ({ fake }: Engine): void =>
  fake.play({ ...CALM, rules: [{ when: { op: 'submit' }, do: { outcome: 'filtered' } }] })

/** Orders a video and runs it to its end. Returns its id. */
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

/** Returns the bytes stored under a key, or null. */
export const storedFile = async ({ dataDir }: Engine, key: string | null | undefined) =>
  key ? fs.readFile(path.join(dataDir, 'videos', key)).catch(() => null) : null

/** Returns the first video of a user. Throws if there is none. */
export async function onlyVideo(engine: Engine, user: UserCtx) {
  const [video] = await videosOf(engine, user)
  if (!video) throw new Error('no video')
  return video
}

/** Returns the number of orphans. */
export async function orphansIn({ pool }: Engine): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from attempts where state = 'orphaned'`,
  )
  return rows[0]?.n ?? 0
}
