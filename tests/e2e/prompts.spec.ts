import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'

test('A-PROMPT-1, A-PROMPT-2, A-PROMPT-3, A-PROMPT-4, A-PROMPT-5, A-PROMPT-6, A-PROMPT-7, A-PROMPT-8: an administrator manages the library of prompts', async ({
  page,
  allowClipboard,
  signInAt,
  product,
  withScripts,
}) => {
  await product.db.query('delete from prompts')
  await signInAt('/admin/prompts', { role: 'admin' })
  await expect(
    page.getByText('No prompts found. Create your first prompt to get started.'),
  ).toBeVisible()

  await page.getByRole('link', { name: 'Add Prompt' }).click()
  const create = page.getByRole('button', { name: 'Create' })
  if (withScripts) {
    await page.getByLabel('Prompt', { exact: true }).fill('   ')
    await expect(create).toBeDisabled()
  }
  await page.getByLabel('Prompt', { exact: true }).fill('A kite over a field')
  await create.click()
  await expectToast(page, 'Prompt created')
  const current = page.locator('section', {
    has: page.getByRole('heading', { name: 'Current Daily Prompt' }),
  })
  await expect(current).toContainText('A kite over a field')
  await expect(current).toContainText('Copied 0 times')
  const reader = await product.user()
  const daily = await reader.get<{ id: string; text: string }>('/api/prompts/daily')
  expect(daily.body.text).toBe('A kite over a field')
  await reader.post(`/api/prompts/${daily.body.id}/copy`)
  await page.reload()
  await expect(current).toContainText('Copied 1 time')

  await page.getByRole('link', { name: 'Bulk Import' }).click()
  await page.getByLabel('Prompts, one per line').fill('A boat\n\nA train\nA horse')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectToast(page, 'Prompts imported')
  await expect(page.getByText('3 prompts imported').first()).toBeVisible()

  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  const cells = (text: string) => row(text).getByRole('cell')
  await expect(row('A kite')).toContainText('Current')
  await expect(cells('A kite').nth(2)).toContainText('1')
  await expect(cells('A boat').nth(2)).toContainText('0')
  await expect(cells('A boat').nth(3)).toContainText('-')
  if (withScripts) {
    await allowClipboard()
    await row('A boat').getByRole('button', { name: 'Copy' }).click()
    await expectToast(page, 'Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('A boat')
  }
  await expect(row('A kite').getByRole('button', { name: 'Set Daily' })).toHaveCount(0)
  await row('A boat').getByRole('button', { name: 'Set Daily' }).click()
  await expectToast(page, 'Daily prompt updated')
  await expect(row('A boat')).toContainText('Current')
  await expect(row('A kite')).not.toContainText('Current')
  await page.getByRole('button', { name: 'Change daily again' }).click()
  await expect(page.getByText('Each day the least recently used')).toBeVisible()

  await row('A train').getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Prompt', { exact: true })).toHaveValue('A train')
  await page.getByLabel('Prompt', { exact: true }).fill('A slow train')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Prompt updated')
  await expect(row('A slow train')).toBeVisible()

  page.once('dialog', (question) => void question.accept())
  await row('A slow train').getByRole('link', { name: 'Delete' }).click()
  if (!withScripts)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Prompt deleted')
  await expect(row('A slow train')).toHaveCount(0)

  await page.getByRole('checkbox', { name: 'Select: A boat' }).check()
  await page.getByRole('checkbox', { name: 'Select: A horse' }).check()
  await page
    .getByRole('button', { name: withScripts ? 'Delete Selected (2)' : 'Delete Selected' })
    .click()
  await expect(page.getByRole('alertdialog')).toContainText('Delete 2 prompts?')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 2 prompts' }).click()
  await expectToast(page, 'Prompts deleted')
  if (withScripts)
    await expect(page.getByRole('button', { name: 'Delete Selected (0)' })).toBeDisabled()
  await expect(row('A kite')).toContainText('Current')
  await expect(page.getByRole('row')).toHaveCount(2)
})

test('A-PROMPT-4: prompts that are ticked before the scripts have loaded are counted when they have @scripts', async ({
  page,
  product,
  signInBeforeScripts,
}) => {
  // Only with scripts: without them nothing is counted.
  await product.db.query('delete from prompts')
  await product.db.query(`insert into prompts (id, text) values
    ('00000000-0000-4000-8000-000000000001', 'A kite')`)
  const letScriptsCome = await signInBeforeScripts('/admin/prompts', { role: 'admin' })
  await page.getByRole('checkbox', { name: 'Select: A kite' }).check()
  await letScriptsCome()
  await expect(page.getByRole('button', { name: 'Delete Selected (1)' })).toBeEnabled()
})

test('A-ERR-3: each failure is named', async ({ page, signIn, product }) => {
  expectPageError('404')
  await product.db.query('delete from prompts')
  await signIn({ role: 'admin' })
  await product.db.query(`insert into prompts (id, text) values
    ('00000000-0000-4000-8000-000000000001', 'A kite')`)
  await page.goto('/admin/prompts?dialog=edit&on=00000000-0000-4000-8000-000000000001')
  await expect(page.getByRole('dialog')).toBeVisible()
  await product.db.query('delete from prompts')
  await page.getByLabel('Prompt', { exact: true }).fill('Too late')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Failed to update prompt')
  await expect(page.getByRole('dialog', { name: 'This prompt does not exist' })).toBeVisible()
})
