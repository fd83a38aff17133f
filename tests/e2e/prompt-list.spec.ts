import { expectAccessible } from './support/axe'
import { call, cancelLatestBatch } from './support/calls'
import { expect, test } from './support/fixtures'
import { promptsBox, toast } from './support/ui'
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
  const next = withScripts ? /^Generate 4 Video/ : 'Continue to the receipt'
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
  await expect(toast(page, 'Bulk Generation Started! 🚀')).toBeVisible()
  const { videos } = await call<VideoPage>(page, 'GET', '/api/videos?limit=10')
  expect(videos.map(({ prompt }) => prompt).sort()).toEqual(['A boat', 'A kite'])
  await cancelLatestBatch(page)
})
