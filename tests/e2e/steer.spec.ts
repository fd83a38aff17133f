import type { Page } from '@playwright/test'
import { makeVideos } from '../support/videos'
import { checkPages } from './support/axe'
import { call } from './support/calls'
import { expect, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'
import { promptsBox, reviewBulk } from './support/ui'

/** The button of an unsent prompt that opens what can be done with it. */
const menuOf = (page: Page, prompt: string) =>
  page.locator('summary').filter({ hasText: `Actions: ${prompt}` })

/** Presses an action of an unsent prompt, in its row's menu. */
async function pressOfRow(page: Page, name: string): Promise<void> {
  await menuOf(page, /prompt \d+/.exec(name)![0]).click()
  const action = page.getByRole('button', { name }).or(page.getByRole('link', { name }))
  await action.click()
}

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
  await expectToast(page, 'Batch paused')
  await expect(page.getByText('Paused until you resume it')).toBeVisible()
  await expect(page.getByText('Processing Bulk Generation...')).toBeHidden()
  await page.getByRole('link', { name: 'Change prompts that are not sent' }).click()
  const waiting = page.getByRole('region', { name: /^Not sent yet/ }).getByRole('listitem')
  const texts = () => waiting.locator('p').allTextContents()
  await expect(waiting).toHaveCount(4)
  if (withScripts) await checkPages(page, [page.url()])
  await lookAt(page, { name: 'batch-waiting', withScripts })

  await pressOfRow(page, 'Send prompt 4 earlier')
  await expectToast(page, 'Prompt 4 moved up')
  await expect.poll(texts).toEqual(['First boat', 'Second boat', 'Fourth boat', 'Third boat'])
  await pressOfRow(page, 'Remove prompt 2')
  await expect.poll(texts).toEqual(['First boat', 'Fourth boat', 'Third boat'])
  await pressOfRow(page, 'Edit prompt 3')
  const box = waiting.getByRole('textbox', { name: 'Prompt 3' })
  await expect(box).toHaveValue('Fourth boat')
  await expect(box).toBeInViewport()
  await lookAt(page, { name: 'batch-edit', withScripts })
  await box.fill('A better boat')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(texts).toEqual(['First boat', 'A better boat', 'Third boat'])
  await expect(page).toHaveURL(/#prompt-3$/)
  await expect(menuOf(page, 'prompt 3')).toBeInViewport()
  if (withScripts) await expect(menuOf(page, 'prompt 3')).toBeFocused()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expectToast(page, 'Batch resumed')
  await page.getByRole('button', { name: /^Cancel these \d prompts$/ }).click()
  await expect(page.getByText(/^\d prompts? cancelled$/).first()).toBeVisible()
})

test('issue 53.7: a removed prompt, and a batch that left the line, come back to their places @looks', async ({
  page,
  signInToWait,
  withScripts,
}) => {
  await signInToWait({ video_limit: 20, speed_limit: 1, video_generation_speed: 180 })
  const order = (prompts: string[]) =>
    call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', { prompts, queue: true })
  const { batchId } = await order(['First boat', 'Second boat', 'Third boat', 'Fourth boat'])
  await call(page, 'POST', `/api/batches/${batchId}/pause`)
  await page.goto(`/batches/${batchId}?unsent=shown`)
  const waiting = page.getByRole('region', { name: /^Not sent yet/ }).getByRole('listitem')
  const texts = () => waiting.locator('p').allTextContents()
  const undo = () => page.getByRole('button', { name: 'Undo' }).click()
  await pressOfRow(page, 'Remove prompt 2')
  // With scripts the message is gone after ten seconds.
  if (!withScripts) await lookAt(page, { name: 'prompt-removed', withScripts })
  await undo()
  await expectToast(page, 'Prompt 2 is back')
  await expect.poll(texts).toEqual(['First boat', 'Second boat', 'Third boat', 'Fourth boat'])

  await pressOfRow(page, 'Remove prompt 3')
  await expect.poll(texts).toEqual(['First boat', 'Second boat', 'Fourth boat'])
  await page.getByText('Show the prompts').click()
  await lookAt(page, { name: 'prompts-removed', withScripts })
  await page.getByRole('button', { name: 'Back to place 3' }).click()
  await expectToast(page, 'Prompt 3 is back')
  await expect.poll(texts).toEqual(['First boat', 'Second boat', 'Third boat', 'Fourth boat'])

  const line = [await order(['A kite']), await order(['A balloon'])]
  await page.goto('/batches')
  const first = page.getByRole('article').filter({ hasText: 'A kite' })
  await first.getByRole('button', { name: 'Cancel this batch' }).click()
  await expectToast(page, 'Batch cancelled')
  if (!withScripts) await lookAt(page, { name: 'batch-left-line', withScripts })
  await undo()
  await expectToast(page, 'Batch back in line')
  await expect(page.getByText('1 cancelled')).toHaveCount(0)
  await page.goto(`/batches/${line[0]?.batchId}`)
  await page.getByRole('button', { name: 'Cancel this batch' }).click()
  await expect(page.getByRole('button', { name: 'Back in line' })).toBeVisible()
  await lookAt(page, { name: 'batch-left-line-page', withScripts })
  await page.getByRole('button', { name: 'Back in line' }).click()
  await expectToast(page, 'Batch back in line')
  await expect(page.getByText('Its place is 1, with 1 prompt.', { exact: true })).toBeVisible()
})

test('issue 51.2, U-BATCH-5, U-BULK-11: among the videos a running batch is a strip, which is steered and whose prompts come back @looks', async ({
  page,
  product,
  signInToWait,
  withScripts,
}) => {
  await signInToWait({ video_limit: 200, speed_limit: 1, video_generation_speed: 180 })
  const prompts = Array.from(
    { length: 100 },
    (_, i) => `${i + 1} ${i === 99 ? 'w'.repeat(80) : 'boats'}`,
  )
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts,
  })
  const { rows } = await product.db.query<{ id: string }>(
    'select user_id as id from batches where id = $1',
    [batchId],
  )
  await makeVideos(
    product,
    rows[0]?.id ?? '',
    Array.from({ length: 14 }, () => ({ prompt: 'Wheat' })),
  )
  await page.goto('/dashboard')
  const strip = page.getByRole('listitem').filter({ hasText: 'of 100 ready' })
  await expect(strip).toContainText('0 of 100 ready, 100 to come')
  await expect(strip).toContainText('ready by about')
  await expect(page.getByRole('article')).toHaveText(Array.from({ length: 14 }, () => /Wheat/))
  await lookAt(page, { name: 'strip-running', withScripts })

  await strip.getByRole('button', { name: 'Pause' }).click()
  await expectToast(page, 'Batch paused')
  await expect(page).toHaveURL(/\/dashboard/)
  await expect(strip).toContainText('paused')
  await strip.getByRole('button', { name: 'Resume' }).click()
  await expectToast(page, 'Batch resumed')

  // One that is sent becomes a card, by the next poll.
  const move = (to: string) =>
    product.db.query(
      `update videos set status = $2::video_status where batch_id = $1 and batch_position = 100`,
      [batchId, to],
    )
  await page.mouse.move(0, 0)
  await move('generating')
  if (!withScripts) await page.reload()
  await expect(strip).toContainText('0 of 100 ready, 1 in progress, 99 to come')
  await expect(page.getByRole('article')).toHaveCount(15)
  await lookAt(page, { name: 'strip-sent', withScripts })
  await move('pending')

  await page.reload()
  await strip.getByRole('link', { name: /^Stop/ }).click()
  await page.getByRole('link', { name: 'Cancel', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard/)
  await strip.getByRole('link', { name: /^Stop/ }).click()
  await page.getByRole('button', { name: 'Stop All Process' }).click()
  await expectToast(page, 'Batch Cancelled ⛔')
  await expect(page).toHaveURL(/\/dashboard/)
  await expect(strip).toContainText('0 of 100 ready, 100 cancelled')
  await expect(page.getByRole('article')).toHaveCount(14)
  await expect(page.getByText('Showing 1-14 of 14 videos')).toBeVisible()
  // Where the prompts go is said before the press.
  await expect(strip).toContainText('They go into the box.')
  await expect(strip).toContainText('in place of one that is open')
  await lookAt(page, { name: 'strip-stopped', withScripts })
  await strip.getByRole('button', { name: 'Put 100 prompts back' }).click()
  await expect(promptsBox(page)).toHaveValue(prompts.join('\n'))
  await page.goto('/dashboard')
  await expect(strip).toHaveCount(0)
})

test('issue 51: the list of unsent prompts stays unfolded when the page reloads itself', async ({
  page,
  signInToWait,
  withScripts,
}) => {
  await signInToWait({ video_limit: 20, speed_limit: 1, video_generation_speed: 180 })
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts: ['First', 'Second', 'Third'],
  })
  await page.goto(`/batches/${batchId}`)
  const row = page.getByRole('listitem').filter({ hasText: 'Second' })
  const fold = page.locator('summary').filter({ hasText: 'Not sent yet' })
  await expect(row).toBeHidden()
  await page.getByRole('link', { name: /^\d not sent yet$/ }).click()
  await expect(row).toBeVisible()
  await page.reload()
  await expect(row).toBeVisible()
  // With scripts nothing reloads the page, and the fold is the browser's own.
  if (withScripts) await expect(fold.getByRole('link')).toHaveCount(0)
  await fold.click()
  await expect(row).toBeHidden()
  await fold.click()
  await expect(row).toBeVisible()
  if (withScripts) return
  await page.reload()
  await expect(row).toBeVisible()
})

test('issue 39.1: a second batch waits in line with its place and its start @looks', async ({
  page,
  signInToWait,
  withScripts,
}) => {
  await signInToWait({ video_limit: 20, speed_limit: 1, video_generation_speed: 180 })
  await call(page, 'POST', '/api/videos/bulk-generate', { prompts: ['First', 'Second'] })
  await page.goto('/app?tab=bulk')
  await promptsBox(page).fill('Third\nFourth')
  await lookAt(page, { name: 'line-choice', withScripts })
  await page.setViewportSize({ width: 375, height: 600 })
  await page.getByRole('button', { name: 'Add to the line' }).click()
  await expectToast(page, 'Added to the line')
  await expect(page.getByText(/^Next in line, starts about \d\d:\d\d/)).toBeVisible()
  // Its name is in sight, although the form before was far down its page.
  expect(await page.evaluate(() => scrollY)).toBe(0)
  // The rows are folded, below the videos; what leads to one opens them.
  await expect(page.getByRole('listitem').filter({ hasText: 'Third' })).toBeHidden()
  await page.getByRole('link', { name: '2 not sent yet' }).click()
  await pressOfRow(page, 'Remove prompt 2')
  await expect(
    page.getByRole('region', { name: /^Not sent yet/ }).getByRole('listitem'),
  ).toHaveText([/Third/])
  await lookAt(page, { name: 'line-batch', withScripts })
  await call(page, 'POST', '/api/videos/bulk-generate', { prompts: ['Fifth'], queue: true })
  await page.getByRole('link', { name: 'All batches' }).click()
  await expect(page.getByText('In line', { exact: true })).toHaveCount(2)
  await lookAt(page, { name: 'line-list', withScripts })
  await page.getByRole('button', { name: 'Move up in line' }).click()
  await expectToast(page, 'Moved up in line')
  await page.goto('/app?tab=bulk&batch=')
  const line = page.getByRole('list', { name: 'Batches in line' }).getByRole('listitem')
  await expect(line).toHaveText([/1 prompt.*Next in line, starts about/, /Place 2 in line/])
  await lookAt(page, { name: 'line-app', withScripts })
  await line
    .first()
    .getByRole('button', { name: /^Cancel Batch of/ })
    .click()
  await expectToast(page, 'Batch cancelled')
  await expect(line).toHaveText([/1 prompt.*Next in line, starts about/])
  await line.getByRole('link').click()
  await page.getByRole('button', { name: 'Cancel this batch' }).click()
  await expectToast(page, 'Batch cancelled')
  await page.getByRole('button', { name: 'Put 2 prompts back' }).click()
  await expect(promptsBox(page)).toHaveValue('Third\nFourth')
})

test('U-BULK-17: prompts that come back into the box join what is typed there, here and from another page @scripts', async ({
  page,
  openBulkToWait,
}) => {
  await openBulkToWait({ video_limit: 50, speed_limit: 1, video_generation_speed: 180 })
  await promptsBox(page).fill('One\nTwo\nThree')
  await page.getByRole('button', { name: 'Generate 3 Video(s)' }).click()
  await expect(page.getByRole('link', { name: 'Stop All Process' })).toBeVisible()
  await promptsBox(page).fill('Typed since')
  await page.goto('/batches')
  await page.getByRole('button', { name: 'Use these prompts again' }).click()
  await expect(promptsBox(page)).toHaveValue('Typed since\nOne\nTwo\nThree')

  await page.goto('/app?tab=bulk')
  await promptsBox(page).fill('')
  await page.getByRole('link', { name: 'Stop All Process' }).click()
  await page.getByRole('button', { name: 'Stop All Process' }).click()
  await expectToast(page, 'Batch Cancelled ⛔')
  await promptsBox(page).fill('My own idea')
  const putBack = page.getByRole('button', { name: /^Put \d prompts back/ }).first()
  const count = Number(/\d/.exec((await putBack.textContent()) ?? '')?.[0])
  await putBack.click()
  const back = ['One', 'Two', 'Three'].slice(-count)
  await expect(promptsBox(page)).toHaveValue(['My own idea', ...back].join('\n'))
})

test('issue 39.1: a batch goes on on the next days, says until when, and its prompts can be changed @looks', async ({
  page,
  product,
  openBulkToWait,
  withScripts,
}) => {
  await openBulkToWait({ video_limit: 2, speed_limit: 1, video_generation_speed: 180 })
  await promptsBox(page).fill('One\nTwo\nThree\nFour\nFive')
  await reviewBulk(page, withScripts)
  await lookAt(page, { name: 'over-days-choice', withScripts })
  const start = withScripts ? 'Generate 5 Video(s)' : 'Run 2 now, the rest on the next days'
  await page.getByRole('button', { name: start }).click()
  await expect(
    page
      .getByText(
        '2 videos queued. Processing 1 video(s) every 180 seconds. 3 wait for the next days.',
      )
      .first(),
  ).toBeVisible()
  const status = page.locator('#status')
  await expect(
    status.getByText(
      /3 prompts wait for the next days: the next 2 from \d\d:\d\d on .*, day 2 of 3/,
    ),
  ).toBeVisible()
  await lookAt(page, { name: 'over-days-running', withScripts })

  await status.getByRole('link', { name: 'Change prompts that are not sent' }).click()
  const waiting = page.getByRole('region', { name: /^Not sent yet/ }).getByRole('listitem')
  // The round may have taken the first one.
  const texts = async () =>
    (await waiting.locator('p').allTextContents()).filter((text) => text !== 'One')
  await expect(waiting.filter({ hasText: 'Tomorrow' })).toHaveCount(2)
  await expect(waiting.last().getByText(/^\d+ [A-Z][a-z]{2}$/)).toBeVisible()
  await lookAt(page, { name: 'over-days-batch', withScripts })
  await pressOfRow(page, 'Send prompt 3 earlier')
  await expect.poll(texts).toEqual(['Three', 'Two', 'Four', 'Five'])
  await pressOfRow(page, 'Edit prompt 5')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A better five')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Prompt 5 changed')
  await pressOfRow(page, 'Remove prompt 4')
  await expect.poll(texts).toEqual(['Three', 'Two', 'A better five'])
  await expect(waiting.filter({ hasText: 'Tomorrow' })).toHaveCount(2)

  await page.getByRole('link', { name: 'All batches' }).click()
  await expect(page.getByText(/2 prompts wait until .*, day 2 of 2/)).toBeVisible()
  await product.db.query(
    `update users set expiry_date = now() - interval '3 days'
     where id = (select user_id from batches order by created_at desc limit 1)`,
  )
  await page.reload()
  await expect(page.getByText('2 prompts wait until you renew your plan.')).toBeVisible()
  await lookAt(page, { name: 'over-days-list', withScripts })
})
