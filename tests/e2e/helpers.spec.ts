import { addVideos } from '../support/ended-videos'
import { expect, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'

test('a helper serves a customer and asks for what exceeds the number; the administrator sets alarms and approves @looks', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  const customer = await product.user({ plan: 'Starter' })
  await addVideos(product, { userId: customer.userId, status: 'error', n: 3 })
  const helper = await signIn({ role: 'editor' })
  await product.db.query(
    `insert into helper_rights (user_id, rights, regenerate_per_day, confirm_up_to, confirm_currency)
     values ($1, '{create,renew,passwords,regenerate,payments}', 2, 1000, 'PKR')`,
    [helper.userId],
  )
  await page.goto('/app')
  await page.goto('/helper')
  await page.getByLabel('Number or name').fill(customer.username)
  if (withScripts) await page.waitForURL(/search=/)
  else await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('button', { name: 'Renew 30 days' }).click()
  await expectToast(page, 'Renewed by 30 days')
  // The dialog has the message for the chat. Nothing in it is lost by closing it.
  await page.getByRole('dialog').getByRole('link', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'New password' }).click()
  await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible()
  await page.goto(`/helper?search=${customer.username}`)
  await page.getByRole('button', { name: 'Ask the administrator', exact: true }).click()
  await expectToast(page, 'The administrator was asked')
  await expect(page.getByText('Waits for the administrator')).toBeVisible()
  await lookAt(page, { name: 'helper', withScripts })

  await signIn({ role: 'admin' })
  await page.goto('/admin/helpers')
  await lookAt(page, { name: 'helpers', withScripts })
  await page.getByRole('button', { name: 'Approve' }).click()
  await expectToast(page, 'Approved')
  const rights = page.getByRole('group', { name: `Rights of ${helper.username}` })
  await rights.getByLabel('Renew customers').uncheck()
  await page.locator('form', { has: rights }).getByRole('button', { name: 'Save rights' }).click()
  await expectToast(page, `Rights of ${helper.username} saved`)
  await expect(rights.getByLabel('Renew customers')).not.toBeChecked()
  await expect(rights.getByLabel('Create customers with a plan')).toBeChecked()

  await page.goto('/admin/settings')
  await page.getByLabel('The backup is old').uncheck()
  await page.getByLabel('Quiet from').fill('23:00')
  await page.getByLabel('Quiet until').fill('07:00')
  await page.getByRole('button', { name: 'Save alarms' }).click()
  await expectToast(page, 'Alarms saved')
  await expect(page.getByLabel('The backup is old')).not.toBeChecked()
  await expect(page.getByLabel('Quiet from')).toHaveValue('23:00')
  await lookAt(page, { name: 'alarms', withScripts })
  await product.db.query(`delete from business_settings where name = 'alarms'`)
})
