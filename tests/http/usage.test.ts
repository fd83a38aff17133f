import { afterEach, expect, test } from 'vitest'
import type { BatchReceipt } from '../../app/domain/batches/schemas'
import { dayAfter } from '../../app/lib/day'
import { dayInWords } from '../../app/lib/time'
import { findViolations } from '../support/invariants'
import { useInstallation } from '../support/shared-installation'
import type { TestUser } from '../support/installation'
import { addUsage } from '../support/usage'

// The chart of the Usage page. Its ledger is in create.test.ts.

const product = useInstallation()
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const newUser = () => product.user({ plan: 'Professional', video_limit: 7 })

const today = async (): Promise<string> => {
  const { rows } = await product.db.query<{ day: string }>('select current_date::text as day')
  return rows[0]?.day ?? ''
}

type Row = { name: string; charged: string; returned: string; to: string }

/** What the mouse finds on the bars, from left to right, and the rows of the table. */
async function readChart(user: TestUser) {
  const html = await (await user.send('GET', '/usage')).text()
  const chart = /<figure[\s\S]*?<\/figure>/.exec(html)?.[0] ?? ''
  const cell = String.raw`<td[^>]*><span.*?<\/span>([^<]*)<\/td>`
  const row = new RegExp(
    `<th scope="row"[^>]*><a[^>]*href="([^"]*)"[^>]*>([^<]*)<.*?${cell}${cell}`,
    'g',
  )
  return {
    html,
    chart,
    bars: [...chart.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text]) => text),
    rows: [...chart.matchAll(row)].map(
      ([, to = '', name = '', charged = '', returned = '']): Row => ({
        name,
        charged,
        returned,
        to,
      }),
    ),
  }
}

test('has a bar and a row for each of the last 30 days, in the format of the reader', async () => {
  const user = await newUser()
  await addUsage(product, user.userId, [
    { daysAgo: 30, charged: 99, returned: 99 },
    { daysAgo: 29, charged: 1234, returned: 0 },
    { daysAgo: 3, charged: 40, returned: 2 },
    { daysAgo: 4, charged: 0, returned: 5 },
  ])
  const { chart, bars, rows } = await readChart(user)
  const last = await today()
  const day = (ago: number) => dayInWords(dayAfter(last, -ago))
  expect(bars).toHaveLength(30)
  expect(bars[0]).toBe(`${day(29)}\nCharged: 1,234\nReturned: 0`)
  expect(bars[25]).toBe(`${day(4)}\nCharged: 0\nReturned: 5`)
  expect(bars[29]).toBe(`Today, ${day(0)}\nCharged: 0\nReturned: 0`)
  expect(rows).toHaveLength(30)
  expect(rows[0]).toMatchObject({ name: `Today, ${day(0)}`, charged: '0', returned: '0' })
  expect(rows[3]).toEqual({
    name: day(3),
    charged: '40',
    returned: '2',
    to: `/usage?day=${dayAfter(last, -3)}`,
  })
  expect(rows[29]).toMatchObject({ name: day(29), charged: '1,234', returned: '0' })
  expect(chart).toContain(
    `1,274 videos charged, 7 returned. Most charged in a day: 1,234 (${day(29)}).`,
  )
})

test('a day without a capital letter in mid-sentence, when the most was charged today', async () => {
  const user = await newUser()
  await addUsage(product, user.userId, [{ daysAgo: 0, charged: 2, returned: 0 }])
  const { chart } = await readChart(user)
  // Only a past day may have units without their charges (invariant I4).
  await product.db.query('delete from quota_days where user_id = $1', [user.userId])
  expect(chart).toContain(`Most charged in a day: 2 (today, ${dayInWords(await today())}).`)
})

test('counts returned units as they are returned, and in the ledger of their day', async () => {
  const user = await newUser()
  const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', {
    prompts: ['a boat', 'a mill', 'a barn'],
  })
  expect((await readChart(user)).chart).toBe('')
  await user.post(`/api/batches/${body.batchId}/cancel`)
  const { rows, html } = await readChart(user)
  expect(rows[0]).toMatchObject({ charged: '0', returned: '3' })
  expect(html.replace(/<[^>]+>/g, ' ')).toMatch(/Returned\s+failed or cancelled\s+3\s/)
})

test('is a sentence while there is nothing to draw, whatever others used', async () => {
  await addUsage(product, (await newUser()).userId, [{ daysAgo: 3, charged: 40, returned: 2 }])
  const { html, chart } = await readChart(await newUser())
  expect(chart).toBe('')
  expect(html).toContain('No videos were charged or returned in these days.')
})

test('issue 39.1: names the batches whose prompts will take units of the next days', async () => {
  const user = await newUser()
  const order = { prompts: Array.from({ length: 20 }, (_, i) => `prompt ${i}`), carryOver: true }
  const running = await user.post<BatchReceipt>('/api/videos/bulk-generate', order)
  const waiting = await user.post<BatchReceipt>('/api/videos/bulk-generate', {
    ...order,
    queue: true,
  })
  const html = (await (await user.send('GET', '/usage')).text()).replace(/<!--.*?-->/g, '')
  const rows = [
    ...html.matchAll(
      /href="\/batches\/([^"]+)".*?<\/a> will use quota of the next days\. ([^<]*)/g,
    ),
  ]
  expect(rows.map(([, id, text]) => [id, text?.trim()])).toEqual([
    [running.body.batchId, '13 prompts wait for the next days: the next 7 from'],
    [waiting.body.batchId, '20 prompts wait in line. Waiting costs nothing.'],
  ])
})
