import type { Page } from '@playwright/test'
import { PAGES } from '../support/all-pages'
import { expect, expectPageError, test } from './support/fixtures'
import { overflowOf } from './support/looks'

/** A phone at 200 % zoom, the smallest and the usual phone, a tablet, and screens. */
const WIDTHS = [1920, 1280, 1200, 768, 375, 320, 187]

/** Each page is loaded once and resized, which is much faster than loading it at each width. */
async function expectNoSidewaysScroll(page: Page, paths: readonly string[]): Promise<void> {
  const tooWide: Record<string, number> = {}
  for (const path of paths) {
    await page.goto(path)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = await overflowOf(page, width)
      if (overflow > 0) tooWide[`${path} at ${width}`] = overflow
    }
  }
  expect(tooWide).toEqual({})
}

test('no public page scrolls sideways, at any width', async ({ page }) => {
  expectPageError('404')
  await expectNoSidewaysScroll(page, PAGES.public)
})

test('no page for users scrolls sideways, at any width', async ({ page, furnishUser }) => {
  const { pages, dialogs, clear } = await furnishUser()
  await expectNoSidewaysScroll(page, [...pages, ...dialogs])
  await clear()
})

test('no page for administrators scrolls sideways, at any width', async ({
  page,
  furnishPlatform,
}) => {
  // All Videos shows those of earlier tests, too: one may be made again before its poster is loaded.
  expectPageError('409')
  const { pages, dialogs } = await furnishPlatform()
  await expectNoSidewaysScroll(page, [...pages, ...dialogs])
})
