import type { Locator } from '@playwright/test'
import { expect, test as base } from '../../e2e/support/fixtures'
import { makeVideos } from '../../support/videos'

/** Clips are really rendered here, which takes long on a busy machine. */
const RENDERED_MS = 150_000

type Fixtures = {
  press: (target: Locator) => Promise<void>
  write: (field: Locator, text: string) => Promise<void>
}

// In a Firefox without scripts the checks that Playwright runs inside the page before it clicks or
// fills in never end. There, clicks are forced and text is typed.
const test = base.extend<Fixtures>({
  press: async ({ withScripts }, use) => use((target) => target.click({ force: !withScripts })),
  write: async ({ page, withScripts }, use) =>
    use(async (field, text) => {
      if (withScripts) return field.fill(text)
      await field.click({ force: true })
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
    }),
})

test.use({ clips: 'preview' })

// Playwright's own matchers for pages never end without scripts either. These ask the page again and
// again from outside.
const see = (target: Locator, timeout = 15_000) =>
  expect.poll(() => target.first().isVisible(), { timeout, message: String(target) }).toBe(true)
const seeCount = (target: Locator, count: number) =>
  expect.poll(() => target.count(), { message: String(target) }).toBe(count)
const seeSeconds = (video: Locator, seconds: number) =>
  expect.poll(() => video.evaluate((clip: HTMLVideoElement) => clip.duration)).toBe(seconds)

test('Firefox: a user signs in, makes a video and plays it', async ({
  page,
  product,
  press,
  write,
  withScripts,
}) => {
  test.slow()
  const { username } = await product.user()
  await page.goto('/login')
  await write(page.getByLabel('Username'), username)
  await write(page.getByLabel('Password'), 'secret-1')
  await press(page.getByRole('button', { name: 'Sign In' }))
  await page.waitForURL('**/app')
  await write(page.getByLabel('Prompt', { exact: true }), 'A paper boat')
  await press(page.getByRole('button', { name: 'Generate Video' }))
  const video = (withScripts ? page.getByRole('dialog') : page.locator('#status')).locator('video')
  await see(video, RENDERED_MS)
  await seeSeconds(video, 4)
  if (!withScripts) return
  const size = await video.evaluate(async (clip: HTMLVideoElement) => {
    clip.muted = true
    await clip.play()
    await new Promise((resolve) => clip.addEventListener('timeupdate', resolve, { once: true }))
    return [clip.videoWidth, clip.videoHeight]
  })
  expect(size).toEqual([720, 1280])
})

test('Firefox: a batch, and its videos in My Videos', async ({
  page,
  product,
  signIn,
  press,
  write,
  withScripts,
}) => {
  test.slow()
  const { userId } = await signIn({ video_limit: 20, speed_limit: 5 })
  await makeVideos(product, userId, [{ prompt: 'An older kite' }])
  await page.goto('/app?tab=bulk')
  await write(page.getByRole('textbox', { name: 'Prompts', exact: true }), 'one boat\ntwo boats')
  if (!withScripts) await press(page.getByRole('button', { name: 'Continue' }))
  await press(page.getByRole('button', { name: 'Generate 2 Video(s)' }))
  await see(page.getByText('Bulk Generation Complete!'), RENDERED_MS)
  await page.goto('/dashboard')
  const cards = page.getByRole('article')
  await seeCount(cards, 3)
  const card = cards.filter({ hasText: 'two boats' })
  await card.hover({ force: true })
  await press(card.getByRole('link', { name: 'Play: two boats' }))
  // Without scripts it plays on a page of its own.
  const preview = withScripts
    ? page.getByRole('dialog', { name: 'Video Preview' })
    : page.getByRole('main')
  await see(preview.locator('video'))
  await seeSeconds(preview.locator('video'), 4)
  await press(preview.getByRole('link', { name: withScripts ? 'Close' : 'Back to My Videos' }))
  await seeCount(cards, 3)
  await seeCount(page.locator('video[controls]'), 0)
  if (withScripts) page.on('dialog', (dialog) => void dialog.accept())
  const older = cards.filter({ hasText: 'An older kite' })
  await older.hover({ force: true })
  await press(older.getByRole('link', { name: 'Delete: An older kite' }))
  if (!withScripts)
    await press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }))
  await see(page.getByText('Video deleted', { exact: true }).filter({ visible: true }))
  await seeCount(cards, 2)
})

test('Firefox: an administrator creates, finds and edits a user', async ({
  page,
  signIn,
  press,
  write,
}) => {
  await signIn({ role: 'admin' })
  const phone = `0355${Math.floor(1e6 + Math.random() * 8e6)}`
  await page.goto('/admin')
  await press(page.getByRole('link', { name: 'Quick Create' }))
  const dialog = page.getByRole('dialog')
  await write(dialog.getByLabel('Phone number'), phone)
  await press(dialog.getByRole('button', { name: 'Quick Create' }))
  await see(dialog.getByText('User Created Successfully!'))
  await page.goto(`/admin?search=${phone}`)
  await press(page.getByRole('link', { name: `Edit ${phone}` }))
  await write(dialog.getByLabel('Daily video limit'), '77')
  await press(dialog.getByRole('button', { name: 'Update User' }))
  await see(page.getByText('User updated', { exact: true }).filter({ visible: true }))
  await see(page.getByText('77/day'))
})
