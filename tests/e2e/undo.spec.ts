import { addVideos } from '../support/ended-videos'
import { expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { card, pressAndConfirm, pressMany } from './support/ui'

test('U-DEL-1, U-DL-3: a deletion is undone, or restored later; a run of downloads is stopped', async ({
  page,
  product,
  userId,
  makeOwn,
  withScripts,
}) => {
  await addVideos(product, {
    userId,
    status: 'completed',
    n: 30,
    prompt: 'A boat',
    withFiles: true,
  })
  await makeOwn([{ prompt: 'A kite' }])
  await page.goto('/dashboard?search=kite')
  await pressAndConfirm(page, { prompt: 'A kite', name: 'Delete', withScripts })
  await expectToast(page, 'Video deleted')
  await expect(card(page, 'A kite')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Video restored')
  await page.goto('/dashboard?search=kite')
  await expect(card(page, 'A kite')).toBeVisible()
  await pressAndConfirm(page, { prompt: 'A kite', name: 'Delete', withScripts })
  await expect(card(page, 'A kite')).toHaveCount(0)
  await page.goto('/videos/deleted')
  await expect(page.getByRole('heading', { name: 'Recently deleted' })).toBeVisible()
  await page.getByLabel('Select: A kite').check()
  await page.getByRole('button', { name: 'Restore Selected' }).click()
  await expectToast(page, 'Video restored')
  await page.goto('/dashboard?search=kite')
  await expect(card(page, 'A kite')).toBeVisible()
  if (!withScripts) return

  await page.goto('/app')
  await pressMany(page, 'Download All')
  await expect(page.getByText(/^31 videos, \d+ kB$/)).toBeVisible()
  await page.getByRole('button', { name: 'One by one: All videos' }).click()
  await expect(page.getByText(/^\d of 31$/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expectToast(page, 'Download stopped')
  await expect(page.getByText(/^Successfully downloaded \d of 31 videos$/).first()).toBeVisible()
})

test('an idle page hears of another device when it gets the focus @scripts', async ({
  page,
  makeOwn,
}) => {
  // Only with scripts: without them the page is loaded again.
  await makeOwn([{ prompt: 'A boat' }])
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(card(page, 'A boat')).toBeVisible()
  await makeOwn([{ prompt: 'A kite' }])
  // The scripts of a busy machine may not listen yet: the focus comes again until they do.
  await expect(async () => {
    await page.clock.runFor(5000)
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(card(page, 'A kite')).toBeVisible({ timeout: 1000 })
  }).toPass()
})
