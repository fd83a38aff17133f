import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'

test('P2: on the page of tokens a key is pasted with its name, edited, removed and brought back', async ({
  page,
  product,
  signInAt,
}) => {
  expectPageError('400 (Bad Request)')
  await product.db.query('delete from credentials')
  await signInAt('/admin/tokens', { role: 'admin' })
  const name = `desk-key-${Date.now()}`
  await page
    .getByLabel('Tokens, one per line')
    .fill(`"${name}-AAAA",\nBearer ${name}-BBBB\n${name}-CCCC | Shop key | shop 7`)
  await page.getByRole('button', { name: 'Add All Tokens' }).click()
  await expect(page.getByText(/removed from 2 lines/).first()).toBeVisible()
  await expect(page.getByText('account shop 7')).toBeVisible()

  await page.getByRole('link', { name: 'Edit token 1' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('From Ali')
  await dialog.getByLabel('Cost per video').fill('cheap')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Write the cost as a number such as 0.40')).toBeVisible()
  await expect(dialog.getByLabel('Label')).toHaveValue('From Ali')
  await dialog.getByLabel('Cost per video').fill('0.40')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Token changed')
  await expect(page.getByText('From Ali …AAAA')).toBeVisible()

  await product.db.query(`update credentials set state = 'dead' where last_four = 'BBBB'`)
  await page.goto('/admin/tokens?state=dead')
  await expect(page.getByText(/…BBBB/)).toBeVisible()
  await expect(page.getByText(/…AAAA/)).toHaveCount(0)
  await page.getByRole('link', { name: 'Remove all dead (1)' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expectToast(page, 'Tokens removed')
  await expect(page.getByText('No token is in this state.')).toBeVisible()
  await page
    .getByRole('button', { name: /^Undo the removal/ })
    .first()
    .click()
  await expectToast(page, 'Tokens are back')
  await expect(page.getByText(/…BBBB/)).toBeVisible()
})
