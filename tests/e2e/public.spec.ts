import { chromiumOnly, expect, expectPageError, test } from './support/fixtures'
import { overflowOf } from './support/looks'
import { expectToast } from './support/toasts'
import { accountLine, pressInAccount } from './support/ui'

const newPhone = () => `0322${Math.floor(1e6 + Math.random() * 8e6)}`

test('U-LAND-1, U-LAND-2, U-LAND-6, U-LAND-7: the landing page and its links', async ({ page }) => {
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: 'Site' })
  await expect(bar.getByRole('button', { name: 'Dark theme' })).toBeVisible()
  await expect(bar.getByRole('link', { name: 'Pricing' })).toHaveAttribute('href', '/pricing')
  await expect(bar.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'AI Powered Bulk Video Generation',
  )
  const steps = page
    .getByRole('region', { name: 'How It Works' })
    .getByRole('heading', { level: 3 })
  await expect(steps).toHaveText([/Enter Prompts/, /Generate in a Flash/, /Download & Share/])
  const tiles = page.getByRole('region', { name: 'What You Get' }).getByRole('listitem')
  await expect(tiles).toHaveCount(7)
  await expect(tiles.filter({ hasText: 'Image-to-Video' })).toContainText('Coming Soon')
  await page.getByRole('link', { name: 'Explore Pricing' }).click()
  await expect(page).toHaveURL(/\/pricing$/)
})

test('U-LAND-1: on phones the links of the top bar have one line each', async ({
  page,
  signInAt,
}) => {
  await signInAt('/')
  const bar = page.getByRole('navigation', { name: 'Site' })
  for (const width of [360, 375, 390, 768]) {
    await page.setViewportSize({ width, height: 700 })
    for (const name of ['Pricing', 'My Videos']) {
      const lines = await bar.getByRole('link', { name }).evaluate((link) => {
        const range = document.createRange()
        range.selectNodeContents(link)
        return range.getClientRects().length
      })
      expect(lines).toBe(1)
    }
    expect(await overflowOf(page, width)).toBe(0)
  }
})

test('U-LAND-4, U-LAND-5: the samples scroll in 60 s on wide and 40 s on narrow screens, and not with reduced motion', async ({
  page,
}) => {
  chromiumOnly('reduced motion is not emulated in Firefox')
  const duration = () =>
    page.locator('.reel-track').evaluate((track) => getComputedStyle(track).animationDuration)
  const frames = page.locator('.reel-track > li:visible')
  await page.goto('/')
  await expect(frames).toHaveCount(12 * 8)
  expect(await duration()).toBe('60s')
  await page.setViewportSize({ width: 375, height: 700 })
  await expect(frames).toHaveCount(6 * 8)
  expect(await duration()).toBe('40s')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(frames).toHaveCount(8)
  const still = await page.locator('.reel-window').evaluate((element) => {
    const { animationName } = getComputedStyle(element.firstElementChild ?? element)
    return { animationName, scrolls: getComputedStyle(element).overflowX }
  })
  expect(still).toEqual({ animationName: 'none', scrolls: 'auto' })
  for (const width of [320, 375, 768]) {
    await page.setViewportSize({ width, height: 700 })
    expect(await overflowOf(page, width)).toBe(0)
  }
})

test('U-REG-1, U-REG-5, U-LOGIN-7, U-LOGIN-9: registering, a wrong password, the right one, signing out', async ({
  page,
}) => {
  expectPageError('401')
  const phone = newPhone()
  await page.goto('/register')
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
  await expect(page.getByPlaceholder('min 6 characters')).toBeVisible()
  await page.getByLabel('Phone number').fill(phone)
  await page.getByLabel('Password').fill('secret-1')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Account created!')
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/app')
  await expect(page.getByText(phone).first()).toBeVisible()

  await pressInAccount(page, 'Logout')
  await expect(page).toHaveURL(/\/login$/)
  await page.goBack()
  await page.reload()
  await expect(page).toHaveURL(/\/login/)

  await page.getByLabel('Username').fill(phone)
  await page.getByLabel('Password').fill('wrong-1')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expectToast(page, 'Login failed')
  await expect(page.getByText('Wrong username or password')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue(phone)
  await page.getByLabel('Password').fill('secret-1')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expectToast(page, 'Login successful')
  await expect(page.getByText(`Welcome back, ${phone}!`).first()).toBeVisible()
  await expect(page).toHaveURL(/\/app$/)
})

test('U-REG-6: registering a phone that has an account is refused with a message', async ({
  page,
  product,
}) => {
  expectPageError('409')
  const { username } = await product.user()
  await page.goto('/register')
  await page.getByLabel('Phone number').fill(username)
  await page.getByLabel('Password').fill('secret-1')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Registration failed')
  await expect(page.getByText('This phone number already has an account').first()).toBeVisible()
  await expect(page.getByLabel('Phone number')).toHaveValue(username)
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeEnabled()
})

test('U-LOGIN-1, U-LOGIN-6, U-CONST-2: the button shows that signing in is under way; the page changes 200 ms after it @scripts', async ({
  page,
  product,
}) => {
  // Only with scripts: without them a button does not change.
  const { username } = await product.user()
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  let posts = 0
  await page.route('**/api/auth/login', async (route) => {
    posts += 1
    await gate
    await route.continue()
  })
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill('secret-1')
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByLabel('Password').press('Enter')
  await page.clock.runFor(1)
  const waiting = page.getByRole('button', { name: 'Signing in...' })
  await expect(waiting).toBeDisabled()
  await waiting.click({ force: true })
  open()
  // The message for the next page is stored when the 200 ms begin.
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('toast'))).not.toBeNull()
  await page.clock.runFor(199)
  await expect(page).toHaveURL(/\/login$/)
  await page.clock.runFor(1)
  await expect(page).toHaveURL(/\/app$/)
  expect(posts).toBe(1)
  await page.clock.resume()
  // 200 ms are too short to read: the next page shows the message and names the user.
  await expectToast(page, 'Login successful')
  await expect(page.getByText(`Welcome back, ${username}!`).first()).toBeVisible()
  await expect(accountLine(page)).toContainText(username)
})

const SAID = {
  cut: 'No answer came. Check your internet connection, then try again.',
  words: 'Said so',
} as const

test('U-ERR-1, U-LOGIN-7, U-REG-6: a response without a message, and none at all, show ours from the catalogue @scripts', async ({
  page,
}) => {
  // Only with scripts: without them the browser shows the response itself.
  expectPageError('500', 'net::ERR_FAILED')
  const cases = [
    { path: '/login', field: 'Username', button: 'Sign In', words: 'Login failed' },
    {
      path: '/register',
      field: 'Phone number',
      button: 'Create Account',
      words: 'Registration failed',
    },
  ]
  for (const { path, field, button, words } of cases) {
    await page.goto(path)
    await page.getByLabel(field).fill('03001234567')
    await page.getByLabel('Password').fill('secret-1')
    const press = page.getByRole('button', { name: button })
    const fallback = page.getByRole('alert').filter({ hasText: words })
    for (const kind of ['empty', 'cut', 'words'] as const) {
      await page.route(`**/api/auth${path}`, (route) => {
        if (kind === 'cut') return route.abort()
        return route.fulfill({ status: 500, body: kind === 'empty' ? '' : '{"error":"Said so"}' })
      })
      await press.click()
      await expect(fallback.getByText(words, { exact: true })).toHaveCount(1)
      await expect(fallback).toHaveText(kind === 'empty' ? words : `${words} ${SAID[kind]}`)
      // Directly above the form, as on the page without scripts, and not as a toast for 5 s.
      await expect(page.locator('[role=alert] + form')).toHaveCount(1)
      await expect(press).toBeEnabled()
      await page.unroute(`**/api/auth${path}`)
    }
  }
})

test('U-PRICE-1, U-PRICE-2, U-PRICE-3, U-PRICE-9: the accounts for payments', async ({
  page,
  allowClipboard,
  withScripts,
}) => {
  await allowClipboard()
  if (withScripts) await page.clock.install()
  await page.goto('/pricing')
  await expect(page.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/login')
  await page.getByRole('link', { name: 'Account Details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Account Details' })
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveText([
    'Crypto exchange',
    'Mobile wallet',
    'Bank transfer',
  ])
  await expect(dialog.getByText('with proof of payment', { exact: false }).first()).toBeVisible()
  if (withScripts) {
    const copy = dialog.getByRole('button', { name: 'Copy iban' })
    await copy.click()
    await expect(copy).toHaveText('Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^PK00TEST/)
    await page.clock.runFor(2000)
    await expect(copy).toHaveText('Copy')
  } else {
    await expect(dialog.getByRole('button')).toHaveCount(0)
  }
  await dialog.getByRole('link', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('main').getByRole('link', { name: 'refund policy' }).click()
  await expect(page).toHaveURL(/\/refund-policy$/)
  // U-REFUND-3
  await expect(page.getByRole('link', { name: 'View pricing' })).toHaveAttribute('href', '/pricing')
  await expect(page.getByRole('link', { name: 'Go to login' })).toHaveAttribute('href', '/login')
})

test('a script that the content security policy blocks is reported to the log @scripts', async ({
  page,
  product,
}) => {
  // Only with scripts: it is about a script.
  // In Chromium's words, then in Firefox's.
  expectPageError('Content Security Policy', 'blocked an inline script')
  await page.goto('/pricing')
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "blocked"'
    document.body.append(script)
  })
  await expect
    .poll(() => product.web.output())
    .toMatch(/script-src-elem.*\/pricing.*the browser blocked content/)
  await expect(page).not.toHaveTitle('blocked')
})
