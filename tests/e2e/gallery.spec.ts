import fs from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { addVideos } from '../support/ended-videos'
import { makeVideos } from '../support/videos'
import { call, leave } from './support/calls'
import { expect, expectPageError, test } from './support/fixtures'
import { expectNoToast, expectToast } from './support/toasts'
import {
  card,
  deleteSelected,
  holdRequests,
  openTool,
  press,
  pressAndConfirm,
  pressMany,
  selectAll,
} from './support/ui'

test('U-GAL-1, U-GAL-2, U-GAL-3, U-GAL-8, U-GAL-9, U-DEL-2: filters, selection and deleting', async ({
  page,
  makeOwn,
}) => {
  await page.goto('/app')
  await expect(
    page.getByText('No videos generated yet. Create your first video above!'),
  ).toBeVisible()
  await makeOwn([
    { prompt: 'Wide one', aspect_ratio: 'landscape' },
    { prompt: 'Tall failed', status: 'error' },
    { prompt: 'Tall one' },
  ])
  await page.goto('/app')
  await expect(page.getByText('Showing 1-3 of 3 videos')).toBeVisible()
  // A few clips have one button above them, with the filters.
  await openTool(page, 'More actions')
  for (const name of ['Download All', 'All Prompts'])
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Retry All' })).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Status' })
    .getByRole('link', { name: /Error/ })
    .click()
  await expect(page).toHaveURL(/status=error/)
  await expect(page.getByRole('article')).toHaveText([/Tall failed/])
  await openTool(page, 'Filters')
  await page
    .getByRole('navigation', { name: 'Aspect ratio' })
    .getByRole('link', { name: /Landscape/ })
    .click()
  await expect(page.getByText('No videos match these filters.')).toBeVisible()
  await page.getByRole('link', { name: 'Show all videos' }).click()
  await expect(page.getByRole('article')).toHaveCount(3)

  await selectAll(page)
  await expect(page.getByText('3 selected')).toBeVisible()
  for (const name of ['Download Selected', 'Delete Selected'])
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  await openTool(page, 'More')
  await expect(page.getByRole('button', { name: 'Prompts', exact: true })).toBeVisible()
  await card(page, 'Wide one').getByRole('checkbox').uncheck()
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(request.url())
  })
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await expect(page.getByText('Delete 2 videos?')).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Videos deleted')
  await expect(page.getByRole('article')).toHaveText([/Wide one/])
  expect(calls).toHaveLength(1)
})

test('U-CARD-5, U-CARD-6, U-REGEN-1, U-RETRY-1, U-DEL-1: the actions of cards', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  const { userId } = await signIn({ video_limit: 20, speed_limit: 1 })
  await makeVideos(product, userId, [
    { prompt: 'Doomed', aspect_ratio: 'landscape' },
    { prompt: 'Failed once', status: 'error' },
    { prompt: 'Finished', aspect_ratio: 'landscape' },
  ])
  await page.goto('/app')
  await expect(card(page, 'Finished').getByRole('link')).toHaveCount(6)
  await expect(card(page, 'Failed once').getByRole('link')).toHaveCount(3)
  await pressAndConfirm(page, { prompt: 'Doomed', name: 'Delete', withScripts })
  await expectToast(page, 'Video deleted')
  await expect(card(page, 'Doomed')).toHaveCount(0)

  await pressAndConfirm(page, { prompt: 'Failed once', name: 'Retry', withScripts })
  await expectToast(page, 'Retry started')
  await expect(card(page, 'Failed once').getByText(/Queued|Generating\.\.\./)).toBeVisible()

  await pressAndConfirm(page, { prompt: 'Finished', name: 'Regenerate', withScripts })
  await expectToast(page, 'Regenerate started')
  const { rows } = await product.db.query(
    `select prompt, regenerate_count, status <> 'completed' as moving from videos
     where user_id = $1 and deleted_at is null order by prompt`,
    [userId],
  )
  expect(rows).toEqual([
    { prompt: 'Failed once', regenerate_count: 1, moving: true },
    { prompt: 'Finished', regenerate_count: 1, moving: true },
  ])
})

test('U-EDIT-1, U-EDIT-2, U-EDIT-3: editing makes a new video of the same aspect ratio and keeps the old one', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  expectPageError('403')
  const { userId } = await signIn({ video_limit: 20 })
  const long = `A long prompt ${'word '.repeat(60)}end`
  await makeVideos(product, userId, [{ prompt: long, aspect_ratio: 'landscape' }])
  await page.goto('/app')
  await page.getByRole('article').hover()
  await page.getByRole('link', { name: /^Edit/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Prompt & Regenerate' })
  const field = dialog.getByLabel('Prompt')
  await expect(field).toHaveValue(long)
  await field.fill('   ')
  if (withScripts) await expect(dialog.getByRole('button', { name: 'Generate' })).toBeDisabled()
  await field.fill('A short one')
  // After a refusal the dialog shows the reason and keeps the text.
  const expire = (days: number) =>
    product.db.query(`update users set expiry_date = now() + $2 * interval '1 day' where id = $1`, [
      userId,
      days,
    ])
  await expire(-1)
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Generation failed')
  await expect(dialog.getByRole('alert')).toContainText('expired')
  await expect(field).toHaveValue('A short one')
  if (withScripts) await expect(dialog.getByRole('button', { name: 'Generate' })).toBeFocused()
  await expire(30)
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expectToast(page, 'Generation started')
  await expect(page.getByRole('article')).toHaveCount(2)
  const { rows } = await product.db.query(
    'select prompt, aspect_ratio from videos where user_id = $1 order by created_at',
    [userId],
  )
  expect(rows).toEqual([
    { prompt: long, aspect_ratio: 'landscape' },
    { prompt: 'A short one', aspect_ratio: 'landscape' },
  ])
})

test('U-OK-1, U-CARD-7, U-PREV-1, U-PREV-3: a finished card opens its preview or its page', async ({
  page,
  saved,
  makeOwn,
  withScripts,
}) => {
  await makeOwn([{ prompt: 'To be watched', aspect_ratio: 'landscape' }])
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Play: To be watched' }).click()
  if (!withScripts) return expect(page).toHaveURL(/\/videos\//)
  const dialog = page.getByRole('dialog', { name: 'Video Preview' })
  await expect(dialog.locator('video')).toHaveAttribute('autoplay', '')
  await expect(dialog.getByText('To be watched')).toBeVisible()
  await saved(/^0001_to-be-watched\.mp4$/, () =>
    dialog.getByRole('link', { name: 'Download Video' }).click(),
  )
  await expectToast(page, 'Download complete')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).not.toHaveURL(/dialog/)
})

test('U-DEL-1: a video deleted on its own page', async ({ page, makeOwn, withScripts }) => {
  expectPageError('404')
  const [doomed] = await makeOwn([{ prompt: 'Doomed' }, { prompt: 'Kept' }])
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`/videos/${doomed!.id}`)
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('link', { name: 'Delete', exact: true }).click()
  if (!withScripts) await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
  await expectToast(page, 'Video deleted')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article')).toContainText('Kept')
})

test('U-DEL-1: no clip plays under the mouse while its video is being deleted @scripts', async ({
  page,
  makeOwn,
}) => {
  // Only with scripts: without them no clip plays in its frame.
  await makeOwn([{ prompt: 'A kite' }])
  await page.clock.install()
  await page.goto('/app', { waitUntil: 'networkidle' })
  const clip = page.locator('.card-clip')
  const restOn = async (place: Locator) => {
    await page.mouse.move(0, 0)
    await place.hover()
    await page.clock.runFor(1000)
  }
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('.mp4')) asked.push(request.url())
  })
  const frame = card(page, 'A kite').locator('.card-frame')
  await restOn(frame)
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  const letGo = await holdRequests(page, '**/app?*', 'POST')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  page.once('dialog', (dialog) => void dialog.accept())
  await press(page, 'A kite', 'Delete')
  await sent
  await expect(clip).toHaveCount(0)
  asked.length = 0
  await restOn(frame)
  await expect(clip).toHaveCount(0)
  expect(asked).toEqual([])
  letGo()
  await expect(card(page, 'A kite')).toHaveCount(0)
})

test('U-OK-1, U-DL-3, U-DL-4, U-EXP-1, U-EXP-2: downloads one by one, as an archive, and the prompts', async ({
  page,
  saved,
  makeOwn,
  withScripts,
}) => {
  expectPageError('404')
  await page.goto('/app')
  await pressMany(page, 'Download All')
  await expectToast(page, 'No videos to download')
  const [, broken] = await makeOwn([{}, {}, {}])
  await fs.rm(broken!.file)
  // With nothing ticked there is no button; what was ticked in another tab may be gone, however.
  await page.goto('/app?dialog=delete-selected')
  await expect(page.getByRole('dialog', { name: 'No videos selected' })).toBeVisible()
  await page.goto('/app')
  if (!withScripts) {
    await pressMany(page, 'Download All')
    await expect(page.getByText(/^3 videos, 1 kB$/).first()).toBeVisible()
    const [archive] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'ZIP: All videos' }).click(),
    ])
    expect(archive.suggestedFilename()).toMatch(/^videos-.*\.zip$/)
    return
  }
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/download')) asked.push(request.url())
  })
  // A page whose clock is replaced while its scripts take it over would find other texts.
  await leave(page)
  await page.clock.install()
  await page.goto('/app')
  await selectAll(page)
  await page.clock.pauseAt(Date.now() + 3_600_000)
  // The first is saved at once, the second exactly half a second later.
  await saved(/\.mp4$/, () => page.getByRole('button', { name: 'Download Selected' }).click())
  // A second press does not start a second run.
  await page.getByRole('button', { name: 'Download Selected' }).click()
  await page.clock.runFor(499)
  expect(asked).toHaveLength(1)
  await expect(async () => {
    await page.clock.runFor(1)
    expect(asked).toHaveLength(2)
  }).toPass()
  const summary = page.getByText(/Successfully downloaded 2 of 3 videos\. Failed: “/).first()
  await expect(async () => {
    await page.clock.runFor(100)
    expect(await summary.isVisible()).toBe(true)
  }).toPass()
  expect(asked).toHaveLength(3)
  await page.clock.resume()
  await saved(/^prompts-.*\.txt$/, () => pressMany(page, 'All Prompts'))
  await expectToast(page, 'Prompts downloaded')
})

test('U-GAL-6, U-MYV-9, U-RETRY-3: pages of 50 or 20, and nothing to retry', async ({
  page,
  product,
  userId,
  withScripts,
}) => {
  await addVideos(product, { userId, status: 'error', n: 120 })
  await page.goto('/dashboard')
  const size = withScripts ? 50 : 20
  await expect(page.getByText(`Showing 1-${size} of 120 videos`)).toBeVisible()
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page.getByText(`Showing ${size + 1}-${2 * size} of 120 videos`)).toBeVisible()
  await leave(page)
  await product.db.query('delete from videos where user_id = $1', [userId])
  await page.goto('/app')
  await pressMany(page, 'Retry All')
  await expect(page.getByText('No failed videos').first()).toBeVisible()
})

test('U-RETRY-3: failed videos that are gone when Retry All is confirmed are not reported as retried @scripts', async ({
  page,
  product,
  makeOwn,
  userId,
}) => {
  // Only with scripts: without them the page of the confirmation is loaded again.
  await makeOwn([{ prompt: 'A kite', status: 'error' }])
  await page.goto('/app')
  await pressMany(page, 'Retry All')
  const confirm = page.getByRole('button', { name: 'Retry All' })
  await expect(confirm).toBeVisible()
  await product.db.query('delete from videos where user_id = $1', [userId])
  await confirm.click()
  await expectToast(page, 'No failed videos')
  expectNoToast(page, 'Retry All started')
})

test('U-GAL-4: selected videos are deleted although another tab has deleted one of them', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  expectPageError('404')
  const { userId } = await signIn()
  const [video] = await makeVideos(product, userId, [{}, {}, {}])
  await page.goto('/app?select=page', { waitUntil: withScripts ? 'networkidle' : 'load' })
  await call(page, 'DELETE', `/api/videos/${video?.id}`)
  await deleteSelected(page)
  await expectToast(page, 'Videos deleted')
  await expect(page.getByText('No videos generated yet.')).toBeVisible()
})

test('U-RETRY-1: a second press while a retry is being sent does nothing @scripts', async ({
  page,
  makeOwn,
  closeService,
}) => {
  // Only with scripts: without them the question is a page of its own.
  await closeService()
  await makeOwn([{ prompt: 'A kite', status: 'error' }])
  await page.goto('/app')
  let questions = 0
  page.on('dialog', (dialog) => {
    questions += 1
    void dialog.accept()
  })
  const letGo = await holdRequests(page, '**/app?*', 'POST')
  await press(page, 'A kite', 'Retry')
  await expect.poll(() => questions).toBe(1)
  await press(page, 'A kite', 'Retry')
  letGo()
  await expectToast(page, 'Retry started')
  await expect(page.getByText('Retry failed')).toBeHidden()
  expect(questions).toBe(1)
})

test('U-DL-1: a clip that is being saved is announced, and a second press does not load it again @scripts', async ({
  page,
  makeOwn,
}) => {
  // Only with scripts: without them the browser shows the progress.
  await makeOwn([{ prompt: 'A kite' }])
  await page.goto('/app')
  let requests = 0
  page.on('request', (request) => (requests += Number(request.url().endsWith('/download'))))
  const letGo = await holdRequests(page, '**/api/videos/*/download')
  await press(page, 'A kite', 'Download')
  await expectToast(page, 'Downloading video')
  await press(page, 'A kite', 'Download')
  letGo()
  await expectToast(page, 'Download complete')
  expect(requests).toBe(1)
})
