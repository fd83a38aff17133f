import { makeVideos } from '../../support/videos'
import { openService } from '../support/calls'
import { expect, test } from '../support/fixtures'
import { overflowOf } from '../support/looks'
import { expectToast } from '../support/toasts'

/** The browser is slow. */
const MADE_MS = 60_000
const WIDTH = 375

test('on a slow phone: sign in, make a video, play it, and retry a failed one', async ({
  page,
  product,
  closeService,
}) => {
  test.slow()
  page.on('dialog', (dialog) => void dialog.accept())
  const { userId, username } = await product.user({ video_limit: 20 })
  await makeVideos(product, userId, [{ prompt: 'A broken kite', status: 'error' }])
  await page.goto('/login')
  await page.getByLabel('Username').tap()
  await page.keyboard.type(username)
  await page.getByLabel('Password', { exact: true }).tap()
  await page.keyboard.type('secret-1')
  await page.getByRole('button', { name: 'Sign In' }).tap()
  await expect(page).toHaveURL(/\/app$/)
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).tap()
  await page.keyboard.type('A paper boat')
  const followed = page.getByText(/Refreshing in \ds/)
  await closeService()
  await page.getByRole('button', { name: 'Generate Video' }).tap()
  await expect(followed).toBeVisible()
  await openService(product)
  await expectToast(page, 'Video ready!', { timeout: MADE_MS })
  const preview = page.getByRole('dialog', { name: 'Video Preview' })
  await expect(preview.locator('video')).toHaveJSProperty('duration', 4)
  await preview.getByRole('link', { name: 'Close' }).tap()
  await closeService()
  await page.getByRole('link', { name: 'Retry: A broken kite' }).tap()
  await expectToast(page, 'Retry started')
  await expect(followed).toBeVisible()
  await openService(product)
  await page.getByRole('button', { name: 'Play', exact: true }).tap({ timeout: MADE_MS })
  await expect(preview.getByText('A broken kite')).toBeVisible()
  expect(await overflowOf(page, WIDTH)).toBe(0)
})

test('on a slow phone: a batch and its videos in My Videos @slow', async ({
  page,
  product,
  signIn,
}) => {
  test.slow()
  const { userId } = await signIn({ video_limit: 20, speed_limit: 5 })
  await makeVideos(product, userId, [{ prompt: 'An older kite' }])
  await page.goto('/app')
  // The tabs are folded into the bar.
  await page.getByLabel('More options').tap()
  await page.getByRole('tab', { name: 'Bulk Generator' }).tap()
  await page.getByRole('textbox', { name: 'Prompts', exact: true }).tap()
  await page.keyboard.type('one boat\ntwo boats')
  await page.getByRole('button', { name: 'Generate 2 Video(s)' }).last().tap()
  await expect(page.getByText('Processing Bulk Generation...')).toBeInViewport()
  await expect(page.getByText('Bulk Generation Complete!')).toBeVisible({ timeout: MADE_MS })
  await page.locator('header label[for=menu]').tap()
  await page.getByRole('link', { name: 'My Videos' }).tap()
  await expect(page.getByRole('article')).toHaveCount(3)
  expect(await overflowOf(page, WIDTH)).toBe(0)
  await page.getByRole('link', { name: 'Play: one boat' }).tap()
  const preview = page.getByRole('dialog', { name: 'Video Preview' })
  await expect(preview.locator('video')).toHaveJSProperty('duration', 4)
  await preview.getByRole('link', { name: 'Close' }).tap()
  await page.getByRole('checkbox', { name: 'Select: An older kite' }).tap()
  await page.getByRole('button', { name: 'Delete Selected' }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('on a slow phone: an administrator creates, finds and edits a user @slow', async ({
  page,
  signIn,
}) => {
  await signIn({ role: 'admin' })
  const phone = `0344${String(Date.now()).slice(-8)}`
  await page.goto('/admin')
  expect(await overflowOf(page, WIDTH)).toBe(0)
  await page.getByRole('link', { name: 'Quick Create' }).tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Phone number').tap()
  await page.keyboard.type(phone)
  await dialog.getByRole('button', { name: 'Quick Create' }).tap()
  await expect(dialog.getByText('User Created Successfully!')).toBeVisible()
  await dialog.getByRole('link', { name: 'Close' }).tap()
  await page.goto(`/admin?search=${phone}`)
  await page.getByRole('link', { name: `Edit ${phone}` }).tap()
  await dialog.getByLabel('Daily video limit').fill('77')
  await dialog.getByRole('button', { name: 'Update User' }).tap()
  await expectToast(page, 'User updated')
  await expect(page.getByText('77/day')).toBeVisible()
})
