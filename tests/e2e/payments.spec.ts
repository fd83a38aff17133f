import { createCanvas } from '@napi-rs/canvas'
import { expect, expectPageError, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'

test('A-PAY-2: a customer renewed in a hurry pays the next day @looks', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  const { userId, username } = await product.user({
    plan: 'Business',
    expiry_date: new Date(Date.now() + 5 * 86_400_000),
  })
  await signIn({ role: 'admin' })
  const box = page.getByRole('dialog')
  await page.goto(`/admin/users/${userId}?dialog=renew-end&on=${userId}`)
  await expect(box.getByLabel('Not paid')).toBeChecked()
  await box.getByRole('button', { name: 'Renew by 30 days' }).click()
  await page.getByRole('link', { name: '1 renewal without a payment' }).click()
  await page.getByRole('link', { name: `Record the payment of ${username}` }).click()
  await lookAt(page, { name: 'late-payment', withScripts })
  expectPageError('400')
  await box.getByLabel('Amount').fill('five')
  await box.getByLabel('Reference').fill(`TX ${userId}`)
  await box.getByRole('button', { name: 'Record payment' }).click()
  await expect(box.getByText('This is not an amount')).toBeVisible()
  await box.getByLabel('Amount').fill('')
  await box.getByRole('button', { name: 'Record payment' }).click()
  await expectToast(page, 'Payment recorded')
  await expect(page.getByText(username, { exact: true })).toHaveCount(0)
  await page.goto(`/admin/users/${userId}`)
  await expect(page.getByText('1,500 PKR for Business')).toBeVisible()
})

test('O12: with a reference or an amount no form says that it is not paid', async ({
  page,
  signInAt,
}) => {
  const phone = `92300${Math.floor(1_000_000 + Math.random() * 8_999_999)}`
  await signInAt('/admin?dialog=quick', { role: 'admin' })
  const box = page.getByRole('dialog')
  const choice = (name: string) => box.getByRole('radio', { name, exact: true })
  const reference = box.getByLabel('Reference')
  await expect(choice('Not paid')).toBeChecked()
  await reference.fill('TX 7')
  await expect(choice('Not paid')).toHaveCount(0)
  await expect(choice('Choose how it was paid')).toBeChecked()
  await reference.fill('')
  await expect(choice('Not paid')).toBeChecked()
  await box.getByLabel('Phone number').fill(phone)
  await choice('Wallet').check()
  await box.getByRole('button', { name: 'Quick Create' }).click()
  await expect(box).toContainText(phone)
  await page.goto('/admin?dialog=quick')
  await expect(choice('Not paid')).toBeChecked()
  await box.getByLabel('Amount').fill('100')
  await expect(choice('As last time: Wallet')).toBeChecked()
})

test('a customer reports a payment with its screenshot; an administrator confirms it and passes it on @looks', async ({
  page,
  signIn,
  withScripts,
}) => {
  const phone = `92300${Math.floor(1_000_000 + Math.random() * 8_999_999)}`
  await page.goto('/pricing')
  await page.getByRole('link', { name: 'I have paid' }).click()
  await page.getByRole('textbox', { name: 'Phone number' }).fill(phone)
  await page.getByLabel('Plan').selectOption('Business')
  await page.getByLabel('Amount').fill('1,500')
  await page.getByLabel('Reference').fill('TX 42')
  const receipt = createCanvas(300, 500)
  receipt.getContext('2d').fillText('1500 PKR', 20, 40)
  await page.getByLabel('Screenshot of the payment').setInputFiles({
    name: 'receipt.png',
    mimeType: 'image/png',
    buffer: receipt.toBuffer('image/png'),
  })
  await page.getByRole('button', { name: 'Report the payment' }).click()
  await expect(page.getByText('We will check it soon')).toBeVisible()
  await lookAt(page, { name: 'paid', withScripts })
  const claim = page.url()

  await signIn({ role: 'admin' })
  await page.goto(`/admin/payments?customer=${phone}`)
  await lookAt(page, { name: 'payments', withScripts })
  await page.getByRole('link', { name: `Confirm the payment of ${phone}` }).click()
  const box = page.getByRole('dialog')
  const screenshot = await box
    .getByRole('link', { name: 'Open the screenshot' })
    .getAttribute('href')
  const { status, type } = await page.request
    .get(screenshot ?? '')
    .then((response) => ({ status: response.status(), type: response.headers()['content-type'] }))
  expect([status, type]).toEqual([200, 'image/jpeg'])
  await box.getByRole('button', { name: 'Confirm and create' }).click()
  await expectToast(page, 'Payment confirmed')
  await expect(page.getByRole('link', { name: 'Open chat' })).toHaveAttribute(
    'href',
    new RegExp(`wa\\.me/${phone}`),
  )
  await page.goto(claim)
  await expect(page.getByText('Confirmed')).toBeVisible()
})

test('U-REF-1: a customer finds their invite link, and a friend opens an account with it @looks', async ({
  page,
  context,
  product,
  signIn,
  withScripts,
}) => {
  const set = `insert into business_settings (name, value, changed_at)
    values ('referral', '{"unit": "days", "amount": 7, "perMonth": 5}', now())`
  await product.db.query(set)
  await signIn({ plan: 'Business', expiry_date: new Date(Date.now() + 5 * 86_400_000) })
  await page.goto('/usage')
  const card = page.locator('#invite')
  await expect(card).toContainText('Nobody has opened an account with it so far.')
  await lookAt(page, { name: 'invite', withScripts })
  const link = new URL(await card.locator('code').innerText())
  const own = await context.cookies()

  await context.clearCookies()
  await page.goto(link.pathname + link.search)
  await expect(page.getByText('You were invited.')).toContainText('get 7 days each')
  await lookAt(page, { name: 'invited', withScripts })
  await page
    .getByLabel('Phone number')
    .fill(`92300${Math.floor(1_000_000 + Math.random() * 8_999_999)}`)
  await page.getByLabel('Password').fill('secret-1')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Account created!')

  await context.clearCookies()
  await context.addCookies(own)
  await page.goto('/usage')
  await expect(card).toContainText('Accounts opened with it: 1. First payments to come: 1.')
  await product.db.query(`delete from business_settings where name = 'referral'`)
})
