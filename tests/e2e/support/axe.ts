import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * Every page of the product by who may open it, for the accessibility check. Add yours, dialogs
 * included (`?dialog=`).
 */
export const PAGES = {
  public: [
    '/',
    '/login',
    '/register',
    '/pricing',
    '/pricing?dialog=account-details',
    '/refund-policy',
    '/set-password',
    '/nope',
  ],
  user: [
    '/app',
    '/app?tab=image',
    '/dashboard',
    '/usage',
    '/account/password',
    '/account/sessions',
  ],
  admin: [
    '/admin',
    '/admin?dialog=create',
    '/admin?dialog=quick',
    '/admin?dialog=delete-all',
    '/admin?dialog=export-tokens',
    '/admin/users/import?example',
    '/admin/users/trash',
    '/admin/tokens?dialog=remove-all',
    '/admin/system',
    '/admin/videos',
    '/admin/videos?dialog=regenerate-all',
    '/admin/videos/trash',
    '/admin/prompts',
    '/admin/prompts?dialog=add',
    '/admin/prompts?dialog=import',
    '/admin/trail',
  ],
} as const

/** Fails with what axe finds on the page as it is. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
  }))
  expect(found, page.url()).toEqual([])
}

const LOOKS = [
  ['light', 1280],
  ['dark', 375],
] as const

async function checkPage(page: Page, path: string, look: number): Promise<void> {
  const [colorScheme, width] = LOOKS[look % LOOKS.length] ?? LOOKS[0]
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.goto(path)
  await expectAccessible(page)
}

/** Opens every page in both themes, at a phone's and a desktop's width, and checks each. */
export async function checkPages(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (const look of LOOKS.keys()) await checkPage(page, path, look)
  }
}

/** The same in one of the two, in turns: for the many dialogs, which are made of the same pieces. */
export async function checkInTurns(page: Page, paths: readonly string[]): Promise<void> {
  for (const [index, path] of paths.entries()) await checkPage(page, path, index)
}
