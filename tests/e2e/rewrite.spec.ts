import { expect, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'
import { promptsBox, startBulk, unfold } from './support/ui'

test.use({ texts: true })

test('U-WORD-1: rewritten prompts are looked through line by line, left, used, and sent @looks', async ({
  page,
  signInToWait,
  withScripts,
}) => {
  await signInToWait({ plan: 'Business', video_limit: 20 })
  await page.goto('/app?tab=bulk')
  const box = promptsBox(page)
  const ask = async (act: string) => {
    await unfold(page, 'Translate or improve')
    await page.getByRole('button', { name: act }).click()
    await expect(page.getByRole('heading', { name: act })).toBeVisible()
  }
  await box.fill('Ein Boot auf grünem Meer\nEin Häuschen')
  await ask('Translate to English')
  const rows = page.getByRole('checkbox', { name: 'Use the new words of Line' })
  await expect(rows).toHaveCount(2)
  await lookAt(page, { name: 'rewrite', withScripts })
  await page.getByRole('button', { name: 'Leave all as it was' }).click()
  await expectToast(page, 'Your prompts are as they were')
  await expect(box).toHaveValue('Ein Boot auf grünem Meer\nEin Häuschen')

  await ask('Translate to English')
  await rows.nth(1).uncheck()
  await page.getByRole('button', { name: 'Use the ticked' }).click()
  await expectToast(page, '1 prompt replaced')
  await expect(box).toHaveValue(/^In English: [0-9a-f]{16}\nEin Häuschen$/)
  await page.goto('/app/rewrite')
  await expectToast(page, 'There is nothing to look at')
  await page.goto('/app?tab=bulk')
  await startBulk(page, 2, withScripts)
  await expect(page.getByText('Processing Bulk Generation...')).toBeVisible()
})
