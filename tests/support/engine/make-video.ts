import fs from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { findingsOf } from '../../../app/domain/health/findings'
import { getSystemFacts } from '../../../app/domain/health/status.server'
import type { UserCtx } from '../../../app/domain/context'
import { storeCredential } from '../../../app/domain/tokens/credentials.server'
import { generate, videosOf } from './actions'
import type { Engine } from './engine'
import type { TestWorker } from './test-worker'

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

/**
 * Orders a video, kills the worker at the first boundary that matches, and lets the next worker
 * finish. Throws if the worker never came to that boundary.
 */
export async function makeWithKill(engine: Engine, user: UserCtx, at: RegExp): Promise<void> {
  const { killSwitch } = engine.worker()
  await generate(user)
  killSwitch.killAt(at)
  await engine.settle()
  if (!killSwitch.isDead()) throw new Error(`the worker was not killed at ${at}`)
  await engine.restart()
  await engine.settle()
}

/**
 * Lets a frozen worker count as dead until others have finished its work, and then wakes it up.
 * `drained` is the end of its own run.
 */
export async function wakeTooLate(
  engine: Engine,
  { killSwitch }: TestWorker,
  drained: Promise<void>,
): Promise<void> {
  // Longer than a lease: the other worker sees that its heartbeats have stopped.
  await engine.clock.move(30_000)
  await engine.worker().heartbeat()
  await engine.worker().lookAfterOthers()
  await engine.settle()
  killSwitch.thaw()
  await drained
  await engine.settle()
}

/** Returns when the next job is due, in milliseconds since 1970. Throws if there is none. */
export async function nextJobAt({ pool }: Engine): Promise<number> {
  const { rows } = await pool.query<{ at: Date }>(
    'select min(run_at) as at from graphile_worker._private_jobs',
  )
  return rows[0]!.at.getTime()
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

/** Gives a user a token of their own. */
export async function giveToken({ deps }: Engine, user: UserCtx, token: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const id = await storeCredential(deps, tx, token)
    await tx.run(sql`update users set credential_id = ${id} where id = ${user.actor.id}`)
  })
}

/** Returns the gates that are closed or let only probes through. */
export async function closedGates({ pool }: Engine): Promise<{ scope: string; reason: string }[]> {
  const { rows } = await pool.query<{ scope: string; reason: string }>(
    'select scope, reason from provider_gates where strikes > 0 and room = 1',
  )
  return rows
}

/** Returns what the System page says about an area, if it says anything. */
export const findingAbout = async ({ deps }: Engine, area: string) =>
  findingsOf(await getSystemFacts(deps)).find((finding) => finding.area === area)

/** Returns the number of orphans. */
export async function orphansIn({ pool }: Engine): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from attempts where state = 'orphaned'`,
  )
  return rows[0]?.n ?? 0
}
