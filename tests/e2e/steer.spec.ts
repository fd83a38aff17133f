import { checkPages } from './support/axe'
import { call } from './support/calls'
import { expect, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { toast } from './support/ui'

test('issue 39.2: a batch is paused, its unsent prompts are changed, and it goes on @looks', async ({
  page,
  signInToWait,
  withScripts,
}) => {
  await signInToWait({ video_limit: 20, speed_limit: 1, video_generation_speed: 180 })
  const prompts = ['First boat', 'Second boat', 'Third boat', 'Fourth boat']
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts,
  })
  await page.goto(`/app?tab=bulk&batch=${batchId}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(toast(page, 'Batch paused')).toBeVisible()
  await expect(page.getByText('Paused until you resume it')).toBeVisible()
  await page.getByRole('link', { name: 'Change prompts that are not sent' }).click()
  const waiting = page.getByRole('region', { name: /^Not sent yet/ }).getByRole('listitem')
  const texts = () => waiting.locator('p').allTextContents()
  await expect(waiting).toHaveCount(4)
  if (withScripts) await checkPages(page, [page.url()])
  await lookAt(page, { name: 'batch-waiting', withScripts })

  await page.getByRole('button', { name: 'Send prompt 4 earlier' }).click()
  await expect(toast(page, 'Prompt sent earlier')).toBeVisible()
  await expect.poll(texts).toEqual(['First boat', 'Second boat', 'Fourth boat', 'Third boat'])
  await page.getByRole('button', { name: 'Remove prompt 2' }).click()
  await expect.poll(texts).toEqual(['First boat', 'Fourth boat', 'Third boat'])
  await page.getByRole('link', { name: 'Edit prompt 3' }).click()
  const box = page.getByRole('textbox', { name: 'Prompt' })
  await expect(box).toHaveValue('Fourth boat')
  await box.fill('A better boat')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(texts).toEqual(['First boat', 'A better boat', 'Third boat'])
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(toast(page, 'Batch resumed')).toBeVisible()
  await page.getByRole('button', { name: /^Cancel these \d prompts$/ }).click()
  await expect(page.getByText(/^\d prompts? cancelled$/).first()).toBeVisible()
})
