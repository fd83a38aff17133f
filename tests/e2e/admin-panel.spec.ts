import { addVideos } from '../support/ended-videos'
import { makeVideos } from '../support/videos'
import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { card, openTool, pressMany, selectAll } from './support/ui'

test('A-VID-1, A-VID-2, A-VID-3, A-VID-7, A-VID-15, A-VID-16: all users’ videos are found, deleted and restored', async ({
  page,
  product,
  signInAt,
  withScripts,
}) => {
  expectPageError('400')
  const user = await product.user()
  await addVideos(product, { userId: user.userId, status: 'completed', n: 25, withFiles: true })
  await addVideos(product, { userId: user.userId, status: 'error', n: 2, aspectRatio: 'landscape' })
  await signInAt(`/admin/videos?search=${user.username}`, { role: 'admin' })
  await expect(page.getByText('Showing 1-12 of 27 videos')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(12)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('Showing 13-24 of 27 videos')).toBeVisible()
  await page.getByRole('link', { name: 'Page 3' }).click()
  await expect(page.getByText('Showing 25-27 of 27 videos')).toBeVisible()

  // A selection: all videos of a page, not all there are.
  if (withScripts) {
    await selectAll(page, 'Select all on page')
    await expect(page.getByText('3 selected')).toBeVisible()
    await page.getByRole('button', { name: 'Clear Selection' }).click()
    await expect(page.getByText('3 selected')).toBeHidden()
  }

  // The text of Delete All depends on the status filter.
  await page.goto('/admin/videos?status=error')
  await pressMany(page, 'Delete All Failed')
  const question = page.getByRole('alertdialog', { name: 'Delete all FAILED videos?' })
  const number = question.getByLabel(/^Type [\d,]+ to continue$/)
  await number.fill('999999')
  await question.getByRole('button', { name: 'Delete all FAILED' }).click()
  await expect(question.getByText('Nothing was deleted.')).toBeVisible()
  await expect(number).toHaveValue('999999')
  const label = await question.getByText(/^Type [\d,]+ to continue$/).innerText()
  await number.fill(/[\d,]+/.exec(label)?.[0] ?? '')
  await question.getByRole('button', { name: 'Delete all FAILED' }).click()
  await expectToast(page, 'Videos deleted')
  await page.goto(`/admin/videos?search=${user.username}&status=error`)
  await expect(page.getByText('No videos', { exact: true })).toBeVisible()

  await page.goto(`/admin/videos/trash?search=${user.username}`)
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Restore Selected' }).click()
  await expectToast(page, 'Videos restored')
  await page.goto(`/admin/videos?search=${user.username}&status=error`)
  await expect(page.getByText('Showing 1-1 of 1 videos')).toBeVisible()

  // The filters are in a sheet, whose button says how many are set.
  const owners = page.getByLabel('User', { exact: true })
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 780 })
    await page.goto('/admin/videos?status=error')
    await expect(owners).toBeHidden()
    await expect(page.getByRole('searchbox')).toBeVisible()
    await expect(page.getByText('Filters (1)')).toBeVisible()
    await openTool(page, 'Filters')
    await expect(owners).toBeVisible()
  }
})

test('A-VID-8: on a phone the actions for ticked videos appear with the first one', async ({
  page,
  product,
  signIn,
}) => {
  const user = await product.user()
  await addVideos(product, { userId: user.userId, status: 'completed', n: 2, withFiles: true })
  await signIn({ role: 'admin' })
  await page.setViewportSize({ width: 375, height: 780 })
  await page.goto(`/admin/videos?search=${user.username}`)
  const regenerate = page.getByRole('button', { name: 'Regenerate Selected' })
  await expect(regenerate).toBeHidden()
  await page
    .getByRole('checkbox', { name: /^Select: / })
    .first()
    .check()
  await expect(regenerate).toBeInViewport()
})

test('A-VID-14: the ticked videos are regenerated after a question', async ({
  page,
  product,
  signIn,
  closeService,
}) => {
  const { userId, username } = await signIn({ role: 'admin' })
  await closeService()
  const [made] = await makeVideos(product, userId, [{ prompt: 'A kite' }, { prompt: 'A boat' }])
  const own = `/admin/videos?search=${username}`
  await page.goto(own)
  const button = page.getByRole('button', { name: 'Regenerate Selected' })
  await page.goto(`${own}&dialog=regenerate-selected`)
  await expect(page.getByText('Select the videos to regenerate first.')).toBeVisible()
  await page.goto(own)
  await card(page, 'A kite').getByRole('checkbox').check()
  await button.click()
  const question = page.getByRole('alertdialog', { name: 'Regenerate 1 video?' })
  await question.getByRole('button', { name: 'Regenerate', exact: true }).click()
  await expectToast(page, 'Regeneration started')
  const { rows } = await product.db.query(
    `select id from videos where user_id = $1 and status <> 'completed'`,
    [userId],
  )
  expect(rows).toEqual([{ id: made?.id }])
})

test('A-POOL-3: tokens in bulk ask for the password once, and keep what was typed', async ({
  page,
  product,
  signIn,
}) => {
  // The call of the first line, and the page that asks.
  expectPageError('403')
  await product.db.query('delete from credentials where not is_default')
  const { userId } = await signIn({ role: 'admin' })
  await page.goto('/admin/tokens')
  await product.db.query(
    `update sessions set created_at = now() - interval '20 minutes', confirmed_at = null
     where user_id = $1`,
    [userId],
  )
  const lines = [1, 2, 3].map((n) => `late-token-${Date.now()}-${n}`)
  await page.getByLabel('Tokens, one per line').fill(lines.join('\n'))
  await page.getByRole('button', { name: 'Add All Tokens' }).click()
  await page.getByLabel('Your password').fill('secret-1')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('link', { name: /^Remove token/ })).toHaveCount(3)
  await product.db.query('delete from credentials where not is_default')
})

test('A-POOL-1, A-POOL-2, A-POOL-3, A-POOL-5: tokens are added one by one and in bulk, and removed', async ({
  page,
  product,
  signInAt,
}) => {
  // A blank token, and two that are already in the pool.
  expectPageError('400 (Bad Request)', '409 (Conflict)')
  // The tests that follow need the platform's own.
  await product.db.query('delete from credentials where not is_default')
  await signInAt('/admin/tokens', { role: 'admin' })
  const name = `panel-token-${Date.now()}`
  await page.getByRole('button', { name: 'Add Token', exact: true }).click()
  await expect(page.getByText('Please enter a token.').first()).toBeVisible()
  await page.getByLabel('Token', { exact: true }).fill(`  ${name}-1  `)
  await page.getByRole('button', { name: 'Add Token', exact: true }).click()
  await expectToast(page, 'Token added')

  const lines = [2, 3, 4].map((n) => `${name}-${n}`)
  await page
    .getByLabel('Tokens, one per line')
    .fill([...lines, `${name}-1`, `${name}-2`].join('\n'))
  await page.getByRole('button', { name: 'Add All Tokens' }).click()
  await expect(page.getByText(/3 added, 2 failed/).first()).toBeVisible()
  await expect(page.getByRole('link', { name: /^Remove token/ })).toHaveCount(4)

  await page.getByRole('link', { name: 'Remove token 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expectToast(page, 'Token removed')
  await page.getByRole('link', { name: 'Delete All' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete All' }).click()
  await expectToast(page, 'Tokens deleted')
  await expect(page.getByText(/The pool is empty/)).toBeVisible()
})
