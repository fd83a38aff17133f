import type { Page } from '@playwright/test'
import { watchAgreement } from './support/agreement'
import { openService } from './support/calls'
import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { promptsBox, startBulk } from './support/ui'

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true })
const status = (page: Page) => page.locator('#status')

test('U-T2V-5, U-STAT-6: several videos in a row by keyboard, with a page that is consistent and does not move @scripts', async ({
  page,
  product,
  signIn,
  closeService,
}) => {
  // Only with scripts: without them each submit loads a new page.
  const { userId } = await signIn({ video_limit: 9 })
  await page.goto('/app')
  await page.getByLabel('Landscape 16:9').check()
  await page.getByText('Negative Prompt (optional)').click()
  await page.locator('#negativePrompt').fill('no text')
  await prompt(page).focus()
  const watch = await watchAgreement(page)
  const texts = ['A lantern on a lake', 'Fog over a forest', 'Rain on a window']
  for (const text of texts) {
    await expect(page.getByText('Enter', { exact: true })).toBeVisible()
    await closeService()
    await page.keyboard.type(text)
    await page.keyboard.press('ControlOrMeta+Enter')
    // The box is emptied at once for the next prompt. Text typed before the response is kept.
    await page.keyboard.type('next: ')
    await expect(status(page).getByText(text)).toBeVisible()
    await expect(prompt(page)).toHaveValue('next: ')
    await openService(product)
    await expectToast(page, 'Video ready!', { timeout: 30_000 })
    // A toast under the pointer stays.
    if (text === texts.at(-1)) await page.getByRole('button', { name: 'Play' }).hover()
    await expect(status(page).locator('video')).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByText('starts by itself')).toBeHidden()
    for (let left = 'next: '.length; left > 0; left--) await page.keyboard.press('Backspace')
  }
  expect(await watch.seen()).toEqual({ quarrels: [], focus: ['prompt'] })
  const { rows } = await product.db.query(
    `select prompt, aspect_ratio as ratio, negative_prompt as "without" from videos
     where user_id = $1 order by created_at`,
    [userId],
  )
  expect(rows).toEqual(
    texts.map((text) => ({ prompt: text, ratio: 'landscape', without: 'no text' })),
  )
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(page.getByRole('dialog', { name: 'Video Preview' }).locator('video')).toBeVisible()
})

test('Q-8: ideas in a row are added to the line by keyboard, and made one after the other @scripts', async ({
  page,
  product,
  signIn,
  closeService,
}) => {
  // Only with scripts: without them each submit loads a new page (tests/http/create.test.ts).
  const { userId } = await signIn({ speed_limit: 1, video_limit: 5 })
  await page.goto('/app')
  await closeService()
  const watch = await watchAgreement(page)
  // A new account begins in the box.
  await expect(prompt(page)).toBeFocused()
  const texts = ['A lantern on a lake', 'Fog over a forest', 'Rain on a window', 'Snow on a roof']
  const before = [
    'The next video starts by itself when this one is ready.',
    '1 waits before it. It starts by itself.',
    '2 wait before it. It starts by itself.',
    '3 wait before it. It starts by itself.',
  ]
  for (const [index, text] of texts.entries()) {
    await page.keyboard.type(text)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expectToast(page, index === 0 ? 'Generation started' : 'Added to the line')
    await expect(page.getByText(before[index] ?? '')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add to the line' })).toBeVisible()
    await expect(prompt(page)).toHaveValue('')
    await expect(status(page).getByText(texts[0] ?? '')).toBeVisible()
  }
  await expect(page.getByText('4 of 5 videos used today')).toBeVisible()
  await openService(product)
  await expectToast(page, 'Video ready!', { timeout: 60_000 })
  await expect(page.getByRole('button', { name: 'Generate Video' })).toBeVisible({
    timeout: 60_000,
  })
  expect(await watch.seen()).toEqual({ quarrels: [], focus: ['prompt'] })
  const { rows } = await product.db.query<{ prompt: string }>(
    'select prompt from videos where user_id = $1 order by completed_at',
    [userId],
  )
  expect(rows.map((row) => row.prompt)).toEqual(texts)
})

test('issue 51, U-STAT-6: of two videos that a page has started the end of each is said @scripts', async ({
  page,
  product,
  signIn,
  closeService,
}) => {
  // Only with scripts: without them nothing is said by itself.
  await signIn({ speed_limit: 1, video_limit: 5 })
  await page.goto('/app')
  await closeService()
  const texts = ['A lantern on a lake', 'Fog over a forest']
  for (const [index, text] of texts.entries()) {
    await prompt(page).fill(text)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expectToast(page, index === 0 ? 'Generation started' : 'Added to the line')
  }
  await expect(page.getByRole('article')).toHaveCount(2)
  await openService(product)
  // By itself, or together with the newer one if both have ended meanwhile.
  await expectToast(page, /A lantern on a lake$/, { timeout: 40_000 })
})

test('U-T2V-9: a refused prompt is restored in its box, before the text typed since @scripts', async ({
  page,
  signInAt,
}) => {
  // Only with scripts: without them the next prompt has to wait.
  expectPageError('429')
  await signInAt('/app', { video_limit: 0 })
  await prompt(page).fill('the first')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.keyboard.type('the second')
  await expectToast(page, 'Generation failed')
  await expect(prompt(page)).toHaveValue('the first\nthe second')
})

test('U-BULK-9, U-BATCH-5: a started batch is in view and focused; Stop shows what it ends', async ({
  page,
  openBulkToWait,
  withScripts,
}) => {
  await openBulkToWait({ video_limit: 100, speed_limit: 5, video_generation_speed: 90 })
  await promptsBox(page).fill(Array.from({ length: 30 }, (_, i) => `prompt ${i}`).join('\n'))
  await startBulk(page, 30, withScripts)
  await expect(page.getByText('Processing Bulk Generation...')).toBeInViewport()
  await expect(page).toHaveTitle('(0/30) Create · Reelmill')
  if (withScripts) await expect(status(page)).toBeFocused()
  await page.getByRole('link', { name: 'Stop All Process' }).click()
  await expect(page.getByText('30 videos not sent yet: cancelled')).toBeVisible()
  await page.getByRole('button', { name: 'Stop All Process' }).click()
  await expect(page.getByText('Videos not sent yet will not be made').first()).toBeVisible()
  await expect(page).toHaveTitle('Create · Reelmill')
})

test('U-STAT-6: the finished video opens, ready to play, on the page that started it and on no other @scripts', async ({
  page,
  context,
  product,
  signInToWait,
}) => {
  // Only with scripts: without them the page reloads itself.
  await signInToWait()
  await page.goto('/app')
  // Not the first words of the example that a new account is offered in the same place.
  await prompt(page).fill('A quiet harbour')
  await page.getByRole('button', { name: 'Generate Video' }).click()
  await expect(status(page).getByText('A quiet harbour')).toBeVisible()
  const other = await context.newPage()
  await other.goto('/app')
  await expect(status(other).getByText('A quiet harbour')).toBeVisible()
  const watch = await watchAgreement(page)
  await openService(product)
  const dialog = (tab: Page) => tab.getByRole('dialog', { name: 'Video Preview' })
  // A toast under the pointer stays, however long the other page takes.
  await other.getByRole('button', { name: 'Play' }).hover()
  await expect(dialog(page).locator('video')).toBeVisible({ timeout: 30_000 })
  // The preview itself is the news.
  await expect(dialog(page).getByText('Video ready!')).toBeVisible()
  await expect(page.locator('.toast-place').getByText('Video ready!')).toHaveCount(0)
  expect((await watch.seen()).quarrels).toEqual([])
  // It is no news any more when the history leads here again.
  await page.goBack()
  await expect(dialog(page)).toBeHidden()
  await page.goForward()
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByText('Video ready!')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByText('starts by itself')).toBeHidden()
  await expect(dialog(other)).toBeHidden()
  await other.getByRole('button', { name: 'Play' }).click()
  await expect(dialog(other).locator('video')).toBeFocused()
  await other.keyboard.press('Escape')
  await expect(dialog(other)).toBeHidden()
  await expect(other.getByRole('main')).toBeFocused()
  await other.close()
})
