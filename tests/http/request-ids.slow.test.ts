import { expect, test } from 'vitest'
import { addVideos } from '../support/ended-videos'
import { useSimulatedInstallation } from '../support/shared-installation'
import { until } from '../support/wait'

// A request can be traced into the worker: the worker logs the request id of the response.

const { product } = useSimulatedInstallation('openai')

type Line = { job?: string; msg: string; requestId?: string; videoId?: string }
const linesOf = (output: string): Line[] =>
  output.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Line]
    } catch {
      return []
    }
  })

test('the log of every step of a request’s orders has the request id', async () => {
  const user = await product.user({
    plan: 'Enterprise',
    video_limit: 50,
    speed_limit: 1,
    video_generation_speed: 1,
  })
  const admin = await product.user({ role: 'admin', plan: 'Enterprise' })
  const ask = async (client: typeof user, path: string, body: object) => {
    const response = await client.send('POST', path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status, path).toBeLessThan(300)
    return {
      id: response.headers.get('x-request-id') ?? '',
      body: (await response.json()) as { id: string },
    }
  }
  const shape = { aspectRatio: 'portrait' }
  const single = await ask(user, '/api/videos/generate', { prompt: 'a kite', ...shape })
  const batch = await ask(user, '/api/videos/bulk-generate', { prompts: ['one', 'two'], ...shape })
  const [failed] = await addVideos(product, { userId: user.userId, status: 'error' })
  const retry = await ask(user, `/api/videos/${failed}/retry`, {})
  const [old] = await addVideos(product, { userId: user.userId, status: 'completed' })
  const again = await ask(admin, '/api/admin/videos/regenerate-selected', { videoIds: [old] })
  const worker = await product.startWorker({ LOG_LEVEL: 'debug' })
  const jobsOf = (requestId: string) => [
    ...new Set(
      linesOf(worker.output())
        .filter((line) => line.requestId === requestId)
        .map(({ job }) => job ?? ''),
    ),
  ]
  // The log line of the download is the last one of a video.
  for (const { id } of [single, batch, retry, again])
    await until('a download for each video', () => jobsOf(id).includes('videos.fetch'))
  const steps = ['videos.fetch', 'videos.poll', 'videos.submit']
  expect(jobsOf(single.id).sort()).toEqual(steps)
  expect(jobsOf(retry.id).sort()).toEqual(steps)
  expect(jobsOf(batch.id).sort()).toEqual(['batches.round', ...steps])
  expect(jobsOf(again.id).sort()).toEqual(['batches.round', ...steps])
  const lines = linesOf(worker.output())
  const ofSingle = lines.filter((line) => line.requestId === single.id)
  expect(new Set(ofSingle.map(({ videoId }) => videoId))).toEqual(new Set([single.body.id]))
  // Jobs that serve all users log no request id.
  const others = lines.filter(({ job }) => job === 'videos.dispatch' || job?.startsWith('system.'))
  expect(others.filter(({ requestId }) => requestId !== undefined)).toEqual([])
})
