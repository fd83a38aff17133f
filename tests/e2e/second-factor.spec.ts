import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { authenticator } from '../support/authenticator'
import { expect, expectPageError, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'
import { pressInAccount, tabTo } from './support/ui'

/** Types into a field and submits, by keyboard only. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.type(text)
}

test('two-step sign-in is set up, required and switched off by keyboard', async ({
  page,
  signIn,
  withScripts,
}) => {
  // Browsers log the responses to wrong codes, and the page that asks for one.
  expectPageError('400', '401')
  const { username } = await signIn({ role: 'admin' })
  await page.goto('/dashboard')
  await pressInAccount(page, 'Two-step sign-in')
  await expect(page.getByRole('heading', { name: 'Two-step sign-in' })).toBeVisible()
  await lookAt(page, { name: '1-start', withScripts })
  await type(page, 'Your password', 'secret-1')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  await lookAt(page, { name: '2-key', withScripts })
  const key = await page.locator('[data-key]').getAttribute('data-key')
  const app = authenticator(key ?? '')
  await type(page, 'Code', app.wrongCode())
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is wrong.', { exact: false }).first()).toBeVisible()
  expect(await page.locator('[data-key]').getAttribute('data-key')).toBe(key)
  await page.getByLabel('Code', { exact: true }).fill(app.code())
  await expect(page.getByRole('button', { name: 'Switch on' })).toBeEnabled()
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
  const codes = await page.locator('[data-recovery-codes] li').allInnerTexts()
  expect(codes).toHaveLength(10)
  await lookAt(page, { name: '3-codes', withScripts })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as a file' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('recovery-codes.txt')
  expect(await readFile(await file.path(), 'utf8')).toBe(`${codes.join('\n')}\n`)
  await page.goto('/account/two-step')
  await expect(page.getByText('10 recovery codes left.')).toBeVisible()
  await lookAt(page, { name: '4-on', withScripts })

  await page.context().clearCookies()
  await page.goto('/login?redirectTo=%2Faccount%2Ftwo-step')
  await type(page, 'Username', username)
  await type(page, 'Password', 'secret-1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await lookAt(page, { name: '5-code', withScripts })
  await type(page, 'Code', app.wrongCode())
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is wrong')).toBeVisible()
  const code = page.getByLabel('Code', { exact: true })
  await expect(code).toHaveAccessibleDescription(/^This code is wrong The six digits/)
  await lookAt(page, { name: '6-wrong', withScripts })
  await code.fill('')
  const recovery = page.getByLabel('Recovery code')
  if (!(await recovery.isVisible())) await page.getByText('I have lost my device').click()
  await recovery.fill('aaaaaa-bbbbbb')
  await page.keyboard.press('Enter')
  await expect(recovery).toHaveAccessibleDescription(/^This code is wrong One of the codes/)
  await expect(recovery).toBeVisible()
  await expect(recovery).toHaveAttribute('aria-invalid', 'true')
  await expect(code).not.toHaveAttribute('aria-invalid')
  await expect(page.getByText('This code is wrong')).toHaveCount(1)
  await lookAt(page, { name: '6-wrong-recovery', withScripts })
  await code.fill(app.code(1))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/account\/two-step$/)
  await expectToast(page, 'Login successful')

  await type(page, 'Your password', 'secret-1')
  await tabTo(page, page.getByText('I have lost my device'))
  await page.keyboard.press('Enter')
  await type(page, 'Recovery code', codes[0] ?? '')
  await lookAt(page, { name: '7-recovery', withScripts })
  await tabTo(page, page.getByRole('button', { name: 'Switch off' }))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Two-step sign-in is off')
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
})

test('an admin switches it off for a colleague', async ({ page, product, signIn, withScripts }) => {
  // A poll of the live cards may be on its way with the old token when the password is given.
  expectPageError('400', '401')
  const colleague = await product.user({ role: 'admin' })
  await product.db.query(
    `insert into second_factors (user_id, secret_cipher, started_at, confirmed_at, last_step)
     values ($1, '\\x00', now(), now(), 0)`,
    [colleague.userId],
  )
  await signIn({ role: 'admin' })
  await page.goto(`/admin?dialog=edit&on=${colleague.userId}`)
  await page.getByRole('link', { name: /The device is lost/ }).click()
  const dialog = page.getByRole('dialog', { name: /Switch off two-step sign-in/ })
  await expect(dialog).toBeVisible()
  await lookAt(page, { name: '8-other', withScripts })
  await dialog.getByLabel('Your own password').fill('wrong-1')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This is not your password').first()).toBeVisible()
  await dialog.getByLabel('Your own password').fill('secret-1')
  await expect(dialog.getByRole('button', { name: 'Switch off' })).toBeEnabled()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Two-step sign-in is off')
  await page.goto(`/admin?dialog=edit&on=${colleague.userId}`)
  await expect(page.getByText('Two-step sign-in is on.')).toHaveCount(0)
})
