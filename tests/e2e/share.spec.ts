import { addVideos } from '../support/ended-videos'
import { checkPages } from './support/axe'
import { expect, test } from './support/fixtures'
import { lookAt, overflowOf } from './support/looks'
import { expectToast } from './support/toasts'
import { card } from './support/ui'

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

test('issue 51.3: a press on a card and one more copy a link; the preview shares alike @looks', async ({
  page,
  context,
  product,
  userId,
  withScripts,
}) => {
  if (withScripts) await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const of = { userId, prompt: 'A kite', withFiles: true }
  const [id = ''] = await addVideos(product, { ...of, status: 'completed' })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Share: A kite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this video' })
  await expect(dialog).toBeVisible()
  if (withScripts) await checkPages(page, [page.url()])
  await lookAt(page, { name: 'share-dialog', withScripts })
  const listed = page.getByRole('link', { name: '/shared/' })
  if (!withScripts) {
    await dialog.getByRole('button', { name: 'Create a link' }).click()
    await expectToast(page, 'Link created')
    await expect(listed).toHaveCount(1)
    return
  }
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('/shared/')
  await expect(dialog.getByText(copied)).toBeVisible()
  // Pressed again, with the same choices, it is the same link; with others it is another one.
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await dialog.getByLabel('Show the prompt').check()
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect(dialog.getByText(copied)).toHaveCount(0)
  await page.goto(`/videos/${id}`)
  await expect(listed).toHaveCount(2)
  // The chat app gets the link, also from the preview.
  await context.route('https://wa.me/**', (route) => route.fulfill({ body: 'chat' }))
  await page.goto(`/dashboard?dialog=preview&on=${id}`)
  await page.getByRole('dialog').getByRole('link', { name: 'Share', exact: true }).click()
  const opened = context.waitForEvent('page')
  await dialog.getByRole('button', { name: 'WhatsApp' }).click()
  const chat = await opened
  await chat.waitForURL(/wa\.me/)
  expect(decodeURIComponent(chat.url())).toContain('/shared/')
})

test('issue 51.3: one ticked clip is shared by a link, several as a collection', async ({
  page,
  product,
  userId,
  withScripts,
}) => {
  const of = { userId, status: 'completed', withFiles: true } as const
  for (const prompt of ['A kite', 'A boat']) await addVideos(product, { ...of, prompt })
  await page.goto('/dashboard')
  const share = page
    .getByRole('group', { name: 'Selected videos' })
    .getByRole('button', { name: 'Share', exact: true })
  await card(page, 'A kite').getByRole('checkbox').check()
  if (withScripts) {
    await share.click()
    const dialog = page.getByRole('dialog', { name: 'Share this video' })
    await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await card(page, 'A boat').getByRole('checkbox').check()
  await share.click()
  await expect(page.getByText('Add 2 videos to a collection')).toBeVisible()
  await expect(page.getByText('One link shares a collection')).toBeVisible()
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
