import { expect, onTestFinished, test } from 'vitest'
import type { Flavour } from '../../simulator/settings'
import { cardsOf } from '../../support/html'
import { startInstallation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { orderVideo, startScene, type SceneUser } from '../../support/scene'
import { until } from '../../support/wait'

type Making = {
  id: string
  percent: number | null
  seconds: number
  hasStill: boolean
  checkedUntil: string | null
}

/** Returns the progress that the header of the polled calls reports. */
async function making(user: Pick<SceneUser, 'get'>): Promise<Making | undefined> {
  const { headers } = await user.get('/api/batches')
  const pulse = JSON.parse(headers.get('x-pulse') ?? 'null') as { making: Making[] }
  return pulse.making[0]
}

test.each<[Flavour, boolean]>([
  ['runway', true],
  ['gateway', true],
  ['vertex-veo', false],
])(
  'U-STAT-1: a video’s progress as %s reports it, or the time since it was started',
  async (flavour, isTold) => {
    const scene = await startScene({
      flavour,
      scenario: { defaults: { generationMs: 15_000 } },
      env: { VIDEO_PROVIDER_TIME_SCALE: '0.1' },
    })
    const user = await scene.user()
    const id = await orderVideo(user, 'A slow river')
    await scene.product.startWorker()
    const some = await until('progress', async () => {
      const one = await making(user)
      return one && (isTold ? (one.percent ?? 0) > 0 && one : one.seconds > 0 && one)
    })
    expect(some.id).toBe(id)
    expect(some.percent === null).toBe(!isTold)
    expect(some.percent ?? 0).toBeLessThanOrEqual(100)
    await scene.allAreDelivered()
    expect(await making(user)).toBeUndefined()
    await scene.expectNothingWasted()
  },
)

test('U-STAT-1: the built-in renderer shows the first frame while it draws the others', async () => {
  const product = await startInstallation()
  onTestFinished(product.remove)
  const [user, other] = [await product.user(), await product.user()]
  const { body } = await user.post<{ id: string }>('/api/videos/generate', {
    prompt: 'A paper boat on a lake',
  })
  const address = `/media/${body.id}.still.jpg`
  expect((await user.send('GET', address)).status).toBe(409)
  await product.startWorker()
  await until('the still', async () => (await making(user))?.hasStill)
  const still = await user.send('GET', address)
  expect(still.headers.get('content-type')).toBe('image/jpeg')
  const jpeg = Buffer.from(await still.arrayBuffer())
  expect(jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff')
  expect((await other.send('GET', address)).status).toBe(404)
  const card = cardsOf(await (await user.send('GET', '/dashboard')).text())[0] ?? ''
  expect(card).toContain(address)

  await until('the clip', async () => {
    const { rows } = await product.db.query(`select 1 from videos where status = 'completed'`)
    return rows.length === 1
  })
  // A page may have been rendered just before the clip was ready.
  const poster = await user.send('GET', address)
  const bytes = Buffer.from(await poster.arrayBuffer())
  const stored = await user.send('GET', address.replace('.still', ''))
  expect(bytes.equals(Buffer.from(await stored.arrayBuffer()))).toBe(true)
  const { rows } = await product.db.query('select 1 from attempts where still is not null')
  expect(rows).toEqual([])
  expect(await findViolations(product.db)).toEqual({})
})
