import { expectAccessible } from './support/axe'
import { call, cancelLatestBatch } from './support/calls'
import { expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { promptsBox } from './support/ui'
import type { VideoPage } from '../support/videos'

test('lists: pasted cells are shown as a table, rows are left out, and the rest starts', async ({
  page,
  openBulkToWait,
  withScripts,
}) => {
  await openBulkToWait({ video_limit: 20, speed_limit: 1, video_generation_speed: 90 })
  await promptsBox(page).fill(
    'No\tPrompt\tRatio\n1\tA boat\t16:9\n2\tA boat\t16:9\n3\tA kite\t16:9',
  )
  const next = withScripts ? 'Continue to the list' : 'Continue to the receipt'
  await page.getByRole('button', { name: next }).click()
  await expect(page.getByRole('heading', { name: 'List of prompts' })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Landscape/ })).toBeChecked()
  if (withScripts) await expectAccessible(page)
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const { inner, all } = await page.evaluate(() => ({
      inner: document.documentElement.clientWidth,
      all: document.documentElement.scrollWidth,
    }))
    expect(all).toBeLessThanOrEqual(inner)
  }
  await page.getByRole('button', { name: 'Leave out 1 repeated row' }).click()
  await expect(page.getByText('2 prompts; 1 row left out')).toBeVisible()
  await page.getByRole('button', { name: 'Generate 2 Video(s)' }).click()
  await expectToast(page, 'Bulk Generation Started! 🚀')
  const { videos } = await call<VideoPage>(page, 'GET', '/api/videos?limit=10')
  expect(videos.map(({ prompt }) => prompt).sort()).toEqual(['A boat', 'A kite'])
  await cancelLatestBatch(page)
})

test('lists: a long list starts above its rows, and a row that is left out keeps the place', async ({
  page,
  openBulkToWait,
  withScripts,
}) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await openBulkToWait({ video_limit: 200 })
  const rows = Array.from({ length: 134 }, (_, i) => `${i + 1}\tA boat on lake ${i + 1}`)
  const file = page.getByLabel('.jsonl or .csv file')
  const buffer = Buffer.from(['No\tPrompt', ...rows].join('\n'))
  await file.setInputFiles({ name: 'lakes.tsv', mimeType: 'text/tab-separated-values', buffer })
  if (!withScripts) await page.getByRole('button', { name: 'Add the file' }).click()
  const start = page.getByRole('button', { name: 'First 100 now, keep 34' })
  const topOf = async (one: typeof start) => (await one.boundingBox())?.y ?? NaN
  expect(await topOf(start)).toBeLessThan(await topOf(page.getByText('A boat on lake 1').first()))
  await page.getByRole('button', { name: 'Leave out row 60' }).click()
  await expect(page.getByText('133 prompts; 1 row left out')).toBeAttached()
  const next = page.getByRole('button', { name: 'Leave out row 61' })
  await expect(next).toBeInViewport()
  // The button that was pressed is gone: the keyboard goes on at the row in its place.
  if (withScripts) await expect(next).toBeFocused()
  await page.getByRole('link', { name: 'Up to the start of these rows' }).click()
  await expect(page.getByRole('button', { name: 'First 100 now, keep 33' })).toBeInViewport()
  await page.getByRole('button', { name: 'Remove the list' }).click()
  await expectToast(page, 'List removed')
  await expect(page.getByRole('button', { name: 'Leave out row 61' })).toHaveCount(0)
})
