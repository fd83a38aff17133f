import { createHash } from 'node:crypto'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { VideoView } from '../../app/domain/videos/types'
import { clipOf } from '../simulator/orders'
import type { ScenarioInput } from '../simulator/scenario'
import type { Flavour } from '../simulator/settings'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { startInstallation, type Installation, type UserColumns } from './installation'
import { findViolations } from './invariants'
import type { ProcessEnv, TestProcess } from './processes'
import { until } from './wait'

export type SceneUser = Awaited<ReturnType<Installation['user']>>

/**
 * A product in front of a simulated provider. Results are checked against the provider's ledger,
 * not the product's tables.
 */
export type Scene = {
  sim: Simulator
  product: Installation
  user: (columns?: Partial<UserColumns>) => Promise<SceneUser>
  /**
   * Starts a worker that is killed or frozen at a moment of its SQL (tests/support/kill-at.mjs).
   */
  startDoomed: (killAt: string, signal?: 'SIGKILL' | 'SIGSTOP') => Promise<TestProcess>
  /** Waits until every video is delivered. Fails at once if one failed, with its reason. */
  allAreDelivered: () => Promise<void>
  /** Checks the invariants, one order per video and one download per order. */
  expectNothingWasted: () => Promise<void>
}

/** Long enough for a machine that is busy with other work. */
const PATIENT_MS = 300_000

type Options = { flavour: Flavour; scenario?: ScenarioInput; env?: ProcessEnv }

/** Starts both. They end with the test. */
export async function startScene({ flavour, scenario = {}, env = {} }: Options): Promise<Scene> {
  const sim = await startSimulator({ scenario })
  onTestFinished(sim.stop)
  const product = await startInstallation({ env: { ...sim.env(flavour), ...env } })
  onTestFinished(product.remove)
  return {
    sim,
    product,
    user: (columns = {}) => product.user({ video_limit: 100, speed_limit: 50, ...columns }),
    startDoomed: (killAt, signal = 'SIGKILL') =>
      product.startWorker({ KILL_AT: killAt, KILL_WITH: signal }, [
        '--import',
        path.resolve('tests/support/kill-at.mjs'),
      ]),
    allAreDelivered: async () => {
      const failed = await until(
        'all to be delivered',
        async () => {
          const { rows } = await product.db.query<{ status: string }>(
            `select videos.id, status::text, error_message as reason, attempts.state, fault, due_at,
               line_entries.hold_reason, (select json_agg(provider_gates) from provider_gates) as gates
             from videos left join line_entries on line_entries.video_id = videos.id
               left join attempts on attempts.video_id = videos.id
             where status <> 'completed'`,
          )
          const errors = rows.filter(({ status }) => status === 'error')
          // The last error is reported when the wait times out.
          if (rows.length > 0 && errors.length === 0) throw new Error(JSON.stringify(rows))
          return errors
        },
        PATIENT_MS,
      )
      expect(failed).toEqual([])
    },
    expectNothingWasted: async () => {
      const { rows } = await product.db.query('select 1 from videos')
      const total = rows.length
      expect(sim.stats()).toMatchObject({ ordersAccepted: total, wastedOrders: 0 })
      expect(downloadsOf(sim)).toHaveLength(total)
      expect(await findViolations(product.db)).toEqual({})
    },
  }
}

/** Orders one video. Returns its id. */
export async function orderVideo(user: SceneUser, prompt: string, more = {}): Promise<string> {
  const { status, body } = await user.post<VideoView>('/api/videos/generate', { prompt, ...more })
  expect(status).toBe(201)
  return body.id
}

export const orderVideos = (user: SceneUser, prompts: readonly string[]): Promise<string[]> =>
  Promise.all(prompts.map((prompt) => orderVideo(user, prompt)))

export const numbered = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${word} ${i + 1}`)

/** Returns the downloads for which the provider sent a clip, whole or in part. */
export const downloadsOf = (sim: Simulator) =>
  sim.journal().filter(({ op, status }) => op === 'content' && [200, 206].includes(status))

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Returns whether the file of a video is a clip that was ordered with its owner's own prompt. */
export async function isOwnClip(
  sim: Simulator,
  { user, id, prompt }: { user: SceneUser; id: string; prompt: string },
): Promise<boolean> {
  const response = await user.send('GET', `/media/${id}.mp4`)
  const delivered = sha256(new Uint8Array(await response.arrayBuffer()))
  const own = sim.orders().filter((order) => order.prompt === prompt)
  return response.status === 200 && own.some((order) => sha256(clipOf(order)) === delivered)
}

export type WorkerRow = { id: string; pid: number }

/** Returns the worker processes that count as alive. */
export async function workersOf({ db }: Installation): Promise<WorkerRow[]> {
  const { rows } = await db.query<WorkerRow>(
    'select id::text, pid from worker_processes order by id',
  )
  return rows
}

/** Returns the state of every attempt, in the order of their creation. */
export async function attemptsOf({ db }: Installation): Promise<{ id: string; state: string }[]> {
  const { rows } = await db.query<{ id: string; state: string }>(
    'select id::text, state::text from attempts order by created_at, id',
  )
  return rows
}
