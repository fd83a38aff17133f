import type { Page } from '@playwright/test'
import { addVideos } from '../support/ended-videos'
import { call, closeService, leave, openService } from './support/calls'
import { expect, test } from './support/fixtures'
import { holdRequests, openTool, selectAllBox } from './support/ui'

const CONTROLS = 'a, button, input:not([type="hidden"]), select, textarea, summary'

/** Counts what can be pressed or filled in beside the menu, without the cards and the page numbers. */
const countControls = (page: Page) =>
  page.getByRole('main').evaluate((main, controls) => {
    const isShown = (one: Element) => one.checkVisibility({ visibilityProperty: true })
    const isOwn = (one: Element) => one.closest('.cards, nav[aria-label="Pages"]') === null
    return [...main.querySelectorAll(controls)].filter((one) => isShown(one) && isOwn(one)).length
  }, CONTROLS)

const DESKTOPS = [
  { width: 1280, height: 800 },
  { width: 1366, height: 768 },
]
const PHONE = { width: 375, height: 720 }

test('issue 51.1: with a library of clips the first ones are in view, below one row of few tools', async ({
  page,
  product,
  userId,
}) => {
  await addVideos(product, { userId, status: 'error', n: 3000 })
  for (const { path, y, controls } of [
    { path: '/app', y: 620, controls: { desktop: 24, phone: 12 } },
    { path: '/dashboard', y: 320, controls: { desktop: 14, phone: 8 } },
  ]) {
    for (const size of [...DESKTOPS, PHONE]) {
      await page.setViewportSize(size)
      await page.goto(path)
      const first = await page.getByRole('article').first().boundingBox()
      const row = await page.locator('.gallery-head').boundingBox()
      const where = `${path} at ${size.width}`
      expect(row?.height, where).toBe(44)
      if (size !== PHONE) expect(first?.y, where).toBeLessThanOrEqual(y)
      const most = size === PHONE ? controls.phone : controls.desktop
      expect(await countControls(page), where).toBeLessThanOrEqual(most)
    }
  }
  await expect(page.getByText('Showing 1-20 of 3,000 videos')).toBeVisible()
})

test('issue 51.1: while a batch runs the first clips are in view as well', async ({
  page,
  product,
  signIn,
}) => {
  const { userId } = await signIn({ video_limit: 200, speed_limit: 1, plan: 'Enterprise' })
  await addVideos(product, { userId, status: 'error', n: 30 })
  await closeService(product)
  const prompts = Array.from({ length: 100 }, (_, i) => `Boat ${i}`)
  await call(page, 'POST', '/api/videos/bulk-generate', { prompts })
  await call(page, 'POST', '/api/videos/bulk-generate', { prompts: ['Kite'], queue: true })
  for (const size of DESKTOPS) {
    await page.setViewportSize(size)
    await page.goto('/app')
    const first = await page.getByRole('article').first().boundingBox()
    expect(first?.y, `${size.width} px`).toBeLessThanOrEqual(620)
  }
  await openService(product)
})

test('issue 51: the filters of all videos fit into the window; on a phone they scroll in their sheet', async ({
  page,
  signIn,
  withScripts,
}) => {
  await signIn({ role: 'admin' })
  const sheet = page.locator('.tool[open] .tool-sheet')
  for (const size of [DESKTOPS[0] ?? PHONE, PHONE]) {
    await page.setViewportSize(size)
    await page.goto('/admin/videos')
    await openTool(page, 'Filters')
    if (!withScripts) await sheet.scrollIntoViewIfNeeded()
    const box = await sheet.boundingBox()
    expect(box?.height, `${size.width} px`).toBeLessThan(size.height)
    if (withScripts) await expect(sheet).toBeInViewport({ ratio: 0.99 })
    const hidden = await sheet.evaluate((one) => one.scrollHeight - one.clientHeight)
    if (size !== PHONE) expect(hidden).toBe(0)
    for (const name of ['To', 'Failed because']) {
      await sheet.getByLabel(name, { exact: true }).scrollIntoViewIfNeeded()
      await expect(sheet.getByLabel(name, { exact: true })).toBeInViewport({ ratio: 1 })
    }
  }
})

test('issue 51.1: up to 12 clips have one button above them, which leads to everything', async ({
  page,
  makeOwn,
}) => {
  await makeOwn(Array(12).fill({}))
  await page.goto('/dashboard')
  const tools = page.locator('.gallery-head summary, .gallery-head [role="search"]')
  await expect(tools).toHaveText(['More actions'])
  await openTool(page, 'More actions')
  for (const name of ['Status', 'Aspect ratio', 'Date'])
    await expect(page.getByRole('navigation', { name })).toBeVisible()
  await page.getByRole('link', { name: 'Last 7 days' }).click()
  await expect(page).toHaveURL(/days=7-days/)
  await expect(page.locator('summary').filter({ hasText: 'Filters (1)' })).toBeVisible()
})

test('issue 51.1: a sheet of tools is closed by Escape, by a press elsewhere and by a choice @scripts', async ({
  page,
  makeOwn,
}) => {
  await makeOwn(Array(13).fill({}))
  await page.goto('/dashboard')
  await expect(selectAllBox(page)).toBeAttached()
  const status = page.getByRole('navigation', { name: 'Status' })
  const filters = page.locator('summary').filter({ hasText: 'Filters' })
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('heading', { level: 1 }).click(),
    () => openTool(page, 'More actions'),
    () => status.getByRole('link', { name: /^Completed/ }).click(),
  ]) {
    await openTool(page, 'Filters')
    await expect(status).toBeVisible()
    await close()
    await expect(status).toBeHidden()
  }
  await expect(filters).toBeFocused()
  await expect(filters).toHaveText(/^Filters \(1\)/)
})

test('C16: while a page is being replaced its cards are inert @scripts', async ({
  page,
  product,
  userId,
}) => {
  await addVideos(product, { userId, status: 'error', n: 120 })
  await page.goto('/dashboard')
  await expect(selectAllBox(page)).toBeAttached()
  const cards = page.locator('.cards-room')
  const letGo = await holdRequests(page, /dashboard\?.*_data=/)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(cards).toHaveAttribute('inert', '')
  await page
    .getByRole('checkbox', { name: /^Select: / })
    .first()
    .click({ force: true, timeout: 1000 })
    .catch(() => undefined)
  letGo()
  await expect(page.getByText('Showing 51-100 of 120 videos')).toBeVisible()
  await expect(cards).not.toHaveAttribute('inert', '')
  await expect(page.getByRole('group', { name: 'Selected videos' })).toBeHidden()
  await leave(page)
})
