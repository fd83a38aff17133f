import type { Locator, Page } from '@playwright/test'
import type { Installation } from '../support/installation'
import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { signInAgain, unfold } from './support/ui'

let phones = Math.floor(Math.random() * 1e6) * 10
const newPhone = () => `0333${String(phones++).padStart(8, '0')}`

const dialog = (page: Page) => page.locator('dialog')
const row = (page: Page, username: string) => page.getByRole('row').filter({ hasText: username })
const find = (page: Page, username: string) => page.goto(`/admin?search=${username}`)

test('A-CREATE-1, A-CREATED-1, A-EDIT-1, A-USER-2: create with a typed password, shown once, and edit', async ({
  page,
  signIn,
  withScripts,
  product,
  allowClipboard,
}) => {
  expectPageError('400')
  await signIn({ role: 'admin' })
  const phone = newPhone()
  await page.goto('/admin')
  for (const name of ['Quick Create', 'Create User', 'Reset All Counters', 'Delete All Users'])
    await expect(page.getByRole('link', { name })).toBeVisible()
  await page.getByRole('link', { name: 'Create User' }).click()
  const box = dialog(page)
  await expect(box.getByLabel('Daily video limit')).toHaveValue('20')
  await expect(box.getByLabel('Generation speed (seconds)')).toHaveValue('60')
  await expect(box.getByLabel('Expires after (days)')).toHaveValue('30')
  await box.getByLabel('Plan', { exact: true }).selectOption('Business')
  if (!withScripts) await box.getByRole('button', { name: 'Use plan values' }).click()
  await expect(box.getByLabel('Daily video limit')).toHaveValue('400')
  await expect(box.getByLabel('Speed limit (videos at once)')).toHaveValue('5')
  await expect(box.getByLabel('Generation speed (seconds)')).toHaveValue('45')
  await box.getByLabel('Daily video limit').fill('450')

  // On a phone a persistent toast must not cover the button.
  const size = page.viewportSize()
  await page.setViewportSize({ width: 375, height: 740 })
  await box.getByLabel('Phone number').fill('0333123')
  await box.getByLabel('Password', { exact: true }).fill('secret7')
  await box.getByRole('button', { name: 'Create User' }).click()
  await expect(box.getByText('Phone number must be at least 8 characters').last()).toBeVisible()
  await expect(box.getByLabel('Phone number')).toHaveValue('0333123')
  const password = box.getByLabel('Password', { exact: true })
  await expect(password).toHaveValue(withScripts ? 'secret7' : '')
  await expect(password).toHaveAccessibleDescription(
    withScripts ? '' : 'Type the user’s password again. It is not kept.',
  )
  await expect(box.getByLabel('Daily video limit')).toHaveValue('450')

  await box.getByLabel('Phone number').fill(phone)
  await password.fill('secret7')
  await box.getByRole('button', { name: 'Create User' }).click()
  await expect(box.getByText('User Created Successfully!')).toBeVisible()
  if (size) await page.setViewportSize(size)
  for (const value of [phone, 'secret7', 'Business'])
    await expect(box.getByText(value, { exact: true }).first()).toBeVisible()
  await expect(box.getByText('it will not be shown again')).toBeVisible()
  await expect(box.getByRole('link', { name: 'Open chat' })).toHaveAttribute(
    'href',
    /set-password%3Ftoken%3D(?!.*secret7)/,
  )
  if (withScripts) {
    await allowClipboard()
    await box.getByRole('button', { name: 'Copy password' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('secret7')
    await box.getByRole('button', { name: 'Copy All' }).click()
    const all = await page.evaluate(() => navigator.clipboard.readText())
    expect(all).toContain(`Username: ${phone}`)
    expect(all).toContain('Password: secret7')
  }
  await page.reload()
  expect(await page.content()).not.toContain('secret7')
  await expect(dialog(page)).toHaveCount(0)

  await find(page, phone)
  await expect(row(page, phone)).toContainText('450/day')
  // A-USER-2: on a wide screen every value is below its heading, also the phone that is the
  // username.
  await page.setViewportSize({ width: 1280, height: 800 })
  const left = (of: Locator) => of.evaluate((cell) => Math.round(cell.getBoundingClientRect().left))
  const heading = page.getByRole('columnheader', { name: 'Quota' })
  const cell = row(page, phone).getByRole('cell').filter({ hasText: '450/day' })
  expect(await left(cell)).toBe(await left(heading))
  if (size) await page.setViewportSize(size)
  await page.getByRole('link', { name: `Edit ${phone}` }).click()
  await expect(box.getByLabel('Bearer token')).toHaveAttribute(
    'placeholder',
    'Leave empty to use default',
  )
  await expect(box.getByLabel('New password', { exact: true })).toHaveAttribute(
    'placeholder',
    'Leave empty to keep current password',
  )
  await expect(box.getByText('User can login and use the platform')).toBeVisible()
  await box.getByLabel('Active Status').uncheck()
  if (withScripts) await expect(box.getByText('User is disabled')).toBeVisible()
  await box.getByRole('button', { name: 'Update User' }).click()
  await expectToast(page, 'User updated')
  await expect(row(page, phone)).toContainText('Inactive')
  const { rows } = await product.db.query<{ expiry: number }>(
    `select round(extract(epoch from expiry_date - created_at) / 86400)::int as expiry from users where username = $1`,
    [phone],
  )
  expect(rows).toEqual([{ expiry: 30 }])
})

test('A-EDIT-1: saving the form changes only what was changed in it', async ({
  page,
  context,
  signIn,
  product,
}) => {
  expectPageError('400', '409')
  await signIn({ role: 'admin' })
  const { username, userId } = await product.user({ plan: 'Starter' })
  const address = `/admin?search=${username}&dialog=edit&on=${userId}`
  await page.goto(address)
  const other = await context.newPage()
  await other.goto(address)
  await other.getByLabel('Daily video limit').fill('77')
  await other.getByLabel('Bearer token').fill('tok-of-the-second-administrator')
  await other.getByLabel('Active Status').uncheck()
  await other.getByRole('button', { name: 'Update User' }).click()
  await expectToast(other, 'User updated')

  await page.getByLabel('Expires after (days)').fill('0')
  await page.getByRole('button', { name: 'Update User' }).click()
  await expect(dialog(page).getByText('Must be at least 1 day')).toBeVisible()
  await page.getByLabel('Expires after (days)').fill('44')
  await page.getByRole('button', { name: 'Update User' }).click()
  // The other one has disabled the account.
  await dialog(page).getByLabel('It stays disabled').check()
  await page.getByRole('button', { name: 'Update User' }).click()
  await expectToast(page, 'User updated')
  await expect(row(page, username)).toContainText('77/day')
  await expect(row(page, username)).toContainText('Inactive')
  await expect(row(page, username)).toContainText('44d')
  await page.goto(address)
  await expect(page.getByLabel('Bearer token')).toHaveValue(/^tok-of.*•/)
})

test('A-QUICK-1, A-QUICK-4: quick create; delete with its question; restore from the trash', async ({
  page,
  signInAt,
}) => {
  expectPageError('400', '409')
  await signInAt('/admin?dialog=quick', { role: 'admin' })
  const box = dialog(page)
  await box.getByRole('button', { name: 'Quick Create' }).click()
  await expect(box.getByText('Please enter a phone number')).toBeVisible()
  const phone = newPhone()
  await box.getByLabel('Phone number').fill(`+92 (${phone})`)
  await box.getByLabel('Plan').selectOption('Professional')
  await box.getByRole('button', { name: 'Quick Create' }).click()
  await expect(box.getByText('User Created Successfully!')).toBeVisible()
  await expect(box.getByText(`92${phone}`, { exact: true }).first()).toBeVisible()
  await box.getByRole('link', { name: 'Close' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('link', { name: 'Quick Create' }).click()
  await expect(box.getByLabel('Plan')).toHaveValue('Starter')

  await find(page, phone)
  await page.getByRole('link', { name: `Delete 92${phone}` }).click()
  await box.getByRole('button', { name: 'Delete user' }).click()
  await expectToast(page, 'User deleted')
  await expect(page.getByText('No users found')).toBeVisible()
  await page.goto(`/admin/users/trash?search=92${phone}`)
  await page.getByRole('button', { name: `Restore 92${phone}` }).click()
  await expectToast(page, 'User restored')
  await find(page, phone)
  await expect(row(page, phone)).toContainText('120/day')

  // A number that is sold again while its account is in the trash.
  await page.getByRole('link', { name: `Delete 92${phone}` }).click()
  await box.getByRole('button', { name: 'Delete user' }).click()
  await expectToast(page, 'User deleted')
  await expect(page.getByText('No users found')).toBeVisible()
  await page.goto('/admin?dialog=quick')
  await box.getByLabel('Phone number').fill(`92${phone}`)
  await box.getByRole('button', { name: 'Quick Create' }).click()
  await box.getByLabel('Create a second account all the same').check()
  await box.getByRole('button', { name: 'Quick Create' }).click()
  await expect(page.getByRole('heading', { name: 'User Created Successfully!' })).toBeVisible()
})

test('A-IMPORT-1, A-IMPORT-11, A-ASSIGN-1: check, import, one badge per line; tokens by plan', async ({
  page,
  signInAt,
}) => {
  await signInAt('/admin', { role: 'admin' })
  const phone = newPhone()
  const text = `# a comment\n\n${phone}|secret-1\nonlyname\n${phone}9|123`
  const area = page.getByLabel('One user per line')
  await unfold(page, 'Import users')
  await area.fill(text)
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText('Check only, nothing saved.', { exact: false })).toBeVisible()
  await expect(area).toHaveValue(text)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const results = page.getByRole('region', { name: 'Results' })
  await expect(results.getByText('Success', { exact: true })).toHaveCount(1)
  await expect(results.getByText('Failed', { exact: true })).toHaveCount(2)
  await expect(
    results.getByText('Line 4: Invalid format (minimum: username|password)'),
  ).toBeVisible()
  await expectToast(page, 'Format Errors')
  await expect(area).toHaveValue(`# a comment\n\nonlyname\n${phone}9|123`)

  await page.goto('/admin')
  await unfold(page, 'Assign tokens')
  await page.getByRole('button', { name: 'Preview' }).last().click()
  await expectToast(page, 'No Tokens Found')
  await page
    .getByLabel('Tokens to assign, one per line')
    .fill('tok-one-012345678\ntok-two-012345678')
  await page.getByRole('button', { name: 'Preview' }).last().click()
  const plan = page.getByRole('region', { name: 'Assignment plan' })
  await expect(plan.getByText(/2 tokens for \d+ user/)).toBeVisible()
  expect(await plan.textContent()).not.toContain('tok-one-0')
  await page.getByRole('button', { name: 'Assign Tokens' }).click()
  await expectToast(page, 'Tokens assigned')
})

test('O8, O9, O10, O11: a sheet of a seller is imported by five presses @plain', async ({
  page,
  product,
  signInAt,
  withScripts,
}) => {
  await signInAt('/admin/users/import', { role: 'admin' })
  const phone = newPhone()
  const sheet = `Mobile No,Package,Remarks\n${phone},Business,pays late\n${phone}1,Premium,\n${phone}2,,`
  let presses = 0
  const press = async (name: string) => {
    presses += 1
    await page.getByRole('button', { name, exact: true }).click()
  }
  // A file that is chosen while the page hydrates is sent without the mark of scripts.
  const marks = page.locator('main [name=scripted]')
  if (withScripts) {
    await expect(marks).not.toHaveCount(0)
    await marks.evaluateAll((all) => all.forEach((mark) => mark.remove()))
  }
  // Two presses: the field, and the file in the dialog.
  presses += 2
  await page
    .getByLabel('Or choose a .xlsx')
    .setInputFiles({ name: 'sheet.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) })
  if (!withScripts) await press('Check')
  await expect(page.getByText('2 create · 1 fail')).toBeVisible()
  const first = page.getByRole('region', { name: 'Results' }).getByRole('listitem').first()
  await expect(first).toContainText('Plan: unknown')
  await press('Import')
  await expect(page.getByText('2 created · 1 failed')).toBeVisible()
  await expect(page.getByLabel('One user per line')).toHaveValue(
    `Mobile No,Package,Remarks\n${phone}1,Premium,`,
  )
  expect(presses).toBeLessThanOrEqual(5)
  const { rows } = await product.db.query(
    `select plan::text, password_hash is null as waits, note from users
     left join customer_cards on user_id = id where username = any($1) order by username`,
    [[phone, `${phone}2`]],
  )
  expect(rows).toEqual([
    { plan: 'Business', waits: true, note: 'pays late' },
    { plan: 'Starter', waits: true, note: null },
  ])
})

test('bulk changes: add days to matches and to a selection, with old and new values, and undo', async ({
  page,
  signIn,
  product,
  withScripts,
}) => {
  await signIn({ role: 'admin' })
  const names = [newPhone(), newPhone()]
  const end = new Date(Date.now() + 2 * 86_400_000)
  for (const username of names) {
    const user = await product.user({ plan: 'Starter', expiry_date: end })
    await product.db.query('update users set username = $2 where id = $1', [user.userId, username])
  }
  const common = names[0]?.slice(0, -1) ?? ''
  const daysLeft = async () => {
    const { rows } = await product.db.query<{ days: number }>(
      `select ceil(extract(epoch from expiry_date - now()) / 86400)::int as days from users
       where username = any($1) order by username`,
      [names],
    )
    return rows.map(({ days }) => days)
  }
  await page.goto(`/admin?search=${common}&filter=expiring`)
  await page.getByRole('link', { name: 'Select all found' }).click()
  await expect(page.getByText('Change all users found')).toBeVisible()
  await page.getByLabel('What', { exact: true }).selectOption('add-days')
  await page.getByLabel('Days', { exact: true }).fill('7')
  await page.getByRole('button', { name: 'Preview' }).first().click()
  await expect(page.getByRole('heading', { name: 'Add 7 days: 2 users' })).toBeVisible()
  expect(await daysLeft()).toEqual([2, 2])
  await page.getByRole('button', { name: 'Apply to 2 users' }).click()
  await expectToast(page, 'Users updated')
  expect(await daysLeft()).toEqual([9, 9])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Change undone')
  expect(await daysLeft()).toEqual([2, 2])

  // The bar stays in sight while users are ticked. With scripts it says how many.
  await page.goto('/admin')
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check()
  const bar = page.getByText(withScripts ? 'Change 1 user' : 'Change several users')
  await expect(bar).toBeInViewport()
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .uncheck()
  await expect(page.getByText('Change several users')).not.toBeInViewport()

  // One user is renewed in a dialog, which also records the payment.
  await find(page, names[0] ?? '')
  await page.getByRole('link', { name: `Renew ${names[0]}` }).click()
  await page.getByLabel('Cash').check()
  await page.getByRole('button', { name: 'Renew by 30 days' }).click()
  await expectToast(page, 'User renewed')
  expect(await daysLeft()).toEqual([32, 2])

  await page.goto(`/admin/activity?subject=${names[0]}`)
  await expect(page.getByText('renewed a user').last()).toBeVisible()
  await expect(page.getByText('undid a change').last()).toBeVisible()
})

test('P4, P14: ticks stay from page to page and after Cancel; who is unticked is left out', async ({
  page,
  product,
  signInAt,
  withScripts,
}) => {
  // No other test's users have numbers that start like these.
  const start = `0355${newPhone().slice(-5)}`
  await product.db.query(
    `insert into users (id, username, phone, plan, video_limit, speed_limit, video_generation_speed)
     select gen_random_uuid(), $1 || n, $1 || n, 'Starter', 20, 1, 90
     from generate_series(101, 130) as n`,
    [start],
  )
  const box = (n: number) => page.getByRole('checkbox', { name: `Select ${start}${n}` })
  const turn = (to: number) =>
    page.getByRole(withScripts ? 'link' : 'button', { name: `Page ${to}` }).click()
  await signInAt(`/admin?search=${start}&sort=username`, { role: 'admin' })
  // Scripts count the boxes from their hydration on.
  if (withScripts) await page.waitForLoadState('networkidle')
  await box(101).check()
  await turn(2)
  await expect(box(130)).toBeVisible()
  await box(130).check()
  await turn(1)
  await expect(box(101)).toBeChecked()
  await expect(box(102)).not.toBeChecked()
  await expect(page.getByText('Change 2 users')).toBeInViewport()
  if (withScripts) {
    // Going back shows the ticks as they were left.
    await page.goBack()
    await expect(box(130)).toBeChecked()
    await page.goForward()
    await expect(box(101)).toBeChecked()
  }
  await page.getByRole('button', { name: 'Preview' }).first().click()
  await expect(page.getByRole('heading', { name: 'Add 30 days: 0 users' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the users' }).click()
  await expect(box(101)).toBeChecked()
  await expect(page).toHaveURL(/sort=username/)

  await page.getByRole('link', { name: 'Select all found' }).click()
  await expect(box(103)).toBeChecked()
  await box(103).uncheck()
  await page.getByLabel('What', { exact: true }).selectOption('gift-quota')
  await page.getByRole('button', { name: 'Preview' }).first().click()
  await expect(page.getByRole('heading', { name: 'for today: 29 users' })).toBeVisible()
})

test('P14: Select none and Select all on page count after boxes were pressed by hand', async ({
  page,
  signInAt,
  product,
  withScripts,
}) => {
  const { username } = await product.user()
  const box = page.getByRole('checkbox', { name: `Select ${username}` })
  await signInAt(`/admin?search=${username}`, { role: 'admin' })
  // Scripts count the boxes from their hydration on.
  if (withScripts) await page.waitForLoadState('networkidle')
  await box.check()
  await page.getByRole('link', { name: 'Select none' }).click()
  await expect(box).not.toBeChecked()
  await page.getByRole('link', { name: 'Select all on page' }).click()
  await expect(box).toBeChecked()
  await box.uncheck()
  await page.getByRole('link', { name: 'Select all on page' }).click()
  await expect(box).toBeChecked()
  if (withScripts) await expect(page.getByText('Change 1 user')).toBeInViewport()
})

test('a session ends while an administrator types: nothing is changed, and with scripts nothing is lost', async ({
  page,
  context,
  product,
  signIn,
  withScripts,
}) => {
  const { username } = await signIn({ role: 'admin' })
  await page.goto('/admin/users/import')
  const list = page.getByLabel('One user per line')
  const lines = '03001112223|secret-1\n03001112224|secret-1'
  await list.fill(lines)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  if (!withScripts) {
    await expectToast(page, 'Your session has ended')
    await expect(page.getByText('Nothing was changed. Sign in, then try again.')).toBeVisible()
    return
  }
  await expect(page.getByText(/Sign in in another tab, then try again here/).first()).toBeVisible()
  await expect(list).toHaveValue(lines)
  // A new session has other form tokens.
  const tab = await context.newPage()
  await tab.goto('/login')
  await signInAgain(tab, username)
  await expect(tab).toHaveURL(/admin\/overview$/)
  await tab.close()
  const press = () => page.getByRole('button', { name: 'Import', exact: true }).click()
  await press()
  await expectToast(page, 'Nothing was changed')
  await expect(page.getByText('This form is out of date. Send it once more.').first()).toBeVisible()
  await expect(list).toHaveValue(lines)
  await press()
  await expect(page.getByText('Success', { exact: true })).toHaveCount(2)
  const { rowCount } = await product.db.query(
    `select 1 from users where username in ('03001112223', '03001112224')`,
  )
  expect(rowCount).toBe(2)
})

type PlanRow = { plan: string; numbers: number[] }

const planOf = async (product: Installation, username: string) => {
  const { rows } = await product.db.query<PlanRow>(
    `select plan, array[video_limit, speed_limit, video_generation_speed] as numbers
     from users where username = $1`,
    [username],
  )
  return rows[0]
}

test('A-PLAN-5: another plan brings its numbers, without a further press', async ({
  page,
  signInAt,
  withScripts,
  product,
}) => {
  await signInAt('/admin?dialog=create', { role: 'admin' })
  const box = dialog(page)
  await expect(box.getByText('Starter is 90 s')).toBeVisible()
  await box.getByLabel('Plan', { exact: true }).selectOption('Business')
  // The hint is about the plan with which the form opened.
  if (withScripts) await expect(box.getByText('Starter is 90 s')).toBeHidden()
  const phone = newPhone()
  await box.getByLabel('Phone number').fill(phone)
  await box.getByLabel('Password', { exact: true }).fill('secret7')
  await box.getByRole('button', { name: 'Create User' }).click()
  await expect(box.getByText('User Created Successfully!')).toBeVisible()
  expect(await planOf(product, phone)).toEqual({ plan: 'Business', numbers: [400, 5, 45] })
})

test('A-PLAN-5: a plan chosen before the scripts have loaded fills in its numbers with them @scripts', async ({
  page,
  signInBeforeScripts,
}) => {
  // Only with scripts: it is about scripts that load late.
  const load = await signInBeforeScripts('/admin?dialog=create', { role: 'admin' })
  const box = dialog(page)
  await box.getByLabel('Plan', { exact: true }).selectOption('Business')
  await load()
  await expect(box.getByLabel('Daily video limit')).toHaveValue('400')
  await expect(box.getByText('Starter is 90 s')).toBeHidden()
})

test('A-EDIT-1, X9: of two tabs with one user, the second is told of the first, and stores the plan and numbers that it shows', async ({
  page,
  context,
  signIn,
  product,
}) => {
  expectPageError('409')
  await signIn({ role: 'admin' })
  const { username } = await product.user({ plan: 'Starter', video_limit: 100, speed_limit: 5 })
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await find(tab, username)
    await tab.getByRole('link', { name: `Edit ${username}` }).click()
    await expect(dialog(tab).getByLabel('Plan', { exact: true })).toHaveValue('Starter')
  }
  for (const [tab, plan] of [
    [page, 'Professional'],
    [other, 'Business'],
  ] as const) {
    await dialog(tab).getByLabel('Plan', { exact: true }).selectOption(plan)
    await dialog(tab).getByRole('button', { name: 'Update User' }).click()
    if (tab === other) {
      await expect(dialog(tab).getByText('This was changed to “Professional”')).toBeVisible()
      await dialog(tab).getByRole('button', { name: 'Update User' }).click()
    }
    await expectToast(tab, 'User updated')
  }
  // Business has the speed limit that the second tab showed before. It is stored all the same.
  expect(await planOf(product, username)).toEqual({ plan: 'Business', numbers: [400, 5, 45] })
  await other.close()
})

test('A-EDIT-1: Use plan values keeps what was chosen, for this user only @no-scripts', async ({
  page,
  signIn,
  product,
}) => {
  // Only without scripts: with them the choice of a plan fills in its numbers.
  await signIn({ role: 'admin' })
  const [one, other] = [await product.user(), await product.user()]
  await page.goto('/admin')
  await page.getByRole('link', { name: `Edit ${one.username}` }).click()
  const box = dialog(page)
  await expect(box.getByRole('heading', { name: `Edit ${one.username}` })).toBeFocused()
  await box.getByLabel('Role').selectOption('Admin')
  await box.getByLabel('Plan', { exact: true }).selectOption('Enterprise')
  await box.getByLabel('Active Status').uncheck()
  await box.getByLabel('Renew from today').check()
  await box.getByLabel('Generate a new password').check()
  await box.getByLabel('Bearer token').fill('typed-token')
  await box.getByRole('button', { name: 'Use plan values' }).click()
  await expect(box.getByText('The numbers of Enterprise are filled in')).toBeVisible()
  await expect(box.getByText('Type the user’s token again.', { exact: true })).toBeVisible()
  await expect(box.getByLabel('Bearer token')).toHaveAccessibleDescription(
    /Type the user’s token again/,
  )
  await expect(box.getByLabel('Daily video limit')).toHaveValue('1000')
  await expect(box.getByLabel('Role')).toHaveValue('admin')
  await expect(box.getByLabel('Active Status')).not.toBeChecked()
  await expect(box.getByLabel('Renew from today')).toBeChecked()
  await expect(box.getByLabel('Generate a new password')).toBeChecked()
  await box.getByRole('link', { name: 'Close' }).click()
  await page.getByRole('link', { name: `Edit ${other.username}` }).click()
  await expect(box.getByLabel('Role')).toHaveValue('user')
})
