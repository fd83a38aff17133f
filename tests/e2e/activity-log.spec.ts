import { readFile } from 'node:fs/promises'
import { expect, test } from './support/fixtures'

const LOOKS = [
  [375, 'light'],
  [375, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const

test('the activity log is downloaded as its filters show it', async ({
  page,
  signIn,
  withScripts,
}) => {
  const { username } = await signIn({ role: 'admin' })
  await page.goto(`/admin/trail?actor=${username}`)
  const link = page.getByRole('link', { name: 'Download as CSV' })
  for (const [width, colorScheme] of LOOKS) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(link).toBeVisible()
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, `at ${width}`).toBeLessThanOrEqual(0)
    const folder = process.env.SCREENS_DIR
    const name = `trail-${width}-${colorScheme}-${withScripts ? 'js' : 'nojs'}.png`
    if (folder) await page.screenshot({ path: `${folder}/${name}` })
  }
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(file.suggestedFilename()).toMatch(/^activity-log-.*\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toContain(
    `${username},auth.register,registered`,
  )
})
