import { addClips } from '../support/film-clips'
import { checkPages } from './support/axe'
import { expect, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { pressTicked } from './support/ui'

const PROMPTS = ['A first swan', 'A second swan', 'A third swan']

test('U-JOIN-22: ticked clips are put in order, joined, played and downloaded @looks', async ({
  page,
  product,
  userId,
  withScripts,
}) => {
  await addClips(
    product,
    userId,
    PROMPTS.map((prompt) => ({ prompt })),
  )
  await page.goto('/dashboard')
  for (const prompt of PROMPTS) await page.getByLabel(`Select: ${prompt}`).check()
  await pressTicked(page, 'Join')
  await expect(page.getByText('3 clips · 0:03 ·')).toBeVisible()
  const rows = page.getByRole('listitem').filter({ hasText: 'swan' })
  await expect(rows).toHaveText(PROMPTS.map((prompt) => new RegExp(prompt)))
  await lookAt(page, { name: 'film-new', withScripts })
  await page.getByLabel('Name').fill('Three swans')
  await page.getByRole('button', { name: 'Move up: A third swan' }).click()
  await expect(rows).toHaveText([/first/, /third/, /second/])
  // As by hand: over WebDriver BiDi, `fill` writes behind the number that is there.
  const place = page.getByLabel('Place of A second swan')
  await place.press('ControlOrMeta+a')
  await place.press('1')
  await page.getByRole('button', { name: 'Apply the numbers' }).click()
  await expect(rows).toHaveText([/second/, /first/, /third/])
  await expect(page.getByLabel('Name')).toHaveValue('Three swans')
  await page.getByRole('button', { name: 'Join the clips' }).click()
  await expect(page.getByRole('heading', { name: 'Three swans' })).toBeVisible()
  const save = page.getByRole('link', { name: 'Download Three swans' })
  await expect(save).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('it is kept for an hour')).toBeVisible()
  const player = page.getByLabel('Video: Three swans')
  await expect(player).toBeVisible()
  const address = page.url()
  await lookAt(page, { name: 'film', withScripts })
  if (withScripts) {
    await checkPages(page, [address, '/films/new'])
    await page.goto(address)
    // Each clip of the film is decoded, not only the first.
    const seen = await player.evaluate(async (video: HTMLVideoElement) => {
      video.muted = true
      const seeked = () =>
        new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
      await video.play()
      video.pause()
      for (const at of [0.5, 1.5, 2.5]) {
        video.currentTime = at
        await seeked()
      }
      return {
        seconds: video.duration,
        width: video.videoWidth,
        error: video.error?.message ?? null,
      }
    })
    expect(seen).toEqual({ seconds: expect.closeTo(3, 1), width: 720, error: null })
  }
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(download.suggestedFilename()).toBe('three-swans.mp4')
})

test('U-JOIN-24: the page of a film says why it failed, and leads back to its clips', async ({
  page,
  product,
  userId,
}) => {
  const ids = await addClips(product, userId, [{ prompt: 'A tall swan' }, { ratio: 'landscape' }])
  // A clip that says it has the ratio of the other.
  await product.db.query(`update videos set aspect_ratio = 'portrait' where id = $1`, [ids[1]])
  await page.goto(`/films/joined?ids=${ids.join(',')}&name=Swans`)
  await expect(page.getByText('These clips were made with different settings')).toBeVisible()
  await page.getByRole('link', { name: 'Back to the order of the clips' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('Swans')
  await expect(page.getByRole('listitem').filter({ hasText: 'A tall swan' })).toBeVisible()
})

test('U-JOIN-7: clips of two aspect ratios are refused before anything starts @looks', async ({
  page,
  product,
  userId,
  withScripts,
}) => {
  await addClips(product, userId, [
    { prompt: 'A tall swan' },
    { prompt: 'A wide swan', ratio: 'landscape' },
  ])
  await page.goto('/dashboard')
  for (const prompt of ['A tall swan', 'A wide swan'])
    await page.getByLabel(`Select: ${prompt}`).check()
  await pressTicked(page, 'Join')
  await expect(page.getByText('Clips of 9:16 and of 16:9 cannot be joined.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Join the clips' })).toHaveCount(0)
  await lookAt(page, { name: 'film-refused', withScripts })
})
