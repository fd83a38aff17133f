import { expect, type Locator, type Page } from '@playwright/test'

/**
 * The toast with this title. Its text is repeated for screen readers, so this is the first match.
 */
export const toast = (page: Page, title: string): Locator =>
  page.getByText(title, { exact: true }).filter({ visible: true }).first()

/** Opens a page whose scripts are held back until the returned function is called. */
export async function openBeforeScripts(page: Page, address: string): Promise<() => Promise<void>> {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  await page.route('**/build/**/*.js', async (route) => {
    await gate
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'commit' })
  return async () => {
    open()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const hasFocus = () => target.evaluate((element) => element === document.activeElement)
  for (let left = 80; left > 0 && !(await hasFocus()); left -= 1) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
}
