import { expectAccessible } from './support/axe'
import { call, cancelLatestBatch } from './support/calls'
import { expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { lookAt } from './support/looks'
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
  const next = withScripts ? 'Continue to the list' : 'Continue'
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

test('issue 51.4: the start of a list is in view on arrival, says what it means, and offers what does not fit today @looks', async ({
  page,
  openBulkToWait,
  withScripts,
}) => {
  await openBulkToWait({ video_limit: 60 })
  const rows = Array.from({ length: 103 }, (_, i) => `${i + 1}\tA boat on lake ${i + 1}`)
  await promptsBox(page).fill(['No\tPrompt', ...rows].join('\n'))
  const next = withScripts ? 'Continue to the list' : 'Continue'
  await page.getByRole('button', { name: next }).click()
  await expect(page.getByRole('heading', { name: 'List of prompts' })).toBeVisible()
  const start = page.getByRole('button', {
    name: withScripts ? 'Generate 100 Video(s)' : '60 now, 40 on the next days',
  })
  for (const [width, height] of [
    [360, 720],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/app/list')
    await expect(start).toBeInViewport({ ratio: 1 })
    const says = [
      /^100 videos · 60 today, 40 on the next days · the last ones from /,
      'One batch takes 100 prompts. The other 3 stay in this list.',
      'You have 60 videos remaining today; 100 requested',
    ]
    for (const text of says) await expect(page.getByText(text)).toBeInViewport({ ratio: 1 })
    // The first rows are in view as well, and the right column is not asked about.
    await expect(page.getByText('A boat on lake 1', { exact: true })).toBeInViewport()
    await expect(page.getByLabel('Prompts are in the column')).toBeHidden()
    await lookAt(page, { name: `list-${width}`, withScripts })
  }
  if (withScripts)
    await page
      .getByLabel('You have 60 videos remaining today; 100 requested')
      .selectOption('Only 60, keep 43 in the list')
  const only = withScripts ? 'Generate 60 Video(s)' : 'Only 60, keep 43 in the list'
  await page.getByRole('button', { name: only }).click()
  await expectToast(page, 'Bulk Generation Started! 🚀')
  await page.goto('/app/list')
  await expect(page.getByText('43 prompts; 60 started before')).toBeVisible()
  await cancelLatestBatch(page)
})

test('lists: a row that is left out keeps the place, and the list starts from any row', async ({
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
  if (!withScripts) {
    await page.getByText('File', { exact: true }).click()
    await page.getByRole('button', { name: 'Add the file' }).click()
  }
  await expect(page.getByText('The other 34 stay in this list.')).toBeInViewport()
  await page.getByRole('button', { name: 'Leave out row 60' }).click()
  await expect(page.getByText('133 prompts; 1 row left out')).toBeAttached()
  const next = page.getByRole('button', { name: 'Leave out row 61' })
  await expect(next).toBeInViewport()
  // The button that was pressed is gone: the keyboard goes on at the row in its place.
  if (withScripts) await expect(next).toBeFocused()
  await expect(page.getByRole('button', { name: 'Generate 100 Video(s)' })).toBeInViewport()
  await expect(page.getByText('The other 33 stay in this list.')).toBeInViewport()
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('button', { name: 'Remove the list' }).click()
  await expectToast(page, 'List removed')
  await expect(page.getByRole('button', { name: 'Leave out row 61' })).toHaveCount(0)
})
