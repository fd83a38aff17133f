import { chromiumOnly, expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { accountLine, card, pressInAccount, selectAll } from './support/ui'

// Only with scripts: without them the browser opens pages.

test('a double click that opens a dialog makes one history entry', async ({ page, makeOwn }) => {
  chromiumOnly('Playwright sends Firefox no double clicks')
  await makeOwn([{ prompt: 'A kite' }])
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  for (const opener of [
    card(page, 'A kite').getByRole('link', { name: 'Edit: A kite' }),
    page.getByRole('link', { name: 'Play: A kite' }),
    page.getByRole('button', { name: 'Delete Selected' }),
    page.getByRole('link', { name: 'Change Password' }),
  ]) {
    await page.goto('/app', { waitUntil: 'networkidle' })
    await selectAll(page)
    await card(page, 'A kite').hover()
    if (!(await opener.isVisible())) await accountLine(page).click()
    await opener.dblclick()
    await expect(dialog).toBeVisible()
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL('/app')
  }
})

test('the second click of a double click does not close the dialog that the first opened', async ({
  page,
  product,
  signIn,
}) => {
  const { username } = await signIn()
  await page.goto('/app')
  await pressInAccount(page, 'Change Password')
  await expect(page.locator('dialog:modal')).toBeVisible()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Old password').fill('secret-1')
  await dialog.getByLabel('New password').fill('secret-2')
  await dialog.getByLabel('Confirm password').fill('secret-2')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Password changed')
  const login = { username, password: 'secret-2' }
  expect((await product.client().post('/api/auth/login', login)).status).toBe(200)
})
