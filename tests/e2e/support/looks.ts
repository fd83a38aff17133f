import { expect, type Page } from '@playwright/test'
import { expectAccessible, isQuick, LOOKS, looksInTurn, setLook } from './axe'

/** Returns by how many pixels the page is wider than its viewport, which must have this width. */
export async function overflowOf(page: Page, width: number): Promise<number> {
  const seen = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    window: innerWidth,
    // Firefox has a scroll bar beside the page.
    room: document.documentElement.clientWidth,
  }))
  expect(seen.window).toBe(width)
  return seen.page - seen.room
}

type Named = { name: string; withScripts: boolean }

/**
 * Checks that the page fits its width, and with scripts that axe reports nothing, except in `npm test`.
 * It does so at the width of a phone and of a desktop, in both themes; with scripts in one of these looks
 * in turn, unless the suite is the slow one. A test that calls it has the tag `@looks`. Saves screenshots
 * to SCREENS_DIR if that is set.
 */
export async function lookAt(page: Page, { name, withScripts }: Named): Promise<void> {
  for (const look of withScripts ? looksInTurn(page) : LOOKS) {
    const [width, colorScheme] = look
    await setLook(page, look)
    expect(await overflowOf(page, width), `${name} at ${width}`).toBeLessThanOrEqual(0)
    if (withScripts && !isQuick) await expectAccessible(page)
    const folder = process.env.SCREENS_DIR
    if (folder) {
      const file = `${folder}/${name}-${width}-${colorScheme}-${withScripts ? 'js' : 'nojs'}.png`
      await page.screenshot({ path: file, fullPage: true })
    }
  }
}
