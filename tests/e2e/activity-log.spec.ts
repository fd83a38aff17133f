import { readFile } from 'node:fs/promises'
import { expect, test } from './support/fixtures'
import { lookAt } from './support/looks'

test('the activity log is downloaded with its filters @looks', async ({
  page,
  signIn,
  withScripts,
}) => {
  const { username } = await signIn({ role: 'admin' })
  await page.goto(`/admin/activity?actor=${username}`)
  const link = page.getByRole('link', { name: 'Download as CSV' })
  await expect(link).toBeVisible()
  await lookAt(page, { name: 'activity-log', withScripts })
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(file.suggestedFilename()).toMatch(/^activity-log-.*\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toContain(
    `${username},auth.register,registered`,
  )
})
