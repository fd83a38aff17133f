import { expect, test } from 'vitest'
import { findViolations } from '../support/invariants'
import { useSimulatedInstallation } from '../support/shared-installation'
import { until } from '../support/wait'
import type { VideoPage } from '../support/videos'

const { simulator, product } = useSimulatedInstallation('vertex-veo')

test('W-JOB-1, W-JOB-5: without a worker every order is accepted and waits; two workers send each order once', async () => {
  const user = await product.user({ video_limit: 20, speed_limit: 10, plan: 'Enterprise' })
  const prompts = Array.from({ length: 8 }, (_, i) => `boat ${i}`)
  for (const prompt of prompts) {
    expect((await user.post('/api/videos/generate', { prompt })).status).toBe(201)
  }
  const list = async (status: string) =>
    (await user.get<VideoPage>(`/api/videos?limit=50&status=${status}`)).body.videos
  expect((await list('pending')).map(({ status }) => status)).toEqual(prompts.map(() => 'pending'))
  expect((await user.send('GET', '/app')).status).toBe(200)
  expect(simulator.orders()).toEqual([])

  await Promise.all([product.startWorker(), product.startWorker()])
  await until('all videos', async () => (await list('completed')).length === prompts.length)
  const { rows } = await product.db.query<{ prompt: string; attempts: number; owner: string }>(
    `select prompt, count(*)::int as attempts, min(state::text) as owner
     from videos join attempts on attempts.video_id = videos.id group by prompt order by prompt`,
  )
  expect(rows).toEqual(prompts.map((prompt) => ({ prompt, attempts: 1, owner: 'done' })))
  expect(
    simulator
      .orders()
      .map(({ prompt }) => prompt)
      .sort(),
  ).toEqual(prompts)
  expect(await findViolations(product.db)).toEqual({})
})
