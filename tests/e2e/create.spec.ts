import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures'
import { toast } from './support/ui'

const box = (page: Page) => page.getByRole('textbox', { name: 'Prompts', exact: true })

/** Starts what stands in the box: at once with scripts, through the receipt without. */
async function startBulk(page: Page, prompts: number, withScripts: boolean): Promise<void> {
  if (!withScripts) await page.getByRole('button', { name: 'Continue to the receipt' }).click()
  await page.getByRole('button', { name: `Generate ${prompts} Video(s)` }).click()
}

test('U-BULK-9, U-BATCH-5: a batch from its file and its receipt to its stop', async ({
  page,
  signIn,
  withScripts,
}) => {
  await signIn({ video_limit: 20, speed_limit: 1, video_generation_speed: 90 })
  await page.goto('/app?tab=bulk')
  await box(page).fill('A lantern on a lake')
  if (withScripts) await expect(page.getByText('1 prompt', { exact: true })).toBeVisible()
  await page.getByLabel('.csv file').setInputFiles({
    name: 'more.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('prompt\n"Fog, slowly rising"\n{"scene": 1}'),
  })
  if (!withScripts) await page.getByRole('button', { name: 'Add the file' }).click()
  await expect(toast(page, '2 prompts added')).toBeVisible()
  await expect(box(page)).toHaveValue('A lantern on a lake\nFog, slowly rising\n{"scene": 1}')

  await startBulk(page, 3, withScripts)
  await expect(toast(page, 'Bulk Generation Started! 🚀')).toBeVisible()
  await expect(
    page.getByText('3 videos queued. Processing 1 video(s) every 90 seconds.').first(),
  ).toBeVisible()
  await expect(page.getByText('Processing Bulk Generation...')).toBeVisible()
  await expect(page.getByText(/Next round in \d+ s/)).toBeVisible()
  if (withScripts) await expect(box(page)).toHaveValue('')
  else await expect(page.getByRole('textbox')).toHaveCount(0)
  await page.getByRole('link', { name: 'Stop All Process' }).click()
  await page.getByRole('button', { name: 'Stop All Process' }).click()
  await expect(toast(page, 'Batch Cancelled ⛔')).toBeVisible()
  await expect(page.getByText('Bulk Generation Cancelled')).toBeVisible()
  await expect(page.getByText(/2 videos: cancelled before they were sent/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Stop All Process' })).toBeHidden()
})

test('U-QUOTA-4: a batch too large is refused whole; the part that fits runs, the rest stays', async ({
  page,
  signIn,
  withScripts,
}) => {
  await signIn({ video_limit: 2, speed_limit: 1, video_generation_speed: 90 })
  await page.goto('/app?tab=bulk')
  await box(page).fill('first\nsecond\nthird')
  if (!withScripts) await page.getByRole('button', { name: 'Continue to the receipt' }).click()
  await expect(page.getByText('You have 2 videos remaining today; 3 requested')).toBeVisible()
  await page.getByRole('button', { name: 'Run 2 now, hold the rest' }).click()
  await expect(toast(page, 'Bulk Generation Started! 🚀')).toBeVisible()
  await expect(page.locator('#status').getByText(/of 2 done/)).toBeVisible()
  if (!withScripts) {
    // The page loads itself anew to show progress, so there is nothing in it that could be lost.
    await expect(page.getByRole('textbox')).toHaveCount(0)
    await page.getByRole('link', { name: 'Write many prompts' }).click()
  }
  await expect(box(page)).toHaveValue('third')
})

test('a session that ended while somebody wrote: after signing in the text is back', async ({
  page,
  product,
  signIn,
  withScripts,
  expectPageError,
}) => {
  // Browsers print the status of the page that asks to sign in again.
  expectPageError('401')
  const { userId, username } = await signIn()
  await page.goto('/app?tab=bulk')
  await box(page).fill('not to be lost\nnor this')
  await product.db.query('delete from sessions where user_id = $1', [userId])
  const name = withScripts ? 'Generate 2 Video(s)' : 'Continue to the receipt'
  await page.getByRole('button', { name }).click()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('secret1')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(box(page)).toHaveValue('not to be lost\nnor this')
})

test('U-STAT-1, U-STAT-6, U-STAT-8: one video by keyboard, followed to its end', async ({
  page,
  signIn,
  withScripts,
}) => {
  // The clip is really rendered, and a busy machine takes its time.
  test.slow()
  await signIn()
  await page.goto('/app')
  await page.getByRole('tab', { name: 'Text to Video' }).focus()
  if (withScripts) {
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('tab', { name: 'Bulk Generator' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Generate Video' })).toBeDisabled()
  }
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
  await prompt.focus()
  await page.keyboard.type('Lantern 🏮 lake')
  if (withScripts) await expect(page.locator('#prompt-count')).toHaveText(/^14/)
  await page.getByRole('radio', { name: 'Portrait 9:16' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Generate Video' }).focus()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Generation started')).toBeVisible()
  await expect(page.getByText('Your video will appear here')).toBeVisible()
  if (withScripts) await expect(page.getByText(/Refreshing in [123]s/)).toBeVisible()
  await expect(page.locator('video')).toBeVisible({ timeout: 300_000 })
  if (withScripts) await expect(toast(page, 'Video ready!')).toBeVisible()
})

test('what is typed survives a closed tab and a change of tabs', async ({
  context,
  page,
  signIn,
  withScripts,
}) => {
  test.skip(!withScripts, 'the browser keeps the copy')
  await signIn()
  await page.goto('/app')
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('half a thought')
  await page.getByRole('tab', { name: 'Bulk Generator' }).click()
  await box(page).fill('one\ntwo')
  await page.getByLabel('Landscape 16:9').check()
  await page.close()
  const again = await context.newPage()
  await again.goto('/app?tab=bulk')
  await expect(box(again)).toHaveValue('one\ntwo')
  await expect(again.getByLabel('Landscape 16:9')).toBeChecked()
  await expect(again.getByRole('button', { name: 'Generate 2 Video(s)' })).toBeEnabled()
  await again.getByRole('tab', { name: 'Text to Video' }).click()
  await expect(again.getByRole('textbox', { name: 'Prompt', exact: true })).toHaveValue(
    'half a thought',
  )
})

test('U-T2V-9, U-BULK-10: an answer without words gets ours, and the text stays', async ({
  page,
  signIn,
  withScripts,
  expectPageError,
}) => {
  test.skip(!withScripts, 'without scripts the browser shows what it got')
  expectPageError('500')
  await signIn()
  await page.route(/\/app\?.*_data=/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, body: '' })
      : route.continue(),
  )
  await page.goto('/app')
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
  await prompt.fill('kept')
  await page.getByRole('button', { name: 'Generate Video' }).click()
  await expect(toast(page, 'Generation failed')).toBeVisible()
  await expect(page.getByText('Failed to start video generation').first()).toBeVisible()
  await expect(prompt).toHaveValue('kept')
  await page.goto('/app?tab=bulk')
  await box(page).fill('kept too')
  await page.getByRole('button', { name: 'Generate 1 Video(s)' }).click()
  await expect(toast(page, 'Bulk Generation Failed')).toBeVisible()
  await expect(page.getByText('Failed to start bulk generation').first()).toBeVisible()
  await expect(box(page)).toHaveValue('kept too')
})
