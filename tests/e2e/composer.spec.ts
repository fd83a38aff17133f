import type { Page } from '@playwright/test'
import { openService } from './support/calls'
import { expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { promptBox } from './support/ui'

const generate = (page: Page) => page.getByRole('button', { name: 'Generate Video' })

/** Returns where the main button ends, in pixels from the top of the window. */
async function endOf(page: Page): Promise<number> {
  const box = await generate(page).boundingBox()
  return (box?.y ?? Infinity) + (box?.height ?? 0)
}

test('U-T2V-2, U-CNT-1, U-LAYOUT-7: the prompt and Generate are in view on every screen, and on a phone open to the rest', async ({
  page,
  makeOwn,
  withScripts,
}) => {
  await makeOwn(Array(6).fill({ aspect_ratio: 'landscape' }))
  for (const [width, height] of [
    [1280, 800],
    [1366, 768],
    [1920, 1080],
    [375, 720],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/app')
    await expect(promptBox(page)).toBeInViewport({ ratio: 1 })
    await expect(generate(page)).toBeInViewport({ ratio: 1 })
    if (width === 1366) expect(await endOf(page)).toBeLessThan(560)
    // The counters are one line.
    const lines = await page
      .locator('main dl')
      .first()
      .locator('dd')
      .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().y)).size)
    expect(lines, `${width} px`).toBe(1)
  }
  // On the phone from the last round: the bar stays at the foot, and its first button opens the rest.
  await page.getByRole('article').last().scrollIntoViewIfNeeded()
  await expect(generate(page)).toBeInViewport({ ratio: 1 })
  expect(await endOf(page)).toBeGreaterThan(690)
  const rest = [
    page.getByRole('tab', { name: 'Bulk Generator' }),
    page.getByText('Negative Prompt (optional)'),
    page.getByRole('list', { name: 'Example prompts' }),
  ]
  for (const part of rest) await expect(part).toBeHidden()
  await page.locator('.composer-more > summary').click()
  for (const part of rest) await expect(part).toBeInViewport()
  await expect(generate(page)).toBeInViewport({ ratio: 1 })
  if (!withScripts) return
  await page.getByRole('tab', { name: 'Bulk Generator' }).click()
  await expect(page.getByRole('button', { name: 'Generate 0 Video(s)' })).toBeInViewport()
})

test('U-STAT-6: on a phone videos in a row take three presses each, and Generate never leaves its place @scripts @slow', async ({
  page,
  product,
  signIn,
  closeService,
}) => {
  // Only with scripts: without them each submit loads a new page.
  await signIn()
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto('/app')
  const place = await endOf(page)
  const dialog = page.getByRole('dialog', { name: 'Video Preview' })
  for (const text of ['A lantern on a lake', 'Fog over a forest', 'Rain on a window']) {
    await closeService()
    await promptBox(page).click()
    await page.keyboard.type(text)
    await generate(page).click()
    await expect(page.locator('#status').getByText(text)).toBeInViewport()
    await openService(product)
    await expectToast(page, 'Video ready!', { timeout: 30_000 })
    await dialog.getByRole('link', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
    await expect(promptBox(page)).toBeInViewport({ ratio: 1 })
    expect(await endOf(page)).toBe(place)
  }
})

test('U-GAL-9: an account without videos is led to its first by one press', async ({
  page,
  signInAt,
  withScripts,
}) => {
  await signInAt('/app')
  const lead = page.getByRole('button', { name: 'Make this video' })
  if (withScripts) {
    // Whoever writes a prompt has only the one button.
    await promptBox(page).fill('A kite')
    await expect(lead).toBeHidden()
    await promptBox(page).fill('')
  }
  await lead.click()
  await expectToast(page, 'Generation started')
  await expect(page.locator('#status').getByText('A paper boat drifting')).toBeVisible()
  await expect(page.locator('#status video')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Your first video!')).toBeAttached()
  await expect(lead).toBeHidden()
})

test('issue 51, U-GAL-9: of a long daily prompt the whole can be read before it is made', async ({
  page,
  product,
  signInAt,
}) => {
  const long = `${'A paper boat on a wide lake. '.repeat(8)}The end`
  await product.db.query(`insert into prompts (id, text) values (gen_random_uuid(), $1)`, [long])
  await signInAt('/app')
  const lead = page.locator('.first-run')
  await expect(lead).toContainText('…')
  await expect(lead.getByText('The end')).toBeHidden()
  await lead.getByText('Show the whole prompt').click()
  await expect(lead.getByText('The end')).toBeVisible()
  await product.db.query('delete from prompts')
})

test('U-API-25: an idle page hears of another device when the user comes back to it @scripts', async ({
  page,
  makeOwn,
}) => {
  // Only with scripts: without them a page is read once.
  await makeOwn([{ prompt: 'A kite' }])
  await page.clock.install()
  await page.goto('/app', { waitUntil: 'networkidle' })
  await makeOwn([{ prompt: 'A boat' }])
  // A slow page may hydrate after the first return.
  await expect(async () => {
    await page.clock.runFor(4000)
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(page.getByRole('article').filter({ hasText: 'A boat' })).toBeVisible({
      timeout: 5000,
    })
  }).toPass()
})

for (const width of [375, 1280])
  test(`C22: the bulk form stays in its place when its scripts load, ${width} px @scripts`, async ({
    page,
    signInBeforeScripts,
  }) => {
    // Only with scripts: it is about scripts that load late.
    await page.setViewportSize({ width, height: 720 })
    const letLoad = await signInBeforeScripts('/app?tab=bulk')
    const button = page.locator('.composer-actions [data-submit]')
    const before = await button.boundingBox()
    await letLoad()
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    expect(await button.boundingBox()).toEqual(before)
  })
