import { afterEach, expect, test } from 'vitest'
import { findViolations } from '../support/invariants'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import { makeVideos } from '../support/videos'
import type { TestUser } from '../support/installation'

const product = useInstallation()

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const batchesOf = (user: TestUser) =>
  product.db.query<{
    status: string
    prompts: string[]
    names: string[]
    ratios: string[]
    seeds: number
  }>(
    `select batches.status, array_agg(prompt) as prompts,
       array_agg(distinct clip_name) as names, array_agg(distinct videos.aspect_ratio::text) as ratios,
       count(distinct seed)::int as seeds
     from batches join videos on videos.batch_id = batches.id
     where batches.user_id = $1 group by batches.id`,
    [user.userId],
  )

test('three more of a video (U-BULK-13): the same prompt, name and settings, other seeds, once per opened dialog; then in line', async () => {
  const user = await product.user({ video_limit: 10 })
  const [kite] = await makeVideos(product, user.userId, [
    { prompt: 'A kite\nover a hill', aspect_ratio: 'landscape', clip_name: 'Opening' },
  ])
  const address = `/videos/${kite!.id}`
  expect((await openPage(user, address)).text).toContain('3 More')
  const dialog = `${address}?dialog=more&on=${kite!.id}`
  expect((await openPage(user, dialog)).text).toContain('Make 3 more like this?')
  const order = { intent: 'more', on: kite!.id, formKey: 'a-press-of-this-test' }
  const sent = await Promise.all([1, 2].map(() => sendForm(user, dialog, order)))
  for (const { status, text } of sent)
    expect([status, text.includes('3 more videos started')]).toEqual([303, true])
  expect((await batchesOf(user)).rows).toEqual([
    {
      status: 'processing',
      prompts: Array.from({ length: 3 }, () => 'A kite\nover a hill'),
      names: ['Opening'],
      ratios: ['landscape'],
      seeds: 3,
    },
  ])

  const second = await sendForm(user, '/dashboard', { ...order, formKey: 'another-press-of-it' })
  expect(second.text).toContain('Added to the line')
  const used = await user.get<{ quota: { used: number } }>('/api/videos/changes')
  expect(used.body.quota.used).toBe(3)
})

test('more of a stranger’s or a deleted video, or beyond the quota, is refused, and costs nothing', async () => {
  const owner = await product.user({ video_limit: 2 })
  const [kite] = await makeVideos(product, owner.userId, [{ prompt: 'A kite' }])
  const stranger = await product.user()
  const admin = await product.user({ role: 'admin', expiry_date: null })
  const order = { intent: 'more', on: kite!.id }
  for (const other of [stranger, admin])
    expect((await sendForm(other, '/dashboard', order)).status).toBe(404)
  expect((await openPage(admin, `/videos/${kite!.id}`)).text).not.toContain('3 More')
  const refused = await sendForm(owner, '/dashboard', order)
  expect([refused.status, refused.text.includes('Generation failed')]).toEqual([429, true])
  await owner.call('DELETE', `/api/videos/${kite!.id}`)
  expect((await sendForm(owner, '/dashboard', order)).status).toBe(404)
  for (const user of [owner, stranger, admin]) expect((await batchesOf(user)).rows).toEqual([])
})
