import type { Locator } from '@playwright/test'
import { drawPicture } from '../support/pictures'
import { call } from './support/calls'
import { expect, expectPageError, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'
import { openBeforeScripts } from './support/ui'

// By default there are no videos from pictures.
test.use({ settings: { IMAGE_TO_VIDEO: 'on' } })

/** The width of a canvas, and the colour of its middle. */
const middleOf = (preview: Locator) =>
  preview.evaluate((canvas: HTMLCanvasElement) => [
    canvas.width,
    ...(canvas.getContext('2d')?.getImageData(90, 160, 1, 1).data.slice(0, 3) ?? []),
  ])

test('U-I2V-16, U-I2V-19: a picture is chosen, its part is shown, the video is made and continued @looks', async ({
  page,
  signIn,
  withScripts,
}) => {
  const { userId } = await signIn()
  await page.goto('/app?tab=image')
  const file = page.getByLabel('Picture', { exact: true })
  const buffer = drawPicture(900, 300)
  await file.setInputFiles({ name: 'flag.png', mimeType: 'image/png', buffer })
  await page.getByLabel('Portrait 9:16').check()
  await page.getByLabel('Crop position').fill('100')
  if (withScripts) {
    const preview = page.locator('canvas')
    await expect(preview).toBeVisible()
    await expect.poll(() => middleOf(preview)).toEqual([180, 0, 0, 255])
  }
  await lookAt(page, { name: 'picture', withScripts })
  await page.getByLabel('Prompt', { exact: true }).fill('The flag waves')
  await page.getByRole('button', { name: 'Generate Video' }).click()
  await expectToast(page, 'Generation started')
  await expect(page).toHaveURL(/watch=/)
  const { videos } = await call<{ videos: { id: string; aspectRatio: string }[] }>(
    page,
    'GET',
    '/api/videos',
  )
  expect(videos).toMatchObject([{ aspectRatio: 'portrait' }])
  await page.goto(`/videos/${videos[0]?.id}`)
  const link = page.getByRole('link', { name: 'Made from a picture' })
  await expect(link).toBeVisible()
  await expect(page.locator('img[src*=picture]')).toHaveJSProperty('naturalWidth', 720)
  await lookAt(page, { name: 'picture-video', withScripts })

  const next = page.getByRole('link', { name: 'Continue this clip' })
  await expect(async () => {
    await page.reload()
    await page.getByText('More', { exact: true }).click()
    await expect(next).toBeVisible({ timeout: 1000 })
  }).toPass()
  // The same link is in the preview.
  await page.goto(`/dashboard?dialog=preview&on=${videos[0]?.id}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await lookAt(page, { name: 'picture-preview', withScripts })
  await page.getByRole('dialog').getByText('More', { exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Continue this clip' }).click()
  await expect(page.getByText('The video begins with the last picture of this clip')).toBeVisible()
  await lookAt(page, { name: 'continue', withScripts })
  await page.goto(`/app?tab=image&continue=${userId}`)
  await expect(page.getByText('The clip that you want to continue is not there.')).toBeVisible()
  await lookAt(page, { name: 'continue-gone', withScripts })
})

test('U-I2V-16: a picture that is chosen before the scripts have loaded is shown when they have @scripts', async ({
  page,
  signIn,
}) => {
  // Only with scripts: without them no part is shown.
  await signIn()
  const letScriptsCome = await openBeforeScripts(page, '/app?tab=image')
  const file = page.getByLabel('Picture', { exact: true })
  const buffer = drawPicture(900, 300)
  await file.setInputFiles({ name: 'flag.png', mimeType: 'image/png', buffer })
  await page.getByLabel('Portrait 9:16').check()
  await page.getByLabel('Crop position').fill('100')
  const preview = page.locator('canvas')
  await expect(preview).toBeHidden()
  await letScriptsCome()
  await expect(preview).toBeVisible()
  await expect.poll(() => middleOf(preview)).toEqual([180, 0, 0, 255])
})

test('U-I2V-17: what is refused keeps the prompt @looks', async ({ page, signIn, withScripts }) => {
  expectPageError('400')
  await signIn()
  await page.goto('/app?tab=image')
  const prompt = page.getByLabel('Prompt', { exact: true })
  await prompt.fill('Keep these words')
  const file = page.getByLabel('Picture', { exact: true })
  const buffer = Buffer.from('no picture at all')
  await file.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: 'Generate Video' }).click()
  await expect(page.getByText('This is not a JPEG, PNG or WebP picture').first()).toBeVisible()
  await expect(prompt).toHaveValue('Keep these words')
  await lookAt(page, { name: 'picture-refused', withScripts })
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: drawPicture(90, 160) })
  await page.getByRole('button', { name: 'Generate Video' }).click()
  await expectToast(page, 'Generation started')
  const { videos } = await call<{ videos: { prompt: string }[] }>(page, 'GET', '/api/videos')
  expect(videos).toMatchObject([{ prompt: 'Keep these words' }])
})

test('U-I2V-30: a picture is added to a batch, whose receipt says who begins with it @looks', async ({
  page,
  signIn,
  withScripts,
}) => {
  await signIn({ plan: 'Business', video_limit: 50 })
  await page.goto('/app?tab=bulk')
  const box = page.getByLabel('Prompts', { exact: true })
  await box.fill('A boat\nA field')
  const files = (withScripts ? ['boat.png', 'spare.png'] : ['boat.png']).map((name, index) => ({
    name,
    mimeType: 'image/png',
    buffer: drawPicture(160, 90 + index),
  }))
  await page.getByLabel('Add pictures with which the videos begin').setInputFiles(files)
  const review = page.getByRole('button', { name: 'Continue' })
  if (withScripts) await expect(page.getByRole('button', { name: 'Remove boat.png' })).toBeVisible()
  else await review.click()
  if (withScripts) {
    await expect(page.getByText('There are several pictures.')).toBeVisible()
    await lookAt(page, { name: 'several-pictures', withScripts })
    await page.getByRole('button', { name: 'Remove spare.png' }).click()
    await expect(box).toHaveValue('A boat\nA field')
  }
  await expect(page.getByText('boat.png: 2 videos')).toBeVisible()
  await lookAt(page, { name: 'bulk-pictures', withScripts })
  await page.getByRole('button', { name: 'Generate 2 Video(s)' }).last().click()
  await expectToast(page, 'Bulk Generation Started! 🚀')
  const { videos } = await call<{ videos: { id: string }[] }>(page, 'GET', '/api/videos')
  const pictured = await Promise.all(
    videos.map(({ id }) => page.request.get(`/media/${id}.picture.jpeg`)),
  )
  expect(pictured.map((answer) => answer.status())).toEqual([200, 200])
})
