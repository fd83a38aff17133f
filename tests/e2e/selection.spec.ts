import fs from 'node:fs/promises'
import { addVideos } from '../support/ended-videos'
import { makeVideos } from '../support/videos'
import { readZipFile } from '../support/zip'
import { leave } from './support/calls'
import { expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { card, deleteSelected, selectAll, selectAllBox } from './support/ui'

// Only with scripts: without them a selection is that of one page (tests/http/gallery.test.ts).

test('U-GAL-3, U-DEL-2: twelve of 3,000 are picked from three pages on a phone, saved as one ZIP and deleted', async ({
  page,
  product,
  userId,
}) => {
  test.slow()
  const older = new Date('2025-06-01T00:00:00Z')
  await addVideos(product, { userId, status: 'error', n: 2940, createdAt: older })
  // 60 newer ones fill three pages of a phone.
  const list = Array.from({ length: 60 }, (_, i) => ({ prompt: `Clip ${60 - i}` }))
  const made = await makeVideos(product, userId, list)
  await page.setViewportSize({ width: 375, height: 780 })
  await page.goto('/dashboard')
  const bar = page.getByRole('group', { name: 'Selected videos' })
  const selected = (count: number) =>
    expect(bar.getByText(`${count} selected`, { exact: true })).toBeVisible()
  const box = (number: number) =>
    page.getByRole('checkbox', { name: `Select: Clip ${number}`, exact: true })
  const goTo = async (number: number) => {
    await page.getByRole('link', { name: `Page ${number}`, exact: true }).click()
    await expect(page.getByText(`Showing ${20 * number - 19}-${20 * number} of`)).toBeVisible()
  }
  await expect(page.getByText('Showing 1-20 of 3,000 videos')).toBeVisible()
  await expect(selectAllBox(page)).toBeAttached()
  await box(2).check()
  await box(5).click({ modifiers: ['Shift'] })
  await selected(4)
  await goTo(2)
  for (const number of [21, 30, 39, 40]) await box(number).check()
  await goTo(3)
  for (const number of [41, 50, 58, 60]) await box(number).check()
  await selected(12)
  // Another filter, Back and a new load of the page change nothing.
  await page.goto('/dashboard?status=error')
  await selected(12)
  await page.goBack()
  await page.reload()
  await selected(12)
  await expect(box(50)).toBeChecked()
  await expect(box(51)).not.toBeChecked()

  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'ZIP', exact: true }).click(),
  ])
  const files = await readZipFile(await fs.readFile(await archive.path()))
  const picked = [60, 58, 50, 41, 40, 39, 30, 21, 5, 4, 3, 2]
  const names = [...files.keys()].slice(2)
  expect(names.map((name) => name.replace(/^\d+_/, ''))).toEqual(
    picked.map((number) => `clip-${number}.mp4`),
  )
  for (const [i, number] of picked.entries())
    expect(files.get(names[i] ?? '')).toEqual(made[60 - number]?.bytes)
  await selected(12)

  await deleteSelected(page)
  await expectToast(page, 'Videos deleted')
  await expect(bar.getByText('selected', { exact: false }).first()).toBeHidden()
  const { rows } = await product.db.query<{ prompt: string }>(
    'select prompt from videos where user_id = $1 and deleted_at is not null order by created_at',
    [userId],
  )
  expect(rows.map(({ prompt }) => prompt)).toEqual(picked.map((number) => `Clip ${number}`))

  // All that match, but one: the first page is ticked, then the others with it.
  await page.goto('/dashboard?status=completed')
  await selectAll(page)
  await bar.getByRole('button', { name: 'Select all 48 that match' }).click()
  await selected(48)
  await box(7).uncheck()
  await selected(47)
  await deleteSelected(page)
  await expectToast(page, 'Videos deleted')
  await expect(page.getByRole('article')).toHaveText([/Clip 7/])
})

test('a card under the pointer stays where it is while new videos arrive', async ({
  page,
  product,
  makeOwn,
  userId,
}) => {
  await makeOwn([{ prompt: 'First' }, { prompt: 'Second' }, { prompt: 'Third' }])
  // Something is in progress, so the page asks for news.
  await product.db.query(
    `insert into videos (id, user_id, prompt, aspect_ratio, status, model, seed, created_at)
     values (gen_random_uuid(), $1, 'Waiting', 'portrait', 'pending', 'm', 1, '2025-01-01')`,
    [userId],
  )
  await page.goto('/dashboard')
  await expect(selectAllBox(page)).toBeAttached()
  await card(page, 'Second').hover()
  const place = await card(page, 'Second').boundingBox()
  await makeOwn([{ prompt: 'Newer' }, { prompt: 'Newest' }])
  const pill = page.getByRole('button', { name: '2 new videos' })
  await expect(pill).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('Showing 1-4 of 6 videos')).toBeVisible()
  expect(await card(page, 'Second').boundingBox()).toEqual(place)
  // By keyboard: a pointer on its way to the button leaves the cards, which may bring them too.
  await pill.press('Enter')
  await expect(page.getByRole('article').first()).toContainText('Newest')
  await expect(page.getByRole('article')).toHaveCount(6)
  await expect(pill).toBeHidden()
  await leave(page)
  await product.db.query(`delete from videos where user_id = $1 and status = 'pending'`, [userId])
})

test('U-DL-6: ticked clips go to the share sheet at once, named after their prompts; without a sheet there is no button @scripts', async ({
  page,
  product,
  userId,
}) => {
  await makeVideos(
    product,
    userId,
    Array.from({ length: 11 }, (_, i) => ({ prompt: `Boat ${i + 1}` })),
  )
  const button = page.getByRole('button', { name: 'Share files (up to 10)' })
  const tick = (number: number) =>
    page.getByRole('checkbox', { name: `Select: Boat ${number}`, exact: true }).check()
  await page.goto('/dashboard')
  await tick(1)
  const more = page.locator('.ticked-actions').getByText('More', { exact: true })
  await more.click()
  await expect(page.getByRole('button', { name: 'Posting list' })).toBeVisible()
  await expect(button).toBeHidden()
  await page.addInitScript(() => {
    Object.assign(Navigator.prototype, {
      canShare: () => true,
      share: ({ files }: { files: File[] }) => {
        document.documentElement.dataset.shared = files.map(({ name }) => name).join(' ')
        return Promise.resolve()
      },
    })
  })
  await page.reload()
  await tick(2)
  await more.click()
  await button.click()
  await expect(page.locator('html')).toHaveAttribute(
    'data-shared',
    '0002_boat-2.mp4 0001_boat-1.mp4',
  )
  for (const number of [3, 4, 5, 6, 7, 8, 9, 10, 11]) await tick(number)
  await more.click()
  await button.click()
  await expectToast(page, 'Nothing was shared')
})
