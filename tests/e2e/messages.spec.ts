import type { Page } from '@playwright/test'
import { cancelLatestBatch } from './support/calls'
import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { holdRequests, openTool, promptsBox, selectAllBox, startBulk, unfold } from './support/ui'

// Toasts of scripts, and labels while a request is under way.

test('A-ASSIGN-1: a preview does not say that tokens are being assigned', async ({
  page,
  signInAt,
}) => {
  await signInAt('/admin', { role: 'admin' })
  await unfold(page, 'Assign tokens')
  await page.getByLabel('Tokens to assign').fill('token-one')
  const letGo = await holdRequests(page, '**/admin/users/assign-tokens*', 'POST')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Preview' }).click()
  await sent
  await expect(page.getByRole('button', { name: 'Assign Tokens' })).toBeVisible()
  letGo()
  await page.unrouteAll({ behavior: 'wait' })
})

test('U-LAYOUT-11: a toast is above an open dialog, its title and description are read as two texts', async ({
  page,
  signInAt,
}) => {
  expectPageError('400')
  await signInAt('/admin?dialog=create', { role: 'admin' })
  const dialog = page.locator('dialog:modal')
  await dialog.getByLabel('Phone number').fill('0300')
  await dialog.getByRole('button', { name: 'Create User' }).click()
  const message = page.locator('.toast-place:popover-open').getByRole('listitem')
  await expect(message).toContainText(
    'Failed to create user Phone number must be at least 8 characters',
  )
})

/** Returns the labels of those controls that the shown toast covers. */
const coveredIn = (page: Page, controls: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const toast = document.querySelector('.toast-place > li')?.getBoundingClientRect()
    if (!toast) return ['there is no toast']
    return [...document.querySelectorAll(selector)].flatMap((control) => {
      const box = control.getBoundingClientRect()
      const isClear =
        box.height === 0 ||
        box.right <= toast.left ||
        box.left >= toast.right ||
        box.bottom <= toast.top ||
        box.top >= toast.bottom
      return isClear ? [] : [control.getAttribute('aria-label') ?? control.textContent]
    })
  }, controls)

const SIZES = [
  { width: 375, height: 720 },
  { width: 1280, height: 800 },
]

test('C9: a toast covers no action of an open preview @scripts', async ({
  page,
  makeOwn,
  allowClipboard,
}) => {
  // Only with scripts: without them a message is part of the page.
  await allowClipboard()
  await makeOwn([
    { prompt: 'A kite' },
    { prompt: 'A wide lake', aspect_ratio: 'landscape' },
    { prompt: 'A red boat' },
  ])
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const prompt of ['A kite', 'A wide lake']) {
      await page.goto('/dashboard')
      await page.getByRole('link', { name: `Play: ${prompt}` }).click()
      const dialog = page.locator('dialog:modal')
      await dialog.getByRole('button', { name: 'Copy prompt' }).click()
      await expect(page.locator('.toast-place > li')).toContainText('Copied!')
      await expect
        .poll(() => coveredIn(page, 'dialog :is(a, button, input, select, summary, h2)'))
        .toEqual([])
      await expect(page.locator('.toast-place > li')).toBeInViewport({ ratio: 1 })
    }
  }
})

test('issue 51: a toast makes room again when the window changes its size @scripts', async ({
  page,
  makeOwn,
  allowClipboard,
}) => {
  // Only with scripts: without them a message is part of the page.
  await allowClipboard()
  await makeOwn([{ prompt: 'A kite' }])
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Play: A kite' }).click()
  const toast = page.locator('.toast-place > li')
  for (const height of [640, 760, 560]) {
    await page.locator('dialog:modal').getByRole('button', { name: 'Copy prompt' }).click()
    await expect(toast).toContainText('Copied!')
    await page.setViewportSize({ width: 375, height })
    await expect
      .poll(() => coveredIn(page, 'dialog :is(a, button, input, select, summary, h2)'))
      .toEqual([])
    await expect(toast).toBeInViewport({ ratio: 1 })
  }
})

test('issue 51.8: on a phone a toast covers no choice of an open sheet @scripts', async ({
  page,
  makeOwn,
}) => {
  // Only with scripts: without them a message is part of the page.
  await makeOwn(Array.from({ length: 14 }, (_, i) => ({ prompt: `Kite ${i}` })))
  await page.setViewportSize(SIZES[0] ?? { width: 375, height: 720 })
  // As when a video is ready: it comes while the sheet is open.
  const tell = () =>
    page.evaluate((name) => {
      const detail = { kind: 'success', title: 'Video ready!', description: 'Kite 7' }
      dispatchEvent(new CustomEvent(name, { detail }))
    }, 'reelmill:toast')
  // Toasts are at the foot of one of the pages, and at the head of the other one.
  for (const path of ['/dashboard', '/app'])
    for (const tool of ['Filters', 'More actions'] as const) {
      await page.goto(path)
      await expect(selectAllBox(page)).toBeAttached()
      await openTool(page, tool)
      await expect(async () => {
        await tell()
        await expect(page.locator('.toast-place > li')).toBeInViewport({ ratio: 1, timeout: 1000 })
        expect(await coveredIn(page, '.tool[open] > .tool-sheet')).toEqual([])
      }).toPass()
    }
})

test('C9: a toast covers no button of a batch that was started or stopped @scripts', async ({
  page,
  openBulkToWait,
}) => {
  // Only with scripts: without them a message is part of the page.
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await openBulkToWait({ video_limit: 100, speed_limit: 5, video_generation_speed: 90 })
    await promptsBox(page).fill('a\nb\nc\nd\ne\nf\ng\nh')
    await startBulk(page, 8, true)
    await expectToast(page, 'Bulk Generation Started! 🚀')
    await expect.poll(() => coveredIn(page, 'main .btn')).toEqual([])
    await cancelLatestBatch(page)
  }
})
