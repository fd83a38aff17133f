import { createHash } from 'node:crypto'
import { newId } from '../../app/lib/ids'
import { expect, expectPageError, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'
import { pressInAccount } from './support/ui'

const URL_OF_PROGRAM = 'https://93.184.216.34/hooks/of-a-program-with-a-rather-long-name'

test('U-NOTIFY-11: a web address is set, its secret is shown once and renewed, and it is turned off with one press @looks', async ({
  page,
  signIn,
  withScripts,
}) => {
  await signIn()
  await page.goto('/dashboard')
  await pressInAccount(page, 'Notifications')
  await expect(page.getByRole('heading', { name: 'Notifications', exact: true })).toBeVisible()
  await lookAt(page, { name: 'notification-off', withScripts })

  const webhook = page.locator('section', { hasText: 'By webhook' })
  expectPageError('400')
  await page.getByLabel('Web address').fill('https://10.0.0.1/x')
  await webhook.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('This address is refused: 10.0.0.1 is private').first()).toBeVisible()
  await expect(page.getByLabel('Web address')).toHaveValue('https://10.0.0.1/x')
  await page.getByLabel('Web address').fill(URL_OF_PROGRAM)
  await webhook.getByRole('button', { name: 'Save' }).click()
  const secret = page.locator('[data-webhook-secret]')
  await expect(secret).toHaveText(/^whsec_/)
  const first = await secret.textContent()
  await lookAt(page, { name: 'notification-secret', withScripts })
  await page.getByRole('link', { name: 'I have saved it' }).click()
  await expect(secret).toBeHidden()
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  await expect(secret).toHaveText(/^whsec_/)
  const second = (await secret.textContent()) ?? ''
  expect(second).not.toBe(first)
  if (withScripts) {
    // It comes into view, and another press does not take it away.
    await expect(secret).toBeInViewport()
    expectPageError('409')
    await page.getByLabel('E-mail address').fill('anna@home.example')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expectToast(page, 'Link not sent')
    await expect(secret).toHaveText(second)
  }
  await page.getByRole('link', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expectToast(page, 'Turned off')
  await expect(page.getByText(URL_OF_PROGRAM)).toBeHidden()
})

test('U-NOTIFY-24: reminders and quiet hours are saved, and are there again', async ({
  page,
  signIn,
}) => {
  await signIn()
  await page.goto('/account/notifications')
  const card = page.locator('section', { hasText: 'Reminders' })
  await expect(card.getByLabel('My plan ends in 3 days')).toBeChecked()
  await card.getByLabel('80 % of today’s videos are used').check()
  await card.getByLabel('Quiet from').fill('22:00')
  await card.getByLabel('Quiet until').fill('07:30')
  await card.getByRole('button', { name: 'Save reminders' }).click()
  await expectToast(page, 'Reminders saved')
  await page.goto('/account/notifications')
  await expect(card.getByLabel('80 % of today’s videos are used')).toBeChecked()
  await expect(card.getByLabel('Quiet from')).toHaveValue('22:00')
  await expect(card.getByLabel('Quiet until')).toHaveValue('07:30')
})

test('issue 39.9: an API key that was made comes into view, and stays until it is saved', async ({
  page,
  signIn,
  withScripts,
}) => {
  await signIn({ plan: 'Enterprise' })
  const key = page.locator('[data-api-key]')
  const create = async (name: string) => {
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Your password').last().fill('secret-1')
    await page.getByRole('button', { name: 'Create key' }).click()
  }
  await page.goto('/account/keys')
  await create('First')
  await page.getByRole('link', { name: 'I have saved it' }).click()
  await expect(key).toBeHidden()
  await create('Second')
  await expect(key).toHaveText(/^rm_/)
  await expect(key).toBeInViewport()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  const made = (await key.textContent()) ?? ''
  expectPageError('400', '409')
  await create('Second')
  await expectToast(page, 'Key not created')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Second')
  if (withScripts) await expect(key).toHaveText(made)
})

test('U-NOTIFY-11: an address is confirmed; the last messages are listed @looks', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  // No mail server listens.
  expectPageError('409')
  const { userId } = await signIn()
  await page.goto('/account/notifications')
  await page.getByLabel('E-mail address').fill('anna@home.example')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expectToast(page, 'Link not sent')
  // Its own words are for the operator.
  await expect(page.getByText('The mail server did not take the message.').first()).toBeVisible()
  await expect(page.getByLabel('E-mail address')).toHaveValue('anna@home.example')

  const token = newId()
  await product.db.query(
    `insert into notification_emails (user_id, asked_address, token_hash, token_until)
     values ($1, 'anna@home.example', $2, now() + interval '1 day')`,
    [userId, createHash('sha256').update(token).digest()],
  )
  await product.db.query(
    `insert into notification_webhooks (user_id, url, secret_cipher, stopped_at) values ($1, $2, '', now())`,
    [userId, URL_OF_PROGRAM],
  )
  await product.db.query(
    `insert into notifications (id, user_id, channel, batch_id, title, body, at, state, tries,
       next_try_at, answer, problem)
     select gen_random_uuid(), $1, channel::notification_channel, gen_random_uuid(),
       '“Summer fair” is done: 97 ready, 3 failed', '', now(), state::notification_state, tries,
       now() + interval '1 hour', answer, problem
     from (values ('webhook', 'sent', 1, 204, null),
       ('webhook', 'waiting', 3, null, 'hooks.example did not answer in time'),
       ('webhook', 'failed', 8, 410, 'It answered 410'), ('email', 'dropped', 0, null, null)
     ) as rows(channel, state, tries, answer, problem)`,
    [userId],
  )
  await page.goto('/account/notifications')
  await expect(page.getByText('Your server answered 410')).toBeVisible()
  await lookAt(page, { name: 'notification-on', withScripts })
  await page.goto(`/confirm-email?token=${token}`)
  await lookAt(page, { name: 'notification-confirm', withScripts })
  await page.getByRole('button', { name: 'Confirm the address' }).click()
  await expectToast(page, 'Address confirmed')
  await expect(page.getByText('anna@home.example')).toBeVisible()
  await page.goto(`/confirm-email?token=${token}`)
  await expect(page.getByText('This link was used or is too old')).toBeVisible()
})
