import { checkPages, expectAccessible } from './support/axe'
import { call, cancelLatestBatch } from './support/calls'
import { expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { promptsBox, reviewBulk, unfold } from './support/ui'
import type { VideoPage } from '../support/videos'

const LIST = '1. A cat on a roof\n\n2. “A dog at sea”\n- A kite\nA plain one'
const TYPED = ['1. A cat on a roof', '2. “A dog at sea”', '- A kite', 'A plain one']
const CLEAN = ['A cat on a roof', 'A dog at sea', 'A kite', 'A plain one']

test('U-BULK-2: a pasted list is shown prompt by prompt, and cleaned only on request @looks', async ({
  page,
  openBulkToWait,
  withScripts,
}) => {
  await openBulkToWait({ video_limit: 20, speed_limit: 1, video_generation_speed: 90 })
  const box = promptsBox(page)
  await box.fill('A plain one\nAnother')
  const preview = page.getByRole('region', { name: 'Preview' })
  const lines = page
    .getByRole('region', { name: 'Prompts that will be made' })
    .getByRole('listitem')
  const seen = () => lines.allInnerTexts()
  await expect(preview).toHaveCount(0)
  await box.fill(LIST)
  await reviewBulk(page, withScripts)
  await expect(preview).toContainText('4 prompts will be made; 1 blank line left out')
  expect(await seen()).toEqual(TYPED)
  if (withScripts) await expectAccessible(page)
  const choice = page.getByRole('checkbox', { name: /^Remove numbers, bullets, quotes/ })
  await choice.check()
  expect(await seen()).toEqual(CLEAN)
  if (withScripts) await expect(box).toHaveValue(LIST)
  await page.getByRole('button', { name: 'Generate 4 Video(s)' }).click()
  await expect(page.getByText('Processing Bulk Generation...')).toBeVisible()
  const { videos } = await call<VideoPage>(page, 'GET', '/api/videos?limit=10')
  expect(videos.map(({ prompt }) => prompt).sort()).toEqual([...CLEAN].sort())
  await cancelLatestBatch(page)

  // Unticked, every line is used as typed.
  await page.goto('/app?tab=bulk')
  await box.fill(LIST)
  await reviewBulk(page, withScripts)
  await expect(preview).toBeVisible()
  if (withScripts) await checkPages(page, ['/app?tab=bulk'])
  await page.getByRole('button', { name: 'Generate 4 Video(s)' }).click()
  await expect(page.getByText('Processing Bulk Generation...')).toBeVisible()
  const all = await call<VideoPage>(page, 'GET', '/api/videos?limit=10')
  const later = all.videos.slice(0, 4).map(({ prompt }) => prompt)
  expect(later.sort()).toEqual([...TYPED].sort())
  await cancelLatestBatch(page)
})

test('the numbers of a list stay in one column beside texts of both directions', async ({
  page,
  signInAt,
  withScripts,
}) => {
  await signInAt('/app?tab=bulk')
  await promptsBox(page).fill('1. A cat\n\nمدينة في الليل')
  await reviewBulk(page, withScripts)
  const lines = page
    .getByRole('region', { name: 'Prompts that will be made' })
    .getByRole('listitem')
  await expect(lines).toHaveCount(2)
  const directionsOf = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).direction))
  // The number is on the side where its line begins.
  expect(await directionsOf('.list-preview li')).toEqual(['ltr', 'ltr'])
  expect(await directionsOf('.list-preview li p')).toEqual(['ltr', 'rtl'])
})

test('U-BULK-2: JSON lines are taken from a file, and a file that is too large is reported', async ({
  page,
  signInAt,
  withScripts,
}) => {
  await signInAt('/app?tab=bulk')
  const lines = '{"scene": "a boat"}\n{"scene": "a kite"}'
  const file = page.getByLabel('.jsonl or .csv file')
  const choose = (name: string, text: string) =>
    file.setInputFiles({ name, mimeType: 'application/jsonl', buffer: Buffer.from(text) })
  await choose('list.jsonl', lines)
  if (!withScripts) {
    await unfold(page, 'File')
    await page.getByRole('button', { name: 'Add the file' }).click()
  }
  await expect(page.getByRole('heading', { name: 'List of prompts' })).toBeVisible()
  await unfold(page, 'More')
  await page.getByRole('button', { name: 'Put all into the box, one per line' }).click()
  await expectToast(page, '2 prompts added')
  await expect(promptsBox(page)).toHaveValue(lines)
  if (!withScripts) return
  await choose('large.jsonl', 'x'.repeat(1_100_000))
  await expectToast(page, 'File not read')
  await expectToast(page, 'The file is larger than 900 kB')
  await expect(promptsBox(page)).toHaveValue(lines)
})

test('U-BULK-2: a file that is chosen before the scripts have loaded is read when they have @scripts', async ({
  page,
  signInBeforeScripts,
}) => {
  // Only with scripts: it is about scripts that load late.
  const loadScripts = await signInBeforeScripts('/app?tab=bulk')
  const buffer = Buffer.from('A boat\nA kite')
  await page
    .getByLabel('.jsonl or .csv file')
    .setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer })
  await loadScripts()
  await expect(page.getByRole('heading', { name: 'List of prompts' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Generate 2 Video(s)' })).toBeVisible()
})
