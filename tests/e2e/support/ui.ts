import { expect, test, type Locator, type Page, type Request } from '@playwright/test'

/** The card of the video with this prompt. */
export const card = (page: Page, prompt: string): Locator =>
  page.getByRole('article').filter({ hasText: prompt })

/** Presses an action of a video's card. The pointer does not rest on the picture, which would play. */
export async function press(page: Page, prompt: string, action: string): Promise<void> {
  await card(page, prompt)
    .getByRole('link', { name: `${action}: ${prompt}` })
    .click()
}

/** Presses an action of a video's card and confirms it, in the browser's dialog or on the page. */
export async function pressAndConfirm(
  page: Page,
  { prompt, name, withScripts }: { prompt: string; name: string; withScripts: boolean },
): Promise<void> {
  if (withScripts) page.once('dialog', (dialog) => void dialog.accept())
  await press(page, prompt, name)
  if (withScripts) return
  const question = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await question.getByRole('button', { name, exact: true }).click()
}

/** Opens a panel that is folded. */
export const unfold = (page: Page, label: string): Promise<void> =>
  page.locator('summary', { hasText: label }).click()

/** The line of the signed-in person at the foot of the sidebar. On phones the menu is over it. */
export const accountLine = (page: Page): Locator => page.locator('.side-foot summary')

/** Presses a link or button of the account menu, which is folded. */
export async function pressInAccount(page: Page, name: string): Promise<void> {
  await accountLine(page).click()
  const menu = page.locator('.side-foot')
  await menu.getByRole('link', { name }).or(menu.getByRole('button', { name })).click()
}

/** Deletes the selected videos and confirms it on the page. */
export async function deleteSelected(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
}

/** Opens or closes a sheet of a gallery's toolbar, or the one of its bar of ticked videos. */
export async function openTool(
  page: Page,
  name: 'Filters' | 'More actions' | 'More',
): Promise<void> {
  const label = new RegExp(`^${name}( \\(|$)`)
  await page.locator('#gallery summary').filter({ hasText: label }).click()
}

/** Presses an action that a gallery has for many videos at once. */
export async function pressMany(page: Page, name: string): Promise<void> {
  await openTool(page, 'More actions')
  const group = page.getByRole('group', { name: /^(All videos|Many at once)$/ })
  await group.getByRole('button', { name }).or(group.getByRole('link', { name })).click()
}

/** Presses an action on the ticked videos that is not in their bar itself. */
export async function pressTicked(page: Page, name: string): Promise<void> {
  await openTool(page, 'More')
  const bar = page.getByRole('group', { name: 'Selected videos' })
  await bar.getByRole('button', { name, exact: true }).click()
}

/** Ticks all cards of a gallery's page, or, with that label, all that match. */
export async function selectAll(page: Page, label = 'Select All'): Promise<void> {
  await openTool(page, 'More actions')
  const sheet = page.locator('#gallery details[open]')
  if (test.info().project.use.javaScriptEnabled === false)
    return sheet.getByRole('link', { name: label, exact: true }).click()
  // Before the scripts run there is a link instead. They keep the ticks of the last page.
  if (/\d/.test(label)) return sheet.getByRole('button', { name: label, exact: true }).click()
  const box = sheet.getByLabel(label)
  if (await box.isChecked()) await openTool(page, 'More actions')
  else await box.check()
}

/** The box is in a folded sheet. It is there once the scripts run. */
export const selectAllBox = (page: Page): Locator => page.getByLabel('Select All')

/** The box of the form for one video. */
export const promptBox = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Prompt', exact: true })

/** The box of the bulk form. */
export const promptsBox = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Prompts', exact: true })

/** Shows what the prompts in the box will mean: at once with scripts, on the receipt without. */
export async function reviewBulk(page: Page, withScripts: boolean): Promise<void> {
  if (!withScripts) await page.getByRole('button', { name: 'Continue' }).click()
}

/** Starts the prompts in the box, after the receipt if there are no scripts. */
export async function startBulk(page: Page, prompts: number, withScripts: boolean): Promise<void> {
  await reviewBulk(page, withScripts)
  await page.getByRole('button', { name: `Generate ${prompts} Video(s)` }).click()
}

/** Signs in on the page that asks for it, with the password of all test accounts. */
export async function signInAgain(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('secret-1')
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/**
 * Holds back the page's requests to these addresses until the returned function is called; with
 * `method`, only those.
 */
export async function holdRequests(
  page: Page,
  addresses: string | RegExp,
  method?: 'POST',
): Promise<() => void> {
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(addresses, async (route) => {
    if (method === undefined || route.request().method() === method) await held
    await route.continue()
  })
  return letGo
}

/** Opens a page whose scripts are held back until the returned function is called. */
export async function openBeforeScripts(page: Page, address: string): Promise<() => Promise<void>> {
  const open = await holdRequests(page, '**/build/**/*.js')
  await page.goto(address, { waitUntil: 'commit' })
  return async () => {
    open()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/**
 * Opens a page and makes its first touch, at which the page loads its late scripts. Waits
 * until all of them can run. `networkidle` is no such wait: a page that was idle before the touch
 * stays so.
 */
export async function openAndTouch(
  page: Page,
  address: string,
  touch: () => Promise<void>,
): Promise<void> {
  const scripts = new Set<string>()
  const note = (request: Request) => {
    if (request.resourceType() === 'script') scripts.add(request.url())
  }
  page.on('request', note)
  // All are requested at once.
  const late = page.waitForRequest('**/build/**/gallery-dialogs-*.js')
  await page.goto(address)
  await touch()
  await late
  // The page's answer comes after the events of all requests before it.
  await page.evaluate(() => undefined)
  page.off('request', note)
  // The same address gives the same module again, as soon as it and all that it imports are loaded.
  await page.evaluate(
    (modules) => Promise.all(modules.map((module) => import(module))).then(() => undefined),
    [...scripts],
  )
}

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const hasFocus = () => target.evaluate((element) => element === document.activeElement)
  for (let left = 80; left > 0 && !(await hasFocus()); left -= 1) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
}
