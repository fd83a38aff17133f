import { expect, expectPageError, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { call, leave, openService, setHidden, watchCalls } from './support/calls'
import { expectToast, noteToasts } from './support/toasts'
import {
  promptBox,
  promptsBox,
  reviewBulk,
  signInAgain,
  startBulk,
  tabTo,
  unfold,
} from './support/ui'

test('U-BULK-3, U-BULK-8, U-BULK-9, U-BATCH-5: a batch from its file to its receipt to Stop @plain', async ({
  page,
  signIn,
  withScripts,
}) => {
  await signIn({ video_limit: 20, speed_limit: 1, video_generation_speed: 90 })
  await page.goto('/app?tab=bulk')
  if (withScripts) {
    await expect(page.getByRole('button', { name: 'Generate 0 Video(s)' })).toBeDisabled()
    await promptsBox(page).fill(
      Array.from({ length: 12 }, (_, i) => (i % 6 === 5 ? ' ' : 'x')).join('\n'),
    )
    await expect(page.getByText('10 prompts', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Generate 10 Video(s)' })).toBeEnabled()
  }
  await promptsBox(page).fill('A lantern on a lake')
  if (withScripts) await expect(page.getByText('1 prompt', { exact: true })).toBeVisible()
  await page.getByLabel('.csv file').setInputFiles({
    name: 'more.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('prompt\n"Fog, slowly rising"\n{"scene": 1}'),
  })
  if (!withScripts) {
    await unfold(page, 'File')
    await page.getByRole('button', { name: 'Add the file' }).click()
  }
  await expect(page.getByRole('heading', { name: 'List of prompts' })).toBeVisible()
  await unfold(page, 'More')
  await page.getByRole('button', { name: 'Put all into the box, one per line' }).click()
  await expectToast(page, '2 prompts added')
  await expect(promptsBox(page)).toHaveValue(
    'A lantern on a lake\nFog, slowly rising\n{"scene": 1}',
  )

  await startBulk(page, 3, withScripts)
  await expectToast(page, 'Bulk Generation Started! 🚀')
  await expect(
    page.getByText('3 videos queued. Processing 1 video(s) every 90 seconds.').first(),
  ).toBeVisible()
  await expect(page.getByText('Processing Bulk Generation...')).toBeVisible()
  await expect(page.getByText(/Next round in \d+ s/)).toBeVisible()
  if (withScripts) {
    await expect(promptsBox(page)).toHaveValue('')
    await promptsBox(page).fill('the next one')
    await expect(page.getByRole('button', { name: 'Generate 1 Video(s)' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Add to the line' })).toBeEnabled()
  } else await expect(page.getByRole('textbox')).toHaveCount(0)
  await page.getByRole('link', { name: 'Stop All Process' }).click()
  await page.getByRole('button', { name: 'Stop All Process' }).click()
  await expectToast(page, 'Batch Cancelled ⛔')
  await expect(page.getByText('Bulk Generation Cancelled')).toBeVisible()
  // On a busy machine the worker had not yet sent the first one.
  await expect(page.getByText(/[23] videos: cancelled before they were started/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Stop All Process' })).toBeHidden()
})

test('U-QUOTA-4: a batch that is too large is refused as a whole; the part that fits runs, the rest is kept @looks', async ({
  page,
  openBulkToWait,
  withScripts,
}) => {
  await openBulkToWait({ video_limit: 2, speed_limit: 1, video_generation_speed: 90 })
  await promptsBox(page).fill('first\nsecond\nthird')
  await reviewBulk(page, withScripts)
  const question = 'You have 2 videos remaining today; 3 requested'
  if (withScripts) {
    // What does not fit is chosen beside the button, which says what it starts.
    await expect(page.getByText('3 videos · 2 today, 1 on the next days')).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Generate 3 Video(s)' })).toBeInViewport()
    await page.getByLabel(question).selectOption('Only 2, keep 1 in the box')
    await expect(page.getByText('2 videos · 2 of 2 today')).toBeInViewport()
    await lookAt(page, { name: 'run-part', withScripts })
    await page.getByRole('button', { name: 'Generate 2 Video(s)' }).click()
  } else {
    await expect(page.getByRole('group', { name: question })).toBeVisible()
    const hold = page.getByRole('button', { name: 'Run 2 now, hold the rest' })
    await expect(hold).toHaveAccessibleDescription(
      'The other prompt stays in the box, to run after the reset.',
    )
    await lookAt(page, { name: 'run-part', withScripts })
    await hold.click()
  }
  await expectToast(page, 'Bulk Generation Started! 🚀')
  await expect(page.locator('#status').getByText(/of 2 done/)).toBeVisible()
  if (!withScripts) {
    // The page reloads itself to show progress, so it contains no input that could be lost.
    for (const role of ['textbox', 'searchbox', 'checkbox'] as const)
      await expect(page.locator('main').getByRole(role)).toHaveCount(0)
    await page.getByRole('link', { name: 'Write many prompts' }).click()
  }
  await expect(promptsBox(page)).toHaveValue('third')
})

test('issue 51.4, U-QUOTA-4, U-BULK-10: what no longer fits today is asked about, and nothing says that it failed @scripts', async ({
  page,
  openBulkToWait,
}) => {
  // Browsers log the status of a refusal.
  expectPageError('429')
  await openBulkToWait({ video_limit: 3 })
  await promptsBox(page).fill('first\nsecond\nthird')
  const start = page.getByRole('button', { name: 'Generate 3 Video(s)' })
  await expect(start).toBeEnabled()
  // Another window takes one of today's.
  await call(page, 'POST', '/api/videos/generate', { prompt: 'elsewhere' })
  await start.click()
  const choice = page.getByLabel('You have 2 videos remaining today; 3 requested')
  await expect(choice).toBeFocused()
  await expect(choice).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Bulk Generation Failed')).toHaveCount(0)
  await expect(choice.locator('option')).toHaveText([
    '2 now, 1 on the next days',
    'Only 2, keep 1 in the box',
    'Only 2, remove the other 1',
  ])
  await expect(start).toBeInViewport({ ratio: 1 })
  await start.click()
  await expectToast(page, 'Bulk Generation Started! 🚀')
  await expect(page.getByText('1 waits for the next days.').first()).toBeVisible()
})

test('issue 51.4, U-BULK-1, U-BULK-4: the box comes first, then one row of what can be added, and the start is in view @plain', async ({
  page,
  signIn,
  withScripts,
}) => {
  await signIn()
  for (const [width, height] of [
    [1280, 800],
    [360, 720],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/app?tab=bulk')
    const topOf = async (text: string) =>
      (await page.locator('.fold-row').getByText(text, { exact: true }).boundingBox())?.y ?? NaN
    const tops = await Promise.all(['File', 'Negative Prompt (optional)', '{a|b}'].map(topOf))
    expect(new Set(tops).size, `${width} px: ${tops.join()}`).toBe(1)
    const box = await promptsBox(page).boundingBox()
    expect(tops[0]).toBeGreaterThan((box?.y ?? NaN) + (box?.height ?? NaN))
    const start = withScripts ? 'Generate 0 Video(s)' : 'Continue'
    await expect(page.getByRole('button', { name: start })).toBeInViewport({ ratio: 1 })
    await page.getByText('{a|b}', { exact: true }).click()
    await expect(page.getByText('A {red|blue} boat is two prompts')).toBeVisible()
  }
})

test('issue 51.4, U-BULK-3, U-BULK-7: a pasted table says how many prompts it has, and nothing is red that its list solves @scripts', async ({
  page,
  openBulkToWait,
}) => {
  await openBulkToWait({ video_limit: 200 })
  const rows = Array.from({ length: 103 }, (_, i) => `${i + 1}\tA boat on lake ${i + 1}`)
  await promptsBox(page).fill(['No\tPrompt', ...rows].join('\n'))
  await expect(page.getByText('A table with 103 prompts: look at it first')).toBeInViewport()
  await expect(page.locator('#promptLines-count')).toHaveText('103 prompts')
  await expect(page.locator('.composer .text-bad')).toHaveCount(0)
  await expect(promptsBox(page)).not.toHaveAttribute('aria-invalid')
  // The same many lines are too many for one batch.
  await promptsBox(page).fill(rows.join('\n').replaceAll('\t', ' '))
  await expect(page.getByText('Maximum 100 prompts allowed at once')).toBeVisible()
  await expect(page.getByText('100 fit in one batch: the list keeps the other 3.')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Continue to the list' })).toBeInViewport()
  await promptsBox(page).fill('A {red|blue} boat')
  await expect(page.getByText('1 row: look at it first')).toBeVisible()
})

test('a session ends while a user types: signing in restores the text', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  // Browsers log the status of the page that asks to sign in again.
  expectPageError('401')
  const { userId, username } = await signIn()
  const forms = [
    {
      tab: 'bulk',
      field: promptsBox(page),
      typed: 'not to be lost\nnor this',
      button: withScripts ? 'Generate 2 Video(s)' : 'Continue',
    },
    { tab: 'text', field: promptBox(page), typed: 'one thought', button: 'Generate Video' },
  ]
  for (const { tab, field, typed, button } of forms) {
    await page.goto(`/app?tab=${tab}`)
    await field.fill(typed)
    await product.db.query('delete from sessions where user_id = $1', [userId])
    await page.getByRole('button', { name: button }).click()
    await signInAgain(page, username)
    await expect(field).toHaveValue(typed)
  }
})

test('U-LAYOUT-10: an example replaces what was typed, and Undo brings it back', async ({
  page,
  signIn,
  withScripts,
}) => {
  await signIn()
  await page.goto('/app')
  await promptBox(page).fill('my own words')
  const example = page.getByRole('list', { name: 'Example prompts' }).getByRole('link').first()
  const text = (await example.getAttribute('title')) ?? ''
  await example.click()
  await expect(promptBox(page)).toHaveValue(text)
  if (withScripts) await page.keyboard.press('ControlOrMeta+z')
  else await page.goBack()
  await expect(promptBox(page)).toHaveValue('my own words')
})

test('U-STAT-1, U-STAT-6, U-LAYOUT-9: one video by keyboard only, followed to its end', async ({
  page,
  product,
  makeOwn,
  closeService,
  withScripts,
}) => {
  // A new account begins in the box.
  await makeOwn([{ prompt: 'A kite' }])
  await closeService()
  await page.goto('/app')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('tab', { name: 'Text to Video' }))
  if (withScripts) {
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('tab', { name: 'Bulk Generator' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Generate Video' })).toBeDisabled()
  }
  await tabTo(page, promptBox(page))
  await page.keyboard.type('Lantern 🏮, ok')
  if (withScripts) await expect(page.locator('#prompt-count')).toHaveText(/^13/)
  await page.keyboard.press('Backspace')
  if (withScripts) await expect(page.locator('#prompt-count')).toHaveText(/^12/)
  await tabTo(page, page.getByText('Negative Prompt (optional)'))
  await page.keyboard.press('Enter')
  await tabTo(page, page.locator('#negativePrompt'))
  await page.keyboard.type('text')
  await tabTo(page, page.getByRole('radio', { name: 'Portrait 9:16' }))
  await page.keyboard.press('ArrowRight')
  await tabTo(page, page.getByRole('button', { name: 'Generate Video' }))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Generation started')
  if (withScripts) await expect(page.getByRole('button', { name: 'Add to the line' })).toBeFocused()
  await expect(page.getByText('Your video will appear here')).toBeVisible()
  if (withScripts) await expect(page.getByText(/Refreshing in [123]s/)).toBeVisible()
  await openService(product)
  await expect(page.locator('#status video')).toBeVisible({ timeout: 30_000 })
  if (withScripts) {
    await expectToast(page, 'Video ready!')
    await expect(page.getByRole('dialog', { name: 'Video Preview' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await tabTo(page, page.getByRole('link', { name: 'Download Video' }))
})

test('U-T2V-5: the press itself empties the box for the next prompt, and says that it is sent @scripts', async ({
  page,
  signInToWait,
}) => {
  await signInToWait()
  await page.goto('/app')
  await promptBox(page).fill('A lantern on a lake')
  const generate = page.getByRole('button', { name: 'Generate Video' })
  await expect(generate).toBeEnabled()
  // Nothing else can run in the page between the press and the look.
  const after = await generate.evaluate((button: HTMLButtonElement) => {
    button.click()
    const box = document.querySelector<HTMLTextAreaElement>('textarea[name=prompt]')
    return { text: box?.value, button: button.textContent }
  })
  expect(after).toEqual({ text: '', button: 'Starting…' })
  await promptBox(page).pressSequentially('Fog')
  await expect(page.locator('#status').getByText('A lantern on a lake')).toBeVisible()
  await expect(promptBox(page)).toHaveValue('Fog')
})

test('U-DL-1: the finished video is saved under its name', async ({
  page,
  product,
  saved,
  signInToWait,
  withScripts,
}) => {
  await signInToWait()
  await page.goto('/app')
  await promptBox(page).fill('Fog over a forest')
  await page.getByRole('button', { name: 'Generate Video' }).click()
  await expect(page.locator('#status').getByText('Fog over a forest')).toBeVisible()
  await openService(product)
  // With scripts the finished video opens in a dialog, which makes the page inert.
  const place = withScripts ? page.getByRole('dialog') : page.locator('#status')
  const link = place.getByRole('link', { name: 'Download Video' })
  await expect(link).toBeVisible({ timeout: 300_000 })
  await saved(/^0001_fog-over-a-forest\.mp4$/, () => link.click())
})

test('U-CONST-2, U-STAT-5, U-STAT-8, U-BATCH-7: polled every 3 s and 5 s, not while hidden, not after the end @scripts', async ({
  page,
  product,
  signInToWait,
}) => {
  // Only with scripts: only scripts poll.
  // The followed video is deleted elsewhere at the end.
  expectPageError('404')
  await signInToWait()
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts: ['a'],
  })
  const { id } = await call<{ id: string }>(page, 'POST', '/api/videos/generate', { prompt: 'b' })
  const log = await watchCalls(page)
  await page.goto('/app')
  const badge = page.getByText(/Refreshing in \ds/)
  await expect(badge).toBeVisible()
  await expect(page.getByText('The video service cannot be reached')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  await log.settled()

  const shown: string[] = []
  const second = async () => {
    await page.clock.runFor(1000)
    await log.settled()
    shown.push((await badge.textContent()) ?? '')
  }
  const polls = ['/api/batches', `/api/videos/${id}/status`, '/api/videos/changes'] as const
  await log.clear()
  for (let i = 0; i < 16; i++) await second()
  const [batches, status, list] = await Promise.all(polls.map((path) => log.gaps(path)))
  expect(new Set(batches)).toEqual(new Set([3000]))
  expect(new Set(status)).toEqual(new Set([3000]))
  expect(new Set(list)).toEqual(new Set([5000]))
  expect(await log.others(polls)).toEqual([])
  const from = shown.indexOf('Refreshing in 3s')
  expect(shown.slice(from, from + 7).map((text) => Number(/\d/.exec(text)?.[0]))).toEqual([
    3, 2, 1, 3, 2, 1, 3,
  ])

  // The next response reports the reason of a delay.
  await product.db.query(`update provider_gates set reason = 'token'`)
  for (let i = 0; i < 3; i++) await second()
  await expect(page.getByText('All access to the video service is in use')).toBeVisible()
  await expect(page.getByText('The video service cannot be reached')).toBeHidden()

  await setHidden(page, true)
  await log.clear()
  for (let i = 0; i < 10; i++) await second()
  expect(await log.others([])).toEqual([])
  await setHidden(page, false)
  await expect.poll(() => log.others([])).toContain('/api/batches')

  await call(page, 'POST', `/api/batches/${batchId}/cancel`)
  await call(page, 'DELETE', `/api/videos/${id}`)
  for (let i = 0; i < 6; i++) await page.clock.runFor(1000).then(() => log.settled())
  await expect(page.getByText('Bulk Generation Cancelled')).toBeVisible()
  await expect(page.getByText('on hold')).toBeHidden()
  await log.settled()
  await log.clear()
  for (let i = 0; i < 10; i++) await page.clock.runFor(1000).then(() => log.settled())
  expect(await log.others([])).toEqual([])
})

test('U-STAT-7: the reason of a failure @scripts', async ({ page, product, signInToWait }) => {
  // Only with scripts: only scripts poll.
  await signInToWait()
  const { id } = await call<{ id: string }>(page, 'POST', '/api/videos/generate', { prompt: 'b' })
  const set = (status: string, reason: string | null) =>
    product.db.query(
      `update videos set status = $2::video_status, error_message = $3,
         error_code = case $2 when 'error' then 'policy' end where id = $1`,
      [id, status, reason],
    )
  for (const errorMessage of ['The prompt was refused.', null]) {
    await page.goto('/app')
    await expect(page.getByText(/Refreshing in \ds/)).toBeVisible()
    await set('error', errorMessage)
    await expectToast(page, 'Generation failed')
    await expect(page.getByText(errorMessage ?? 'An error occurred').first()).toBeVisible()
    await set('pending', null)
  }
  await leave(page)
  await call(page, 'DELETE', `/api/videos/${id}`)
})

test('U-STAT-7: Change the prompt fills in a refused prompt of any length, and how it was to be made', async ({
  page,
  makeOwn,
}) => {
  const prompt = 'नदी के ऊपर एक लाल पतंग। '.repeat(400).trim()
  const [video] = await makeOwn([
    {
      prompt,
      status: 'error',
      error_code: 'policy',
      negative_prompt: 'fog',
      aspect_ratio: 'landscape',
    },
  ])
  // A failed comparison would print the prompt hundreds of times.
  const isFilledIn = async () => (await promptBox(page).inputValue()) === prompt
  await page.goto(`/app?watch=${video?.id}`)
  await page.getByRole('link', { name: 'Change the prompt' }).click()
  await expect.poll(isFilledIn).toBe(true)
  await expect(page.getByLabel('Negative prompt')).toHaveValue('fog')
  await expect(page.getByLabel('Landscape 16:9')).toBeChecked()
  await promptBox(page).fill('A kite')
  await page.goBack()
  await page.getByRole('link', { name: 'Change the prompt' }).click()
  await expect.poll(isFilledIn).toBe(true)
})

test('an interrupted connection is shown beside the work, and no longer than it lasts @scripts @slow', async ({
  page,
  signInToWait,
}) => {
  // Only with scripts: without them the browser shows its own page.
  expectPageError('net::ERR_FAILED')
  await signInToWait()
  const { id } = await call<{ id: string }>(page, 'POST', '/api/videos/generate', { prompt: 'b' })
  await page.goto('/app')
  const status = page.locator('#status')
  const note = status.getByText('You’re offline.')
  const alert = page.getByRole('alert').getByText('Failed to fetch videos')
  // From then on a response says only that nothing has changed.
  await page.waitForResponse(/api\/videos\/changes/)
  await page.route('**/api/videos/**', (route) => route.abort())
  await expect(alert).toBeVisible()
  await expect(note).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await expect(alert).toBeHidden()
  await expect(note).toBeHidden()
  await leave(page)
  await call(page, 'DELETE', `/api/videos/${id}`)
})

test('a link pressed without a connection says so, and the page stays @scripts', async ({
  page,
  context,
  signIn,
}) => {
  // Only with scripts: without them the browser shows its own page.
  expectPageError('net::ERR_INTERNET_DISCONNECTED')
  await signIn()
  await page.goto('/app', { waitUntil: 'networkidle' })
  await promptBox(page).fill('half a thought')
  await context.setOffline(true)
  const links = [
    page.getByRole('tab', { name: 'Bulk Generator' }),
    page.getByRole('link', { name: 'My Videos' }),
    page.getByRole('link', { name: 'View usage' }),
  ]
  for (const link of links) {
    await link.click()
    await expectToast(page, 'You’re offline.')
    await expect(promptBox(page)).toHaveValue('half a thought')
  }
  await context.setOffline(false)
  await links[0]?.click()
  await expect(promptsBox(page)).toBeVisible()
})

test('typed text survives a closed tab and a change of tabs @scripts', async ({
  context,
  page,
  signIn,
}) => {
  // Only with scripts: the copy is stored by scripts.
  await signIn()
  await page.goto('/app')
  await promptBox(page).fill('half a thought')
  await page.getByRole('tab', { name: 'Bulk Generator' }).click()
  await promptsBox(page).fill('one\ntwo')
  await page.getByLabel('Landscape 16:9').check()
  await page.close()
  const again = await context.newPage()
  await again.goto('/app?tab=bulk')
  await expect(promptsBox(again)).toHaveValue('one\ntwo')
  await expect(again.getByLabel('Landscape 16:9')).toBeChecked()
  await expect(again.getByRole('button', { name: 'Generate 2 Video(s)' })).toBeEnabled()
  await again.getByRole('tab', { name: 'Text to Video' }).click()
  await expect(again.getByRole('textbox', { name: 'Prompt', exact: true })).toHaveValue(
    'half a thought',
  )
})

test('a list that was not started here stays when a batch is started in another browser or tab @scripts @slow', async ({
  browser,
  context,
  page,
  product,
  signInToWait,
}) => {
  // Only with scripts: without them nothing is typed into a page that is loaded again.
  expectPageError('409')
  await signInToWait()
  const elsewhere = await browser.newContext({
    baseURL: product.url,
    storageState: await context.storageState(),
  })
  await noteToasts(elsewhere)
  for (const other of [await elsewhere.newPage(), await context.newPage()]) {
    await page.goto('/app?tab=bulk', { waitUntil: 'networkidle' })
    await promptsBox(page).fill('mine one\nmine two')
    await other.goto('/app?tab=bulk', { waitUntil: 'networkidle' })
    await promptsBox(other).fill('theirs')
    await other.getByRole('button', { name: 'Generate 1 Video(s)' }).click()
    await expectToast(other, 'Bulk Generation Started! 🚀')
    await expect(promptsBox(other)).toHaveValue('')
    await page.getByRole('button', { name: 'Generate 2 Video(s)' }).click()
    await expectToast(page, 'Bulk Generation Failed')
    await expect(page.getByText('A batch is being processed')).toBeVisible()
    await expect(promptsBox(page)).toHaveValue('mine one\nmine two')
    await page.getByRole('link', { name: 'My Videos' }).first().click()
    await expect(page.getByRole('heading', { name: 'My Videos' })).toBeVisible()
    await page.goto('/app?tab=bulk')
    await expect(promptsBox(page)).toHaveValue('mine one\nmine two')
    await other.goto('/app?tab=bulk&dialog=stop-batch')
    await other.getByRole('button', { name: 'Stop All Process' }).click()
    await expectToast(other, 'Batch Cancelled ⛔')
    await expect(other.getByText('Bulk Generation Cancelled')).toBeVisible()
  }
  await elsewhere.close()
})

test('U-ERR-1, U-T2V-9, U-BULK-10, U-BATCH-6: a response without a message, or none, shows our own, and the text is kept @scripts @slow', async ({
  page,
  signInToWait,
}) => {
  // Only with scripts: without them the browser shows the response itself.
  expectPageError('500', 'net::ERR_FAILED')
  await signInToWait()
  let kind: 'empty' | 'cut' = 'empty'
  await page.route(/\/app\?.*_data=/, (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    return kind === 'cut' ? route.abort() : route.fulfill({ status: 500, body: '' })
  })
  const says = async (title: string, text: string) => {
    await expectToast(page, title)
    await expect(page.getByText(text).first()).toBeVisible()
  }
  // The bulk form and the dialog are loaded separately. Until they are, forms are sent without
  // scripts.
  const withParts = { waitUntil: 'networkidle' } as const
  await page.goto('/app')
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
  await page.getByRole('link', { name: /^A paper boat drifting/ }).click()
  await expect(prompt).toHaveValue(/^A paper boat drifting down .* warm lamplight$/)
  await page.getByText('Negative Prompt (optional)').click()
  await page.locator('#negativePrompt').fill('n'.repeat(295))
  await page.locator('#negativePrompt').pressSequentially('x'.repeat(6))
  await expect(page.getByText('300/300')).toBeVisible()
  await prompt.fill('kept')
  for (kind of ['empty', 'cut'] as const) {
    await page.reload()
    await expect(prompt).toHaveValue('kept')
    await page.getByRole('button', { name: 'Generate Video' }).click()
    await says('Generation failed', 'Failed to start video generation')
    await expect(page.getByText('You’re offline.').first()).toBeVisible({
      visible: kind === 'cut',
    })
    await expect(prompt).toHaveValue('kept')
  }
  await page.goto('/app?tab=bulk', withParts)
  await promptsBox(page).fill('kept too')
  for (kind of ['empty', 'cut'] as const) {
    await page.reload(withParts)
    await page.getByRole('button', { name: 'Generate 1 Video(s)' }).click()
    await says('Bulk Generation Failed', 'Failed to start bulk generation')
    await expect(promptsBox(page)).toHaveValue('kept too')
  }
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts: ['a'],
  })
  for (kind of ['empty', 'cut'] as const) {
    await page.goto('/app?tab=bulk&dialog=stop-batch', withParts)
    await page.getByRole('button', { name: 'Stop All Process' }).click()
    await says('Cancel Failed', 'Failed to cancel batch')
  }
  await call(page, 'POST', `/api/batches/${batchId}/cancel`)
})
