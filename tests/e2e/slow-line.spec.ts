import { addVideos } from '../support/ended-videos'
import { makeVideos } from '../support/videos'
import { chromiumOnly, expect, test } from './support/fixtures'

test('on a slow line and a slow device the search box keeps what is typed @scripts', async ({
  page,
  product,
  userId,
}) => {
  // Only with scripts: without them nothing is written while somebody types.
  chromiumOnly('only Chromium can be slowed down')
  await makeVideos(product, userId, [{ prompt: 'A field of wheat' }])
  await addVideos(product, {
    userId,
    status: 'completed',
    n: 60,
    prompt: 'Wheat and a fox',
    withFiles: true,
  })
  await page.goto('/dashboard')
  const box = page.getByRole('search').getByLabel('Search your prompts', { exact: true })
  const tab = await page.context().newCDPSession(page)
  await tab.send('Network.enable')
  const [latency, bytes] = [400, 50_000]
  await tab.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bytes,
    uploadThroughput: bytes,
  })
  await tab.send('Emulation.setCPUThrottlingRate', { rate: 15 })
  await box.click()
  // With pauses longer than the quarter of a second after which the page asks: answers to the first
  // letters arrive, and are shown late, while the last are typed.
  await box.pressSequentially('wheat field', { delay: 320 })
  await expect(box).toHaveValue('wheat field')
  await expect(page).toHaveURL(/search=wheat\+field$/)
  await expect(page.getByRole('article')).toHaveText([/A field of wheat/])
  await expect(box).toHaveValue('wheat field')
  await expect(box).toBeFocused()
})
