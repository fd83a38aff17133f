import { expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'

// The only clips of this suite that are really rendered, which takes long on a busy machine.
test.use({ clips: 'preview' })

for (const { ratio, width, height, tag } of [
  { ratio: 'Landscape 16:9', width: 1280, height: 720, tag: '' },
  { ratio: 'Portrait 9:16', width: 720, height: 1280, tag: ' @slow' },
])
  test(`W-PE-1: from a new account to a playing video, ${ratio}${tag}`, async ({
    page,
    withScripts,
  }) => {
    test.slow()
    await page.goto('/')
    await page.getByRole('link', { name: 'Create account' }).first().click()
    await page.getByLabel('Phone number').fill(`+92 301 ${Math.floor(1e6 + Math.random() * 8e6)}`)
    await page.getByLabel('Password').fill('secret-1')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expectToast(page, 'Account created!')

    await page.goto('/app')
    await page.getByLabel('Prompt', { exact: true }).fill('A lantern on a lake')
    await page.getByLabel(ratio).check()
    await page.getByRole('button', { name: 'Generate Video' }).click()
    await expectToast(page, 'Generation started')
    const video = page.locator('#status video')
    await expect(video).toBeVisible({ timeout: 300_000 })
    if (!withScripts) return
    const shown = await video.evaluate(async (element: HTMLVideoElement) => {
      element.muted = true
      await element.play()
      await new Promise((resolve) =>
        element.addEventListener('timeupdate', resolve, { once: true }),
      )
      return { width: element.videoWidth, height: element.videoHeight, seconds: element.duration }
    })
    expect(shown).toEqual({ width, height, seconds: 4 })
  })
