import type { Page } from '@playwright/test'
import { addVideos } from '../support/ended-videos'
import { makeVideos } from '../support/videos'
import { expect, expectPageError, test } from './support/fixtures'
import { openBeforeScripts } from './support/ui'

/** Every list with a search: its path, the label of the box, and the text without matches. */
const LISTS = [
  { path: '/app', box: 'Search your prompts', none: 'No videos match these filters.' },
  { path: '/dashboard', box: 'Search your prompts', none: 'No videos match these filters.' },
  { path: '/admin', box: 'Search', none: 'No users found' },
  { path: '/admin/users/trash', box: 'Username begins with', none: 'No deleted users match.' },
  { path: '/admin/videos', box: 'Search by username', none: 'No videos match these filters.' },
  {
    path: '/admin/videos/trash',
    box: 'Search by username',
    none: 'No deleted videos match.',
  },
  { path: '/admin/activity', box: 'Done by', none: 'No entries match these filters.' },
] as const

const searchBox = (page: Page, name: string) =>
  page.getByRole('search').getByLabel(name, { exact: true })

for (const { path, box: name, none } of LISTS) {
  test(`A-VID-3: ${path} is searched while typing, and by a button without scripts`, async ({
    page,
    product,
    signIn,
    withScripts,
  }) => {
    const { userId } = await signIn({ role: 'admin' })
    await addVideos(product, { userId, status: 'error', n: 12 })
    await makeVideos(product, userId, [{ prompt: 'A kite' }])
    if (withScripts) await page.clock.install()
    await page.goto('/usage')
    await page.goto(path)
    const box = searchBox(page, name)
    const button = page.getByRole('search').getByRole('button', { name: /^(Search|Apply)$/ })
    if (!withScripts) {
      await box.fill('nothing like this')
      await button.click()
      await expect(page.getByText(none).first()).toBeVisible()
      return
    }
    // The scripts have loaded.
    await expect(button).toHaveClass(/sr-only/)
    await box.scrollIntoViewIfNeeded()
    await box.click()
    const before = await page.evaluate(() => ({ steps: history.length, top: scrollY }))
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await box.pressSequentially('nothing like ')
    await page.clock.runFor(249)
    expect(new URL(page.url()).search).toBe('')
    await box.pressSequentially('this')
    await page.clock.runFor(249)
    expect(new URL(page.url()).search).toBe('')
    await page.clock.runFor(1)
    await page.clock.resume()
    await expect(page.getByText(none).first()).toBeVisible()
    await expect(page).toHaveURL(/=nothing\+like\+this/)
    await expect(box).toBeFocused()
    await expect(box).toHaveValue('nothing like this')
    const { most, ...after } = await page.evaluate(() => {
      const { scrollHeight, clientHeight } = document.documentElement
      return { steps: history.length, top: scrollY, most: scrollHeight - clientHeight }
    })
    // The page is shorter without matches, so its end can be above the old position.
    expect(after).toEqual({ ...before, top: Math.min(before.top, most) })
    await page.goBack()
    await expect(page).toHaveURL(/\/usage$/)
  })
}

test('Enter searches at once and keeps the position; text typed between two words is kept @scripts', async ({
  page,
  product,
  userId,
}) => {
  // Only with scripts: without them each search loads a page.
  expectPageError('404')
  await addVideos(product, { userId, status: 'completed', n: 12 })
  await makeVideos(product, userId, [{ prompt: 'A red kite' }, { prompt: 'A red boat' }])
  await page.setViewportSize({ width: 375, height: 480 })
  await page.goto('/app')
  const box = searchBox(page, 'Search your prompts')
  await box.scrollIntoViewIfNeeded()
  await box.click()
  const top = await page.evaluate(() => scrollY)
  expect(top).toBeGreaterThan(100)
  await box.pressSequentially('red ')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(box).toHaveValue('red ')
  await box.pressSequentially('kite')
  await box.press('Enter')
  await expect(page.getByRole('article')).toHaveText([/A red kite/])
  await expect(box).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(top)
})

test('what is typed before the scripts have loaded is searched when they have @scripts', async ({
  page,
  makeOwn,
}) => {
  // Only with scripts: without them the button searches.
  await makeOwn([{ prompt: 'A kite' }, ...Array.from({ length: 12 }, () => ({ prompt: 'A boat' }))])
  const letScriptsCome = await openBeforeScripts(page, '/dashboard')
  await searchBox(page, 'Search your prompts').fill('kite')
  await letScriptsCome()
  await expect(page.getByText('Showing 1-1 of 1 videos')).toBeVisible()
  await expect(page).toHaveURL(/search=kite/)
})

test('what is chosen before the scripts have loaded is applied when they have @scripts', async ({
  page,
  signInBeforeScripts,
}) => {
  // Only with scripts: without them the button applies it.
  const letScriptsCome = await signInBeforeScripts('/admin/activity', { role: 'admin' })
  const form = page.getByRole('search')
  await form.getByLabel('Action').selectOption({ index: 1 })
  await form.getByLabel('From').fill('2026-01-02')
  await letScriptsCome()
  await expect(page).toHaveURL(/action=[^&]+.*from=2026-01-02/)
})
