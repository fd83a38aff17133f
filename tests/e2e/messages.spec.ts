import { expect, expectPageError, test } from './support/fixtures'
import { holdRequests } from './support/ui'

// Toasts of scripts, and labels while a request is under way.

test('A-ASSIGN-1: a preview does not say that tokens are being assigned', async ({
  page,
  signInAt,
}) => {
  await signInAt('/admin', { role: 'admin' })
  await page.getByLabel('Tokens to assign').fill('token-one')
  const letGo = await holdRequests(page, '**/admin/users/assign-tokens*', 'POST')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Preview' }).click()
  await sent
  await expect(page.getByRole('button', { name: 'Assign Tokens' })).toBeVisible()
  letGo()
  await page.unrouteAll({ behavior: 'wait' })
})

test('U-LAYOUT-11: a toast is above an open dialog, its title and description are read as two texts', async ({
  page,
  signInAt,
}) => {
  expectPageError('400')
  await signInAt('/admin?dialog=create', { role: 'admin' })
  const dialog = page.locator('dialog:modal')
  await dialog.getByLabel('Phone number').fill('0300')
  await dialog.getByRole('button', { name: 'Create User' }).click()
  const message = page.locator('.toast-place:popover-open').getByRole('listitem')
  await expect(message).toContainText(
    'Failed to create user Phone number must be at least 8 characters',
  )
})
