import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { openBeforeScripts } from './support/ui'

test('a refused form says why beside the field, keeps what was typed and takes the focus there', async ({
  page,
  signInAt,
  withScripts,
}) => {
  expectPageError('400 (Bad Request)')
  await signInAt('/admin/tokens', { role: 'admin' })
  const one = page.getByLabel('Token', { exact: true })
  const many = page.getByLabel('Tokens, one per line')
  await many.fill('tok-typed-0123456789')
  await page.getByRole('button', { name: 'Add Token' }).click()
  await expect(one).toHaveAccessibleDescription(
    'Please enter a token. Joins the end of the pool. It is stored encrypted and never shown again.',
  )
  await expect(one).toHaveAttribute('aria-invalid', 'true')
  if (!withScripts) return
  await expect(one).toBeFocused()
  await expect(many).toHaveValue('tok-typed-0123456789')

  await one.fill('tok-accepted-0123456789')
  await page.getByRole('button', { name: 'Add Token' }).click()
  await expect(page.getByText('Token added').first()).toBeVisible()
  await expect(one).not.toHaveAttribute('aria-invalid')
  await expect(one).not.toHaveAccessibleDescription(/Please enter/)
})

test('a dialog that is refused keeps what was typed and has the focus on the field @scripts', async ({
  page,
  signIn,
  product,
}) => {
  // Only with scripts: without them the browser sets the focus.
  expectPageError('400 (Bad Request)')
  await signIn({ role: 'admin' })
  const user = await product.user()
  await page.goto(`/admin?dialog=edit&on=${user.userId}`)
  const dialog = page.getByRole('dialog')
  const limit = dialog.getByLabel('Daily video limit')
  await limit.fill('many')
  await dialog.getByRole('button', { name: 'Update User' }).click()
  await expect(limit).toBeFocused()
  await expect(limit).toHaveValue('many')
  await expect(limit).toHaveAccessibleDescription('Daily video limit must be a number')
})

test('a dialog that was scrolled before the scripts loaded stays in its place @scripts', async ({
  page,
  product,
  signIn,
}) => {
  // Only with scripts: it is about scripts that load late.
  const { userId } = await product.user()
  await signIn({ role: 'admin' })
  await page.setViewportSize({ width: 1000, height: 400 })
  const letLoad = await openBeforeScripts(page, `/admin?dialog=edit&on=${userId}`)
  const dialog = page.getByRole('dialog')
  // The focus is in a field that is out of sight when the button is pressed.
  await dialog.getByRole('textbox').first().pressSequentially('1')
  await dialog.getByRole('button', { name: 'Update User' }).hover()
  await letLoad()
  await expect(page.locator('dialog:modal')).toBeVisible()
  // `click` would scroll to the button.
  await page.mouse.down()
  await page.mouse.up()
  await expectToast(page, 'User updated')
  await expect(dialog).toHaveCount(0)
})

test('the button of a filled form is never disabled while the scripts take over @scripts', async ({
  page,
  signInBeforeScripts,
}) => {
  // Only with scripts: it is about scripts that load late.
  const letLoad = await signInBeforeScripts('/app')
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A boat')
  const button = page.getByRole('button', { name: 'Generate Video' })
  await button.evaluate((element) => {
    const note = () => element.ariaDisabled === 'true' && element.classList.add('was-disabled')
    new MutationObserver(note).observe(element, { attributes: true })
  })
  await letLoad()
  await expect(page.locator('#prompt-count')).toHaveText(/^6/)
  await expect(button).not.toHaveClass(/was-disabled/)
})

test('the button of a form counts what was typed before the scripts loaded @scripts', async ({
  page,
  signInBeforeScripts,
}) => {
  // Only with scripts: it is about scripts that load late.
  const letLoad = await signInBeforeScripts('/admin/prompts?dialog=add', { role: 'admin' })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Prompt').fill('Typed before the scripts')
  await letLoad()
  await expect(page.locator('dialog:modal')).toBeVisible()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Typed before the scripts')).toBeVisible()
})
