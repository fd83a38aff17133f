import { expect, expectPageError, test } from './support/fixtures'
import { overflowOf } from './support/looks'
import { expectToast } from './support/toasts'

test('sessions are listed and ended by keyboard, at the width of a phone and of a desktop', async ({
  page,
  signIn,
  product,
}) => {
  expectPageError('400 (Bad Request)')
  const { username } = await signIn()
  const elsewhere = [product.client(), product.client(), product.client()]
  const agents = [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  ]
  for (const [i, client] of elsewhere.entries()) {
    const account = { username, password: 'secret-1' }
    await client.post('/api/auth/login', account, { 'user-agent': agents[i] ?? '' })
  }
  for (const [width, scheme] of [
    [375, 'light'],
    [375, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto('/account/sessions')
    await expect(page.getByText('This device')).toBeVisible()
    expect(await overflowOf(page, width)).toBeLessThanOrEqual(0)
  }
  const end = page.getByRole('checkbox', { name: /^Safari on iOS/ })
  const password = page.getByLabel('Your password')
  await end.focus()
  await page.keyboard.press('Space')
  await password.fill('wrong-1')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This is not your password').first()).toBeVisible()
  await expect(end).toBeChecked()
  await password.fill('secret-1')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 device signed out.', { exact: true })).toBeVisible()
  await expect(end).toHaveCount(0)
  await expect(password).toHaveValue('')
  expect((await elsewhere[0]?.get('/api/auth/me'))?.status).toBe(401)
  expect((await elsewhere[1]?.get('/api/auth/me'))?.status).toBe(200)

  await password.fill('secret-1')
  await page.getByRole('button', { name: 'Sign out all others' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 devices signed out.', { exact: true })).toBeVisible()
  await expect(page.getByText('You are signed in nowhere else.')).toBeVisible()
  for (const client of elsewhere) expect((await client.get('/api/auth/me')).status).toBe(401)

  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
})

test('after a change of the password in the dialog the page’s forms belong to the new session', async ({
  page,
  signInAt,
}) => {
  await signInAt('/account/sessions?dialog=change-password')
  const proof = () =>
    page.getByRole('main').locator('input[name=formToken]').first().getAttribute('value')
  const before = await proof()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Old password').fill('secret-1')
  await dialog.getByLabel('New password').fill('secret2')
  await dialog.getByLabel('Confirm password').fill('secret2')
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expectToast(page, 'Password changed')
  await expect.poll(proof).not.toBe(before)
  const after = await proof()
  await page.reload()
  expect(await proof()).toBe(after)
})
