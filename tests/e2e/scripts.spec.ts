import { brotliCompressSync } from 'node:zlib'
import type { Response } from '@playwright/test'
import { expect, test } from './support/fixtures'

// Only with scripts: it measures them.

const MOST_FILES = 12
/** Notices a library that slips in. How soon a page is ready is measured by B7 of `npm run bench`. */
const MOST_BYTES = 128_200

test('the create screen loads at most 12 script files and 128.2 kB', async ({ page, signIn }) => {
  await signIn()
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body())
  })
  await page.goto('/app', { waitUntil: 'networkidle' })
  const weights = (await Promise.all(bodies)).map((body) => brotliCompressSync(body).length)
  expect(weights.length).toBeGreaterThan(0)
  expect(weights.length).toBeLessThanOrEqual(MOST_FILES)
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(MOST_BYTES)
})

/** A name in Conform that its minified scripts contain as well. */
const CONFORM = '__intent__'

test('only pages with forms load Conform', async ({ page, signIn }) => {
  await signIn({ role: 'admin' })
  for (const [path, hasForms] of [
    ['/app', false],
    ['/usage', false],
    ['/admin/activity', false],
    ['/account/password', true],
  ] as const) {
    const bodies: Promise<string>[] = []
    const note = (response: Response) => {
      if (response.request().resourceType() === 'script') bodies.push(response.text())
    }
    page.on('response', note)
    await page.goto(path, { waitUntil: 'networkidle' })
    page.off('response', note)
    const scripts = await Promise.all(bodies)
    expect(scripts.length).toBeGreaterThan(0)
    expect([path, scripts.some((text) => text.includes(CONFORM))]).toEqual([path, hasForms])
  }
})

test('no script refers to a source map', async ({ page, request, signInAt }) => {
  await signInAt('/app')
  const scripts = await page
    .locator('link[rel="modulepreload"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) {
    expect(await (await request.get(script)).text()).not.toContain('sourceMappingURL')
    expect((await request.get(`${script}.map`)).status()).toBe(404)
  }
})

test('every page of the menus opens without a document load', async ({ page, signIn }) => {
  await signIn({ role: 'admin' })
  for (const start of ['/app', '/admin']) {
    await page.goto(start, { waitUntil: 'networkidle' })
    const documents: string[] = []
    page.on('request', (asked) => {
      if (asked.isNavigationRequest()) documents.push(asked.url())
    })
    const menu = page.locator('#sidebar nav')
    const paths = await menu
      .locator('a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(paths.length).toBeGreaterThan(3)
    for (const path of paths) {
      const row = page.locator(`a[href="${path}"]`)
      const link = menu.locator(row)
      const fold = menu.locator('details:not([open])', { has: row }).locator('summary')
      if ((await fold.count()) > 0) await fold.click()
      await link.click()
      await expect(link).toHaveAttribute('aria-current', 'page')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    expect(documents).toEqual([])
  }
})
