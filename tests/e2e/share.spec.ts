import { addVideos } from '../support/ended-videos'
import { checkPages } from './support/axe'
import { expect, test } from './support/fixtures'
import { lookAt, overflowOf } from './support/looks'
import { expectToast } from './support/toasts'

test('issue 39.6: a clip is shared by a link and opened without an account @looks', async ({
  page,
  browser,
  product,
  userId,
  withScripts,
}) => {
  const of = { userId, prompt: 'A kite', withFiles: true }
  const [id = ''] = await addVideos(product, { ...of, status: 'completed' })
  await page.goto(`/videos/${id}`)
  await page.getByLabel('Show the prompt').check()
  await page.getByRole('button', { name: 'Create a link' }).click()
  await expectToast(page, 'Link created')
  if (withScripts) await checkPages(page, [page.url()])
  await lookAt(page, { name: 'share', withScripts })
  const address = await page.getByRole('link', { name: '/shared/' }).getAttribute('href')

  const stranger = await browser.newContext({ javaScriptEnabled: withScripts })
  const guest = await stranger.newPage()
  await guest.goto(new URL(address ?? '', page.url()).href)
  await expect(guest.getByText('A kite')).toBeVisible()
  await expect(guest.getByRole('link', { name: 'Download' })).toBeVisible()
  if (withScripts) await checkPages(guest, [guest.url()])
  await lookAt(guest, { name: 'shared', withScripts })
  // Its owner, who is signed in, has a longer link in the bar at the top.
  await page.setViewportSize({ width: 360, height: 720 })
  await page.goto(guest.url())
  expect(await overflowOf(page, 360)).toBeLessThanOrEqual(0)
  const name = page.getByRole('link', { name: /start page/ }).locator('span span')
  expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  await page.goto(`/videos/${id}`)
  await page.getByRole('button', { name: 'End this link' }).click()
  await expectToast(page, 'Link ended')
  expect((await guest.reload())?.status()).toBe(404)
  await expect(guest.getByRole('heading', { name: 'This link has ended' })).toBeVisible()
  await lookAt(guest, { name: 'link-ended', withScripts })
  await stranger.close()
})

test('a long prompt is folded on the page of its video', async ({ page, product, userId }) => {
  const prompt = `${'word '.repeat(1999)}end.`
  const of = { userId, prompt, withFiles: true }
  const [id = ''] = await addVideos(product, { ...of, status: 'completed' })
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto(`/videos/${id}`)
  const text = page.getByText(prompt.slice(0, 60)).first()
  const height = async () => (await text.boundingBox())?.height ?? 0
  expect(await height()).toBeLessThan(200)
  await page.getByText('Show the whole prompt').click()
  expect(await height()).toBeGreaterThan(1000)
  await page.getByText('Show less of the prompt').click()
  expect(await height()).toBeLessThan(200)
})
