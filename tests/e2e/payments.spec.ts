import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { toast } from './support/ui'

test('a customer reports a payment with its picture; an administrator confirms it and passes it on @looks', async ({
  page,
  signIn,
  withScripts,
}) => {
  const phone = `92300${Math.floor(1_000_000 + Math.random() * 8_999_999)}`
  await page.goto('/pricing')
  await page.getByRole('link', { name: 'I have paid' }).click()
  await page.getByLabel('Phone number').fill(phone)
  await page.getByLabel('Plan').selectOption('Business')
  await page.getByLabel('Amount').fill('1,500')
  await page.getByLabel('Reference').fill('TX 42')
  const receipt = createCanvas(300, 500)
  receipt.getContext('2d').fillText('1500 PKR', 20, 40)
  await page.getByLabel('Picture of the receipt').setInputFiles({
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
  const picture = await box.getByRole('link', { name: 'Open the picture' }).getAttribute('href')
  const { status, type } = await page.request
    .get(picture ?? '')
    .then((response) => ({ status: response.status(), type: response.headers()['content-type'] }))
  expect([status, type]).toEqual([200, 'image/jpeg'])
  await box.getByRole('button', { name: 'Confirm and create' }).click()
  await expect(toast(page, 'Payment confirmed')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open chat' })).toHaveAttribute(
    'href',
    new RegExp(`wa\\.me/${phone}`),
  )
  await page.goto(claim)
  await expect(page.getByText('Confirmed')).toBeVisible()
})
