import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Fails with axe's findings on the current page, once all colour transitions have ended. */
export async function expectAccessible(page: Page): Promise<void> {
  const isChanging = 'document.getAnimations().some((each) => each instanceof CSSTransition)'
  await expect.poll(() => page.evaluate(isChanging)).toBe(false)
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

/** Checks every page with the light theme on a desktop and with the dark one on a phone. */
export async function checkPages(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (const look of LOOKS.keys()) await checkPage(page, path, look)
  }
}

/**
 * Checks each page in only one of the two looks, alternately: for the many dialogs, which share
 * their parts.
 */
export async function checkInTurns(page: Page, paths: readonly string[]): Promise<void> {
  for (const [index, path] of paths.entries()) await checkPage(page, path, index)
}
