import { call, openService } from './support/calls'
import { expect, expectPageError, test } from './support/fixtures'

// Only with scripts: a service worker and the number on an icon are scripts.

test.use({ serviceWorkers: 'allow' })

test('without a connection a page says so, keeps nothing, and gives way to the page that was wanted', async ({
  page,
  context,
  signIn,
}) => {
  expectPageError('net::ERR_INTERNET_DISCONNECTED', 'net::ERR_FAILED')
  await page.goto('/login')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await signIn()
  await page.goto('/app')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.setOffline(true)
  await page.goto('/usage')
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page.getByText('goes on without this page')).toBeVisible()
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  // It is a page of the wanted address, which comes by itself.
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Usage' })).toBeVisible({ timeout: 30_000 })
})

test('the title and the icon count a running batch, and the icon is clear afterwards', async ({
  page,
  product,
  signInToWait,
}) => {
  await page.addInitScript(() => {
    const shown: number[] = []
    const show = (left = 0) => {
      shown.push(left)
      document.documentElement.dataset.badge = `${left}`
      return Promise.resolve()
    }
    Object.assign(navigator, { setAppBadge: show, clearAppBadge: () => show() })
  })
  await signInToWait({ video_limit: 9, speed_limit: 1, video_generation_speed: 180 })
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts: ['First boat', 'Second boat', 'Third boat'],
  })
  const badge = (left: number) =>
    expect(page.locator('html')).toHaveAttribute('data-badge', `${left}`)
  await page.goto(`/batches/${batchId}`)
  await expect(page).toHaveTitle(/^\(0\/3\) Batch/)
  await badge(3)
  await openService(product)
  await expect(page).toHaveTitle(/^\(1\/3\) Batch/, { timeout: 30_000 })
  await badge(2)
  await page.goto('/app')
  await badge(2)
  await call(page, 'POST', `/api/batches/${batchId}/cancel`)
  await expect(page).toHaveTitle('Create · Reelmill')
  await badge(0)
})
