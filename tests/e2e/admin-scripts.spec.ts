import type { Page } from '@playwright/test'
import { addVideos } from '../support/ended-videos'
import { leave, watchCalls } from './support/calls'
import { chromiumOnly, expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { holdRequests, pressMany, selectAll, unfold } from './support/ui'

// What only scripts do for administrators: polls, copies, downloads, labels during a request, and
// messages without a response. Everything else is tested without a browser in tests/http/admin-*.

const STATS = '**/api/admin/stats/online'
const asked = (page: Page, part: string | RegExp) => {
  const times: number[] = []
  page.on('request', (request) => {
    if (request.url().search(part) >= 0) times.push(Date.now())
  })
  return times
}

test('A-LIVE-3, A-LIVE-4, A-USER-6, A-CONST-1: live cards update every ten seconds and disappear without a response', async ({
  page,
  signIn,
}) => {
  expectPageError('net::ERR_FAILED')
  await signIn({ role: 'admin' })
  const calls = await watchCalls(page)
  const polls = asked(page, '/api/admin/stats/online')
  await page.goto('/admin')
  const card = page.getByText('Online Users', { exact: false }).first()
  await expect(card).toBeVisible()
  await unfold(page, 'Import users')
  await expect(page.getByRole('button', { name: 'Load Example' })).toBeVisible()
  // The page's clock runs by itself and is also moved forward.
  for (let i = 1; i <= 3; i++) {
    await page.clock.runFor(10_000)
    await expect.poll(() => polls.length).toBeGreaterThanOrEqual(i)
  }
  for (const gap of await calls.gaps('/api/admin/stats/online'))
    expect(Math.round(gap / 100)).toBe(100)
  await page.route(STATS, (route) => route.abort())
  await page.clock.runFor(10_000)
  await expect(card).toBeHidden()
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
  await page.unroute(STATS)

  // A slow list shows that it is loading.
  const letGo = await holdRequests(page, '**/admin?*_data=*')
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('nobody-at-all')
  await search.press('Enter')
  await expect(page.getByText('Loading...')).toBeVisible()
  letGo()
  await expect(page.getByText('No users found')).toBeVisible()
})

test('A-USER-6: what a user types and selects while a list loads is kept', async ({
  page,
  signIn,
}) => {
  await signIn({ role: 'admin' })
  const hold = () => holdRequests(page, '**/admin*?*_data=*')
  await page.goto('/admin')
  await page
    .getByRole('button', { name: 'Load Example', includeHidden: true })
    .waitFor({ state: 'attached' })
  const search = page.getByRole('searchbox', { name: 'Search' })
  let letGo = await hold()
  await page.getByLabel('Role', { exact: true }).selectOption('editor')
  // With keys, because React does not notice what Playwright fills in over WebDriver BiDi.
  await search.pressSequentially('half a na')
  letGo()
  await expect(page).toHaveURL(/role=editor/)
  await expect(page.getByText('Loading...')).toBeHidden()
  await expect(search).toHaveValue('half a na')
  await expect(search).toBeFocused()
  // The filters follow the address: without a query the list is unfiltered again.
  await expect(page).toHaveURL(/search=half\+a\+na/)
  await page.getByRole('link', { name: 'User Management' }).first().click()
  await expect(page.getByLabel('Role', { exact: true })).toHaveValue('all')
  await expect(search).toHaveValue('')

  await unfold(page, 'Running')
  await page.getByRole('link', { name: 'Activity log' }).click()
  await expect(page.getByRole('heading', { name: 'Activity log', level: 1 })).toBeVisible()
  letGo = await hold()
  const what = page.getByLabel('Action', { exact: true })
  await page.getByLabel('Done by').fill('nobody')
  await page.getByLabel('Done by').press('Enter')
  await what.selectOption('user.create')
  letGo()
  await expect(page.getByText('No entries match these filters.')).toBeVisible()
  await expect(what).toHaveValue('user.create')
  await expect(page).toHaveURL(/actor=nobody.*action=user.create/)
})

test('A-LIVE-4: only administrators’ pages request the online statistics', async ({
  page,
  signIn,
}) => {
  await signIn({ role: 'editor' })
  await page.clock.install()
  const polls = asked(page, '/api/admin/')
  await page.goto('/app')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.clock.runFor(60_000)
  await page.goto('/dashboard')
  await page.clock.runFor(60_000)
  expect(polls).toEqual([])
})

test('A-CREATED-2, A-EDIT-4, A-OK-1, A-ERR-1: copies, labels while sending, messages without a response @slow', async ({
  page,
  product,
  signIn,
  allowClipboard,
  saved,
}) => {
  expectPageError('net::ERR_FAILED', '502', '400')
  await allowClipboard()
  await signIn({ role: 'admin' })
  await page.clock.install()
  const phone = `0366${String(Date.now()).slice(-8)}`
  await page.goto('/admin?dialog=quick')
  const box = page.locator('dialog')
  await page
    .getByRole('button', { name: 'Load Example', includeHidden: true })
    .waitFor({ state: 'attached' })
  // The refused field gets the focus, because in a long dialog it may be out of sight.
  await box.getByRole('button', { name: 'Quick Create' }).click()
  await expect(box.getByText('Please enter a phone number')).toBeVisible()
  await expect(box.getByLabel('Phone number')).toBeFocused()
  await box.getByLabel('Phone number').fill(phone)

  // The connection fails, then a proxy responds: the form keeps what was typed.
  const form = '**/admin?*_data=*'
  await page.route(form, (route) => route.abort())
  await box.getByRole('button', { name: 'Quick Create' }).click()
  await expectToast(page, 'Failed to create user')
  await page.clock.runFor(6000)
  // On a phone the dialog covers the toast, which is gone by now.
  await expect(box.getByText('Failed to create user')).toBeInViewport()
  await expect(page.getByText('Request failed').first()).toBeVisible()
  await page.unroute(form)
  await page.route(form, (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
  await box.getByRole('button', { name: 'Quick Create' }).click()
  await expect(page.getByText('An error occurred').first()).toBeVisible()
  await expect(box.getByLabel('Phone number')).toHaveValue(phone)
  await page.unroute(form)
  await box.getByRole('button', { name: 'Quick Create' }).click()
  await expect(box.getByText('User Created Successfully!')).toBeVisible()

  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const password = (await box.locator('dd').nth(1).textContent()) ?? ''
  for (const [name, value] of [
    ['username', phone],
    ['password', password],
    ['phone', phone],
    ['role', 'user'],
    ['plan', 'Starter'],
  ] as const) {
    await box.getByRole('button', { name: `Copy ${name}`, exact: true }).click()
    await expect.poll(clipboard).toBe(value)
  }
  await expectToast(page, 'Copied')
  // Two seconds are short on a slow machine, so from here the test moves the clock.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  await box.getByRole('button', { name: 'Copy All' }).click()
  await expect(box.getByRole('button', { name: 'Copy All: copied' })).toBeVisible()
  const lines = (await clipboard()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([`Username: ${phone}`, `Password: ${password}`, 'Plan: Starter']),
  )
  expect(lines).toHaveLength(await box.locator('dt').count())
  await page.clock.runFor(1_900)
  await expect(box.getByRole('button', { name: 'Copy All: copied' })).toBeVisible()
  await page.clock.runFor(200)
  await expect(box.getByRole('button', { name: 'Copy All', exact: true })).toBeVisible()
  await page.clock.resume()

  // While the edit is being sent, its button shows that.
  const { rows } = await product.db.query<{ id: string }>(
    'select id from users where username = $1',
    [phone],
  )
  await page.goto(`/admin?dialog=edit&on=${rows[0]?.id}`)
  await page
    .getByRole('button', { name: 'Load Example', includeHidden: true })
    .waitFor({ state: 'attached' })
  const letGo = await holdRequests(page, form, 'POST')
  await box.getByRole('button', { name: 'Update User' }).click()
  await expect(box.getByRole('button', { name: 'Updating...' })).toBeDisabled()
  letGo()
  await expectToast(page, 'User updated')
  await page.unroute(form)

  // The panels keep their text too.
  await page.goto('/admin')
  await unfold(page, 'Import users')
  await page.getByRole('button', { name: 'Load Example' }).click()
  await page.route('**/admin/users/import?*', (route) => route.abort())
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectToast(page, 'Bulk Import Failed')
  await expect(page.getByLabel('One user per line')).toHaveValue(/923001234567/)

  const all = page.getByRole('link', { name: 'Download All Data' })
  await saved(/^users-\d{4}-\d\d-\d\d\.txt$/, () => all.click())
  await expectToast(page, 'Download successful')

  // Select all of the page, then all matches.
  const boxes = page.getByRole('checkbox', { name: /^Select 0/ })
  await page.getByRole('link', { name: 'Select all on page' }).click()
  for (const one of await boxes.all()) await expect(one).toBeChecked()
  await page.getByRole('link', { name: 'Select all found' }).click()
  await expect(page.getByText('Change all users found')).toBeVisible()
  await page.getByRole('link', { name: 'Select none' }).click()
  await expect(boxes.first()).not.toBeChecked()
})

test('A-VID-8, A-VID-9, A-VID-11, A-VID-17, A-VID-18, A-ERR-2, A-CONST-1: another user’s videos are played, saved and polled @slow', async ({
  page,
  product,
  signIn,
  context,
}) => {
  chromiumOnly('the tab that plays a clip never counts as opened in Firefox')
  test.slow()
  expectPageError('500', 'net::')
  const user = await product.user()
  const ids = await addVideos(product, {
    userId: user.userId,
    status: 'completed',
    n: 3,
    withFiles: true,
  })
  await signIn({ role: 'admin' })
  const polls = asked(page, /\/api\/videos\?scope=all&limit=1/)
  const files = asked(page, /\/download$/)
  await page.goto(`/admin/videos?search=${user.username}`)
  const all = page.getByLabel('Select all on page')
  await expect(all).toBeAttached()

  // A failed download among the selected ones is skipped, with half a second between two downloads.
  const broken = `**/api/videos/${ids[1]}/download`
  await page.route(broken, (route) => route.fulfill({ status: 500, body: '' }))
  await selectAll(page, 'Select all on page')
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Download Selected' }).click()
  await expect(page.getByText('Successfully downloaded 2 of 3 videos').first()).toBeVisible()
  await expectToast(page, 'Download successful')
  expect(files).toHaveLength(3)
  const gaps = files.slice(1).map((at, i) => at - (files[i] ?? 0))
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(490)
  await page.getByRole('button', { name: 'Clear Selection' }).click()
  await expect(page.getByText('3 selected')).toBeHidden()
  for (const box of await page.getByRole('checkbox').all()) await expect(box).not.toBeChecked()

  // All matches of the filter, then all videos.
  files.length = 0
  await pressMany(page, 'Download Filtered')
  await page.getByRole('button', { name: 'One by one: Those that match the filters' }).click()
  await expect.poll(() => files.length).toBe(3)
  await expect(page.getByText('Successfully downloaded 2 of 3 videos').first()).toBeVisible()

  // A video that cannot be saved opens in a new tab, with instructions.
  const beside = context.waitForEvent('page')
  const card = page.locator('article').nth(1)
  await card.hover()
  await card.getByRole('link', { name: /^Download/ }).click()
  await expectToast(page, 'Download failed')
  await expect(
    page.getByText('Could not download video. Right-click video to save manually').first(),
  ).toBeVisible()
  const tab = await beside
  expect(tab.url()).toMatch(new RegExp(`/media/${ids[1]}\\.mp4$|about:blank|^chrome-error:|^$`))
  await tab.close()
  await page.unroute(broken)

  await page.locator('article').first().hover()
  await page.locator('article').first().getByRole('link', { name: /^Play/ }).click()
  const preview = page.getByRole('dialog', { name: 'Video Preview' })
  await expect(preview.locator('video')).toBeVisible()
  await preview.getByRole('link', { name: 'Close' }).click()
  await expect(preview).toBeHidden()
  page.once('dialog', (question) => void question.accept())
  await page.locator('article').first().hover()
  await page
    .locator('article')
    .first()
    .getByRole('link', { name: /^Delete/ })
    .click()
  await expectToast(page, 'Video deleted')
  await expect(page.locator('article')).toHaveCount(2)

  // The page polls every five seconds while a video of any user is in progress, and not otherwise.
  await leave(page)
  await product.db.query(`delete from videos where status in ('pending', 'generating')`)
  await page.clock.install()
  await page.goto('/admin/videos')
  await expect(all).toBeAttached()
  polls.length = 0
  await page.clock.runFor(30_000)
  expect(polls).toEqual([])
  // Its rounds are three minutes apart, so a video waits for as long as this takes.
  await product.db.query(
    'update users set video_limit = 9, speed_limit = 1, video_generation_speed = 180 where id = $1',
    [user.userId],
  )
  const made = await user.post<{ batchId: string }>('/api/videos/bulk-generate', {
    prompts: ['one', 'two', 'three'],
  })
  expect(made.status).toBe(201)
  await page.goto('/admin/videos?status=pending')
  await expect(page.locator('article').first()).toBeVisible()
  polls.length = 0
  await page.clock.runFor(5_100)
  await expect.poll(() => polls.length).toBeGreaterThanOrEqual(1)
  await user.post(`/api/batches/${made.body.batchId}/cancel`)
})
