import { addClips } from '../support/film-clips'
import { checkPages } from './support/axe'
import { expect, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'

const PROMPTS = ['A first swan', 'A second swan', 'A third swan']

test('U-JOIN-22: ticked clips are put in order, joined, played, downloaded and deleted @looks', async ({
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
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(page.getByText('3 clips · 0:03 min')).toBeVisible()
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
  await expect(page.getByRole('heading', { name: 'Films' })).toBeVisible()
  await expectToast(page, 'The clips are being joined')
  const play = page.getByRole('link', { name: 'Play Three swans' })
  await expect(play).toBeVisible({ timeout: 60_000 })
  await lookAt(page, { name: 'films', withScripts })
  if (withScripts) await checkPages(page, ['/films', '/films/new'])
  await page.goto('/films')
  await play.click()
  const player = page.getByLabel('Video: Three swans')
  await expect(player).toBeVisible()
  const playerAddress = page.url()
  await lookAt(page, { name: 'film-play', withScripts })
  if (withScripts) {
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
  await page.goto('/films')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download Three swans' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('three-swans.mp4')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('link', { name: 'Delete Three swans' }).click()
  if (!withScripts) await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Film deleted')
  await expect(page.getByText('No films yet.')).toBeVisible()
  // As in another tab, which still lists the film.
  await page.goto(playerAddress)
  await expect(page.getByRole('heading', { name: 'This film was not found' })).toBeVisible()
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
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(page.getByText('Clips of 9:16 and of 16:9 cannot be joined.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Join the clips' })).toHaveCount(0)
  await lookAt(page, { name: 'film-refused', withScripts })
})
