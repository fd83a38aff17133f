import { checkPages } from './support/axe'
import { call, leave, openService } from './support/calls'
import { expect, test } from './support/fixtures'
import { openTool } from './support/ui'

test('a running batch is shown prompt by prompt, and its videos in that order @looks', async ({
  page,
  product,
  signInToWait,
  withScripts,
}) => {
  await signInToWait({ video_limit: 20, speed_limit: 1, video_generation_speed: 180 })
  const prompts = ['First boat', 'Second boat', 'Third boat']
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts,
  })
  await page.goto(`/app?tab=bulk&batch=${batchId}`)
  const cells = page.getByRole('list', { name: 'Prompts in order' }).getByRole('link')
  await expect(cells).toHaveCount(3)
  await openTool(page, 'More actions')
  await page.getByRole('link', { name: 'Oldest first' }).click()
  await expect(page).toHaveURL(/inOrder=/)
  // What is not sent has no card.
  await expect(page.getByText('0 of 3 ready, 3 to come')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)
  if (withScripts) {
    await checkPages(page, [page.url(), `/batches/${batchId}`, '/batches'])
    await page.goto(`/app?tab=bulk&batch=${batchId}&inOrder=${batchId}`)
  }

  // The state of a prompt is shown in its cell and on its card, once it is sent.
  await openService(product)
  await expect(cells.nth(0)).toHaveAccessibleName('1: First boat, ready', { timeout: 30_000 })
  await expect(cells.nth(1)).toHaveAccessibleName('2: Second boat, waiting')
  await expect(cells.nth(0).locator('img')).toHaveCount(1)
  await expect(page.getByRole('article').first()).toContainText('Completed')
  await expect(page.getByRole('article').getByRole('heading').first()).toHaveText('First boat')
  if (withScripts) {
    // The sheet is one stop of the Tab key, and a press plays.
    await cells.nth(0).focus()
    for (const [key, focused] of [
      ['ArrowRight', 1],
      ['ArrowRight', 2],
      ['ArrowRight', 2],
      ['Home', 0],
      ['ArrowLeft', 0],
      ['End', 2],
      ['ArrowUp', 2],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key)
      await expect(cells.nth(focused), key).toBeFocused()
      const stops = await cells.evaluateAll((links) => links.map((link) => link.tabIndex))
      expect(stops).toEqual([0, 1, 2].map((index) => (index === focused ? 0 : -1)))
    }
    await page.keyboard.press('Enter')
    const preview = page.getByRole('dialog', { name: 'Video Preview' })
    await expect(preview).toContainText('First boat')
    await page.keyboard.press('Escape')
    await expect(preview).toBeHidden()
  }
  await cells.nth(1).click()
  await expect(page).toHaveURL(/\/videos\//)
  await expect(page.getByRole('main')).toContainText('Second boat')
  await leave(page)
  await call(page, 'POST', `/api/batches/${batchId}/cancel`)
})
