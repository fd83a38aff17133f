import { beforeAll, describe, expect, test } from 'vitest'
import { addVideos } from '../support/ended-videos'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin', expiry_date: null })
})

describe('all that match, by date and reason', () => {
  const DAY = 86_400_000
  const left = (owner: TestUser) => owner.get<{ videos: unknown[] }>('/api/videos?limit=1000')
  const selected = (owner: TestUser, fields: Record<string, string>) => ({
    choice: 'selected',
    scope: 'all',
    user: owner.userId,
    all: new Date().toISOString(),
    ...fields,
  })

  test('a list is narrowed by reason, by day and since a moment', async () => {
    const owner = await product.user()
    const add = (status: 'completed' | 'error', prompt: string, ago: number) =>
      addVideos(product, {
        userId: owner.userId,
        status,
        prompt,
        createdAt: new Date(Date.now() - ago),
      })
    await add('error', 'fails today', 1000)
    await add('error', 'failed long ago', 40 * DAY)
    const [refused] = await add('error', 'was refused', 2000)
    await product.db.query(`update videos set error_code = 'policy' where id = $1`, [refused])
    await add('completed', 'went well', 1000)
    const shown = async (filters: Record<string, string>) => {
      const query = new URLSearchParams({ user: owner.userId, ...filters })
      const { text } = await openPage(admin, `/admin/videos?${query}`)
      return ['fails today', 'failed long ago', 'was refused', 'went well'].filter((prompt) =>
        text.includes(prompt),
      )
    }
    expect(await shown({ reason: 'service' })).toEqual(['fails today', 'failed long ago'])
    expect(await shown({ reason: 'policy' })).toEqual(['was refused'])
    expect(await shown({ status: 'error', days: 'month' })).toEqual(['fails today', 'was refused'])
    const since = new Date(Date.now() - DAY).toISOString()
    expect(await shown({ reason: 'service', since })).toEqual(['fails today'])
    const prompts = await admin.send(
      'GET',
      `/resources/prompts?choice=filtered&scope=all&user=${owner.userId}&reason=policy`,
    )
    expect(await prompts.text()).toContain('was refused')
    const last = new Date(Date.now() - 30 * DAY).toISOString().slice(0, 10)
    const path = `/admin/videos?user=${owner.userId}&last=${last}&dialog=delete-all`
    expect((await openPage(admin, path)).text).toContain('1 video.')
    const filters = { status: 'all', user: owner.userId, last }
    await sendForm(admin, path, { intent: 'delete-all', expected: '1', typed: '1', ...filters })
    expect((await left(owner)).body.videos).toHaveLength(3)
  })

  test('more than 100 ticked videos are deleted and regenerated only with their number', async () => {
    const owner = await product.user()
    await addVideos(product, { userId: owner.userId, status: 'error', n: 120 })
    const list = `/admin/videos?user=${owner.userId}`
    const { html } = await openPage(admin, `${list}&select=page`)
    expect(html).toContain('Select all 120 that match')
    for (const intent of ['delete-selected', 'regenerate-selected']) {
      const order = { intent, ...selected(owner, {}), formKey: '12345678', expected: '120' }
      for (const typed of ['', '119']) {
        const refused = await sendForm(admin, list, { ...order, typed })
        expect([refused.status, refused.text.includes('Type 120 to continue')]).toEqual([400, true])
      }
    }
    expect((await left(owner)).body.videos).toHaveLength(120)
    const order = { ...selected(owner, {}), formKey: '12345678', expected: '120', typed: '120' }
    const sent = await sendForm(admin, list, { intent: 'regenerate-selected', ...order })
    expect(sent.text).toContain('120 videos queued for regeneration.')
  })

  test('what an outage left is regenerated from System in three presses', async () => {
    const owner = await product.user()
    await addVideos(product, { userId: owner.userId, status: 'error', n: 3 })
    const system = await openPage(admin, '/admin/system')
    const [, count] = /([\d,]+) videos? failed for reasons that their owners did not cause/.exec(
      system.text,
    )!
    const link = /href="([^"]*dialog=regenerate-all)"/
      .exec(system.html)![1]!
      .replaceAll('&amp;', '&')
    const { text } = await openPage(admin, link)
    expect(text).toContain(`Regenerate all ${count} video`)
    expect(text).toContain('with the reason “Not their owner’s fault”')
    const filters = Object.fromEntries(new URL(link, 'http://own').searchParams)
    const number = count!.replaceAll(',', '')
    const order = { intent: 'regenerate-all', formKey: '87654321', expected: number, typed: number }
    const sent = await sendForm(admin, link, { ...order, ...filters })
    expect(sent.text).toContain('queued for regeneration')
    const { rows } = await product.db.query<{ after: Record<string, string> }>(
      `select after from trail_entries where action = 'videos.regenerate' order by at desc limit 1`,
    )
    expect(rows[0]!.after).toEqual({ status: 'error', reason: 'service', since: filters.since })
  })
})
