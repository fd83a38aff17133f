import { sendForm } from '../support/page'
import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'

test('X9: an older page says what another administrator changed, and overwrites nothing unseen', async ({
  page,
  product,
  signInAt,
  withScripts,
}) => {
  expectPageError('409')
  const other = await product.user({ role: 'admin' })
  let contacts = { email: 'a@shop.example', socialUrl: 'https://social.example/shop' }
  const savedByOther = (chatNumber: string) =>
    sendForm(other, '/admin/settings', { intent: 'contacts', chatNumber, ...contacts })
  await savedByOther('+44 20 7946 0001')
  await signInAt('/admin/settings', { role: 'admin' })
  const chat = page.getByLabel('Chat number')
  const email = page.locator('#contacts-email')
  const save = page.getByRole('button', { name: 'Save contacts' })

  // Both typed another number.
  await savedByOther('+44 20 7946 0002')
  await chat.fill('+44 20 7946 0003')
  await save.click()
  await expect(page.getByText('This was changed to “+44 20 7946 0002”')).toBeVisible()
  await expect(page.getByText('You typed “+44 20 7946 0003”.')).toBeVisible()
  await expect(chat).toHaveValue('+44 20 7946 0003')
  await save.click()
  await expectToast(page, 'Contacts saved')

  // What one saved oneself is no conflict later.
  await chat.fill('+44 20 7946 0004')
  await save.click()
  await expectToast(page, 'Contacts saved')
  await expect(chat).toHaveValue('+44 20 7946 0004')

  // A field that was left alone is not written.
  await savedByOther('+44 20 7946 0005')
  await email.fill('b@shop.example')
  await save.click()
  await expectToast(page, 'Contacts saved')
  await expect(chat).toHaveValue('+44 20 7946 0005')
  await expect(email).toHaveValue('b@shop.example')

  // Another form of the page shows new values; with scripts what is half typed here stays.
  contacts = { ...contacts, email: 'b@shop.example' }
  await savedByOther('+44 20 7946 0006')
  await email.fill('c@shop.example')
  await page.getByLabel('Few keys: fewer than').fill('5')
  await page.getByRole('button', { name: 'Save alarms' }).click()
  await expectToast(page, 'Alarms saved')
  if (!withScripts) await email.fill('c@shop.example')
  await expect(email).toHaveValue('c@shop.example')
  await save.click()
  await expectToast(page, 'Contacts saved')
  await expect(chat).toHaveValue('+44 20 7946 0006')
  await expect(email).toHaveValue('c@shop.example')
  await product.db.query('delete from business_settings')
})

test('X9: a pause that another administrator was quicker with keeps its sentence', async ({
  page,
  product,
  signInAt,
}) => {
  expectPageError('409')
  const other = await product.user({ role: 'admin' })
  await signInAt('/admin/settings', { role: 'admin' })
  await sendForm(other, '/admin/settings', { intent: 'pause', text: 'Back at six.' })
  await page.getByLabel('What users read').fill('Back at nine.')
  await page.getByRole('button', { name: 'Pause new orders' }).click()
  await expect(page.getByText('This was changed to “Back at six.”')).toBeVisible()
  await expect(page.getByText('Paused. Users read: Back at six.')).toBeVisible()
  await expect(page.getByLabel('What users read')).toHaveValue('Back at nine.')
  await page.getByRole('button', { name: 'Pause new orders' }).click()
  await expectToast(page, 'New orders are paused')
  await expect(page.getByText('Paused. Users read: Back at nine.')).toBeVisible()
  await product.db.query('delete from business_settings')
})
