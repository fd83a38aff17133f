import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator/simulator'
import { startInstallation, type Installation } from '../installation'
import { findViolations } from '../invariants'
import { until } from '../wait'

/** Arguments of a worker that kills itself at the moment that `KILL_AT` names. */
export const KILL_HOOKS = ['--import', path.resolve('tests/support/kill-at.mjs')]

/** The boundaries of every step in the life of a video, as the SQL on either side of them. */
export const MOMENTS = {
  'while the entry is taken from the line, before the commit': 'after:insert into attempts',
  'when the entry has left the line, before the order is sent':
    'after:insert into attempts > before:"queued"',
  'when the connection is open, before the intent is written': `before:state = 'submitting', sent_at`,
  'when the intent is written, before the order is sent': `after:state = 'submitting', sent_at`,
  'when the provider has the order, before its id is known': `before:state = 'submitted', ref`,
  'while the id of the order is written': `after:state = 'submitted', ref`,
  'before the order is polled': 'before:"submitted"',
  'while the order is polled': 'after:"submitted"',
  'when the clip is ready, before this is written': `before:state = 'fetching', asset`,
  'before the clip is copied': 'before:"fetching"',
  'while the clip is copied': 'after:"fetching"',
  'when the clip is in place, before its row is written': 'before:"done"',
  'when all is written, before the worker receives the response': 'after:complete_generation',
  'when all is written, before the job is deleted':
    'after:complete_generation > before:delete from .*jobs',
} as const

/**
 * Starts the product whose worker the tests of a file kill, with the preview renderer or with a
 * simulated provider, whose clips cost nothing.
 */
export function useDoomedProduct(provider: 'preview' | 'simulator') {
  let simulator: Simulator | undefined
  let product: Installation
  beforeAll(async () => {
    if (provider === 'simulator') simulator = await startSimulator()
    product = await startInstallation(simulator ? { env: simulator.env('openai') } : {})
  })
  afterAll(async () => {
    await product.remove()
    await simulator?.stop()
  })
  afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

  /** Kills the worker at a moment of a video's life; checks what the next worker makes of it. */
  return async (killAt: string): Promise<void> => {
    const user = await product.user()
    const { body } = await user.post<{ id: string }>('/api/videos/generate', {
      prompt: 'A lantern',
    })

    const doomed = await product.startWorker({ KILL_AT: killAt }, KILL_HOOKS)
    expect(await doomed.ended).toBeNull()

    const worker = await product.startWorker()
    const status = `/api/videos/${body.id}/status`
    await until('the video', async () => {
      const video = await user.get<{ status: string }>(status)
      return video.body.status === 'completed'
    })
    await worker.stop()

    const { rows } = await product.db.query<{ state: string }>(
      `select state from attempts where video_id = $1 and state not in ('failed', 'abandoned')`,
      [body.id],
    )
    expect(rows).toEqual([{ state: 'done' }])
    const charges = await product.db.query<{ state: string }>(
      'select state from quota_charges where video_id = $1',
      [body.id],
    )
    expect(charges.rows).toEqual([{ state: 'charged' }])
    const me = await user.get<{ videosGeneratedToday: number }>('/api/auth/me')
    expect(me.body.videosGeneratedToday).toBe(1)
    const file = await user.send('GET', `/media/${body.id}.mp4`)
    expect(file.status).toBe(200)
    await file.arrayBuffer()
    expect(await readdir(path.join(product.dataDir, 'videos', 'incoming'))).toEqual([])
  }
}
