import { makeVideos } from '../support/videos'
import { expect, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'
import { card } from './support/ui'

test('three more like this are ordered from the video, and the gallery shows them @looks', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  const { userId } = await signIn()
  await makeVideos(product, userId, [{ prompt: 'A kite' }])
  await page.goto('/dashboard')
  await card(page, 'A kite').getByRole('link', { name: 'Play: A kite' }).click()
  await lookAt(page, { name: 'video', withScripts })
  const about = withScripts ? page.getByRole('dialog') : page.getByRole('main')
  await about.getByText('More', { exact: true }).click()
  await page.getByRole('link', { name: '3 More' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Make 3 more like this?' })
  await expect(dialog).toContainText('It uses 3 videos of today’s quota.')
  await lookAt(page, { name: 'question', withScripts })
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expectToast(page, '3 more videos started')
  await expect(dialog).toBeHidden()
  await page.goto('/dashboard')
  // What waits is no card: the strip of the three counts it.
  await expect(page.getByText(/ of 3 ready/)).toBeVisible()
})
