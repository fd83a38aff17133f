import { expect, expectPageError, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'
import { unfold } from './support/ui'

test('an administrator’s form waits for the password and is carried out afterwards @looks', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  // The page that asks, and its response to a wrong password.
  expectPageError('403', '400')
  const { userId } = await signIn({ role: 'admin' })
  const makeOld = () =>
    product.db.query(
      `update sessions set created_at = now() - interval '20 minutes', confirmed_at = null
       where user_id = $1`,
      [userId],
    )
  const asksFor = page.getByRole('heading', { name: 'Confirm it’s you' })
  const password = page.getByLabel('Your password')
  const confirm = page.getByRole('button', { name: 'Confirm' })

  // A dialog of an index page that has a password field itself.
  await makeOld()
  const phone = withScripts ? '03001112221' : '03001112222'
  await page.goto('/admin?dialog=create')
  const dialog = page.getByRole('dialog', { name: 'Create User' })
  await dialog.getByLabel('Phone number').fill(phone)
  await dialog.getByLabel('Password', { exact: true }).fill('a-secret-of-theirs')
  await dialog.getByLabel('Role').selectOption('editor')
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await expect(asksFor).toBeVisible()
  // After Cancel the dialog is open again with its values, except the password.
  await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click()
  await expectToast(page, 'Cancelled')
  await expect(dialog.getByLabel('Phone number')).toHaveValue(phone)
  await expect(dialog.getByLabel('Role')).toHaveValue('editor')
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('')
  await lookAt(page, { name: 'confirm-cancelled', withScripts })
  await dialog.getByLabel('Password', { exact: true }).fill('a-secret-of-theirs')
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await expect(asksFor).toBeVisible()
  await expect(page.getByText('nothing you typed is lost')).toBeVisible()
  await lookAt(page, { name: 'confirm', withScripts })
  await password.fill('wrong-1')
  await confirm.click()
  await expect(page.getByText('This is not your password').first()).toBeVisible()
  await lookAt(page, { name: 'confirm-wrong', withScripts })
  await password.fill('secret-1')
  await confirm.click()
  await expectToast(page, 'User created')
  await expect(page.getByText('a-secret-of-theirs', { exact: true })).toBeVisible()

  // A panel that shows its result in place: a line that cannot be parsed stays in the box.
  await makeOld()
  await page.goto('/admin')
  await unfold(page, 'Import users')
  const lines = `${phone}9|another-secret\nnot a line`
  await page.getByLabel('One user per line').fill(lines)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(asksFor).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('One user per line')).toHaveValue(lines)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(asksFor).toBeVisible()
  await password.fill('secret-1')
  await confirm.click()
  await expect(page.getByText('1 created · 1 failed').first()).toBeVisible()
  await expect(page.getByLabel('One user per line')).toHaveValue('not a line')

  // A question before a deletion. Right after a confirmation no other one is required.
  await makeOld()
  for (const name of [`${phone}9`, phone]) {
    await page.goto(`/admin?search=${name}`)
    await page
      .getByRole('link', { name: `Delete ${name}` })
      .first()
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    if (name !== phone) {
      await expect(asksFor).toBeVisible()
      await password.fill('secret-1')
      await confirm.click()
    }
    await expectToast(page, 'User deleted')
    await expect(page.getByRole('link', { name: `Delete ${name}` })).toHaveCount(0)
  }
})
