import type { Locator, Page } from '@playwright/test'
import { addVideos } from '../support/ended-videos'
import { makeVideos } from '../support/videos'
import { expectAccessible } from './support/axe'
import { cancelLatestBatch } from './support/calls'
import { expect, test } from './support/fixtures'
import { openTool, promptBox, promptsBox, selectAll, startBulk } from './support/ui'

const PHONE = { width: 375, height: 780 }
const deleteSelected = (page: Page) => page.getByRole('button', { name: 'Delete Selected' })

test('the actions on selected videos appear with the first selection, stay in view and move no card', async ({
  page,
  makeOwn,
  withScripts,
}) => {
  await makeOwn(Array(6).fill({ aspect_ratio: 'landscape' }))
  await page.setViewportSize(PHONE)
  await page.goto('/app')
  const box = page.getByRole('checkbox', { name: /^Select: / })
  await expect(deleteSelected(page)).toBeHidden()
  const place = async () => (await page.getByRole('article').first().boundingBox())?.y
  await box.first().scrollIntoViewIfNeeded()
  const before = await place()
  await box.first().check()
  await expect(deleteSelected(page)).toBeInViewport()
  await expect(page.getByRole('textbox', { name: 'Prompt', exact: true })).toBeHidden()
  expect(await place()).toBe(before)
  if (withScripts) await expectAccessible(page)
  for (const size of [PHONE, { width: 1280, height: 700 }]) {
    await page.setViewportSize(size)
    await page.getByRole('article').last().scrollIntoViewIfNeeded()
    await expect(deleteSelected(page)).toBeInViewport()
  }
  if (withScripts) await page.getByRole('button', { name: 'Clear' }).click()
  else await box.first().uncheck()
  await expect(box.first()).not.toBeChecked()
  await page.setViewportSize(PHONE)
  await expect(deleteSelected(page)).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Prompt', exact: true })).toBeVisible()
})

test('U-GAL-1, U-MYV-2: on a phone one line with the filters stands before the first video', async ({
  page,
  makeOwn,
}) => {
  await makeOwn([...Array.from({ length: 12 }, () => ({})), { status: 'error' }])
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto('/dashboard')
  const first = page.getByRole('article').first()
  expect((await first.boundingBox())?.y).toBeLessThan(300)
  const failed = page
    .getByRole('navigation', { name: 'Status' })
    .getByRole('link', { name: /^Error/ })
  await expect(failed).toBeHidden()
  await openTool(page, 'Filters')
  await failed.click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.locator('summary').filter({ hasText: 'Filters (1)' })).toBeVisible()
})

test('on a phone the form stays open after it has started work, below its progress', async ({
  page,
  signInToWait,
  withScripts,
}) => {
  await signInToWait({ video_limit: 20, speed_limit: 1, video_generation_speed: 90 })
  await page.setViewportSize(PHONE)
  await page.goto('/app?tab=bulk')
  const prompts = promptsBox(page)
  await prompts.fill('one boat\nanother boat')
  await startBulk(page, 2, withScripts)
  await expect(page.getByText('Processing Bulk Generation...')).toBeInViewport()
  await expect(page.getByRole('tab', { name: 'Bulk Generator' })).toBeVisible()
  if (withScripts) {
    await prompts.fill('the next one')
    await expectAccessible(page)
    // While a user types, the form stays as it is, whatever happens to the batch.
    await openTool(page, 'More actions')
    await expect(prompts).toHaveValue('the next one')
  } else await expect(prompts).toBeHidden()
  await cancelLatestBatch(page)
})

test('U-STAT-1: on a phone, Generate leads to the status', async ({ page, signInToWait }) => {
  await signInToWait()
  await page.setViewportSize({ width: 375, height: 480 })
  await page.goto('/app')
  await promptBox(page).fill('A red kite over the dunes')
  const generate = page.getByRole('button', { name: 'Generate Video' })
  await generate.evaluate((button) => button.scrollIntoView({ block: 'end' }))
  await generate.click()
  await expect(page).toHaveURL(/watch=/)
  await expect(page.getByRole('heading', { name: 'Status' })).toBeInViewport()
})

test('the bar at the foot of a phone never covers what has the focus', async ({
  page,
  makeOwn,
}) => {
  await makeOwn(Array(8).fill({ aspect_ratio: 'landscape' }))
  await page.setViewportSize({ width: 375, height: 700 })
  await page.goto('/app')
  const covered = () =>
    page.evaluate(() => {
      const focused = document.activeElement
      const box = focused?.getBoundingClientRect()
      if (!focused || !box) return null
      const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
      const bar = above?.closest('.composer-bar')
      return bar && !bar.contains(focused) ? focused.getAttribute('aria-label') : null
    })
  await page
    .getByRole('checkbox', { name: /^Select: / })
    .first()
    .focus()
  for (let i = 0; i < 30; i += 1) {
    await page.keyboard.press('Tab')
    expect(await covered()).toBeNull()
  }
})

test('on a phone the gallery’s lines have room, and its buttons are large enough for a finger', async ({
  page,
  product,
  userId,
  withScripts,
}) => {
  const of = { userId, withFiles: true, prompt: 'A kite' } as const
  await addVideos(product, { ...of, status: 'completed', n: 120 })
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto(withScripts ? '/dashboard' : '/dashboard?select=page')
  const wide = async (one: Locator) => (await one.boundingBox())?.width ?? 0
  const right = async (one: Locator) => {
    const box = await one.boundingBox()
    return (box?.x ?? Infinity) + (box?.width ?? 0)
  }
  for (const icon of await page.getByRole('banner').locator('.btn:visible').all())
    expect(await wide(icon)).toBeGreaterThanOrEqual(44)
  for (const action of await page.getByRole('article').first().locator('.card-action').all())
    expect(await wide(action)).toBeGreaterThanOrEqual(44)
  expect(await right(page.getByText('Failed', { exact: true }).first())).toBeLessThanOrEqual(359)
  const field = page.getByPlaceholder('Search prompts')
  await field.focus()
  expect(await field.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  if (withScripts) await selectAll(page)
  const bar = page.getByRole('group', { name: 'Selected videos' })
  const match = bar.getByText('Select all 120 that match')
  expect((await match.boundingBox())?.height).toBeLessThanOrEqual(44)
  await page.goto('/app')
  const usage = await page.getByRole('link', { name: 'View usage' }).boundingBox()
  expect(usage?.height).toBeGreaterThanOrEqual(44)
})

test.describe('figures', () => {
  test.use({ locale: 'de-DE' })
  test('have the separators of the user’s language', async ({
    page,
    product,
    userId,
    withScripts,
  }) => {
    await addVideos(product, { userId, status: 'error', n: 1234 })
    await page.goto('/dashboard')
    await expect(page.getByText(/^Showing 1-\d\d of 1\.234 videos$/)).toBeVisible()
    if (withScripts) await page.waitForLoadState('networkidle')
    await expect(page.getByText(/^Showing 1-\d\d of 1\.234 videos$/)).toBeVisible()
    await openTool(page, 'Filters')
    await expect(page.getByRole('link', { name: 'Error 1.234' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('definition').first()).toHaveText('1.234')
  })
})

test.describe('digits', () => {
  test.use({ locale: 'ar-EG' })
  test('are those of the text, whatever the user’s language', async ({
    page,
    product,
    userId,
    withScripts,
  }) => {
    await addVideos(product, { userId, status: 'error', n: 12 })
    await page.goto('/dashboard', { waitUntil: withScripts ? 'networkidle' : 'load' })
    await expect(page.getByText('Showing 1-12 of 12 videos')).toBeVisible()
  })
})

test.describe('times', () => {
  test.use({ timezoneId: 'Asia/Karachi' })
  test('of videos are the reader’s, or name their time zone', async ({
    page,
    product,
    userId,
    withScripts,
  }) => {
    const [video] = await makeVideos(product, userId, [{}])
    await product.db.query(
      `update videos set created_at = '2026-11-22T20:04:00Z' where user_id = $1`,
      [userId],
    )
    const read = withScripts ? '23 Nov 2026, 01:04' : '22 Nov 2026, 20:04 UTC'
    await page.goto('/dashboard')
    const short = withScripts ? '23 Nov, 01:04' : '22 Nov, 20:04 UTC'
    await expect(page.getByRole('article').getByText(short, { exact: true })).toBeVisible()
    await page.goto(`/videos/${video?.id}`)
    await expect(page.getByText(read, { exact: true })).toBeVisible()
    // A day of the quota is one of the platform.
    await page.goto('/usage')
    await expect(page.getByText('Days and times are UTC.')).toBeVisible()
  })

  test('issue 51.10: what happened is in the reader’s time, the end of a plan in the platform’s', async ({
    page,
    product,
    userId,
    withScripts,
  }) => {
    await product.db.query(
      `with account as (update users set expiry_date = '2027-01-22T20:04:00Z' where id = $1 returning id)
       update sessions set created_at = '2026-11-22T20:04:00Z' where user_id = (select id from account)`,
      [userId],
    )
    await page.goto('/account/sessions')
    const signedIn = withScripts ? '23 Nov 2026, 01:04' : '22 Nov 2026, 20:04 UTC'
    await expect(page.getByText(`Signed in ${signedIn}`)).toBeVisible()
    await page.goto('/usage')
    await expect(page.getByText('22 Jan 2027, 20:04 UTC')).toBeVisible()
  })

  test('issue 37: a batch that is named after its time agrees with the time beside it', async ({
    page,
    product,
    userId,
    withScripts,
  }) => {
    const { rows } = await product.db.query<{ id: string }>(
      `insert into batches (id, user_id, kind, status, total_videos, speed_limit, delay_seconds, created_at, finished_at)
       values (gen_random_uuid(), $1, 'bulk', 'completed', 1, 1, 90, '2026-11-22T20:04:00Z', '2026-11-22T20:04:00Z')
       returning id`,
      [userId],
    )
    const [name, time] = withScripts
      ? ['Batch of 01:04', '23 Nov 2026, 01:04']
      : ['Batch of 20:04', '22 Nov 2026, 20:04 UTC']
    for (const address of ['/batches', `/batches/${rows[0]?.id}`]) {
      await page.goto(address)
      await expect(page.getByRole('heading', { name })).toBeVisible()
      await expect(page.getByText(time)).toBeVisible()
    }
  })
})

test('the parts of the create screen have space between them', async ({
  page,
  product,
  userId,
}) => {
  await product.db.query('update users set video_limit = 0 where id = $1', [userId])
  const boxOf = async (locator: Locator) => {
    const box = await locator.boundingBox()
    if (!box) throw new Error('not there')
    return box
  }
  for (const size of [PHONE, { width: 1280, height: 900 }]) {
    await page.setViewportSize(size)
    await page.goto('/app?tab=text')
    const note = await boxOf(page.getByText('Today’s videos are used up.'))
    const heading = await boxOf(page.getByRole('heading', { level: 1 }))
    expect(heading.y - (note.y + note.height), `${size.width} px`).toBeGreaterThanOrEqual(16)
    // On a phone the form is long enough for its last row to stand over the others.
    if (size === PHONE) continue
    await page.goto('/app?tab=bulk')
    const rows = page
      .locator('main form:has([name=promptLines]) > :is(div, ul)')
      .filter({ visible: true })
    const boxes = await Promise.all((await rows.all()).map(boxOf))
    expect(boxes.length).toBeGreaterThanOrEqual(4)
    for (const [i, { y }] of boxes.slice(1).entries()) {
      const above = boxes[i]
      expect(y - ((above?.y ?? 0) + (above?.height ?? 0))).toBeGreaterThanOrEqual(8)
    }
  }
})

test('the state of a video is not cut off on a phone at 200 % zoom', async ({
  page,
  product,
  signIn,
}) => {
  const { userId } = await signIn()
  await makeVideos(product, userId, [{ regenerated_by_admin: true }])
  await page.setViewportSize({ width: 187, height: 700 })
  await page.goto('/dashboard')
  const card = page.getByRole('article')
  const picture = await card.getByRole('link', { name: /^Play:/ }).boundingBox()
  const right = (picture?.x ?? 0) + (picture?.width ?? 0)
  for (const state of ['Completed', 'Regenerated']) {
    const chip = await card.getByText(state, { exact: true }).boundingBox()
    expect((chip?.x ?? Infinity) + (chip?.width ?? 0), state).toBeLessThanOrEqual(right)
  }
})
