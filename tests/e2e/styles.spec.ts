import { PAGES } from '../support/all-pages'
import { call } from './support/calls'
import { expect, expectPageError, test } from './support/fixtures'
import type { Page } from '@playwright/test'

/**
 * Opens each page. A violation of the content security policy is a page error, which fails every
 * test.
 */
async function expectNoInlineStyles(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    expect(await page.locator('[style]').count(), address).toBe(0)
  }
}

test('the public pages need no inline styles', async ({ page }) => {
  expectPageError('404')
  await expectNoInlineStyles(page, PAGES.public)
})

test('the pages for users need no inline styles while videos are being made', async ({
  page,
  signInToWait,
}) => {
  await signInToWait()
  const prompts = ['one', 'two']
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts,
  })
  await expectNoInlineStyles(page, PAGES.user)
  await call(page, 'POST', `/api/batches/${batchId}/cancel`)
})

test('the pages for administrators need no inline styles', async ({ page, signIn }) => {
  // All Videos also shows those of other tests, some of which are rows without an image.
  expectPageError('404')
  await signIn({ role: 'admin' })
  await expectNoInlineStyles(page, PAGES.admin)
})

test('the page of a refusal has its own style sheet', async ({ page, signInAt }) => {
  expectPageError('404')
  await signInAt('/media/00000000-0000-7000-8000-000000000000.mp4')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not Found')
  await expect(page.locator('body')).toHaveCSS('max-width', '464px')
})
