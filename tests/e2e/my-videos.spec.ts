import type { Page, Route } from '@playwright/test'
import { addVideos } from '../support/ended-videos'
import { makeVideos, tellProgress } from '../support/videos'
import { call, leave } from './support/calls'
import { chromiumOnly, expect, expectPageError, test } from './support/fixtures'
import { lookAt } from './support/looks'
import { expectToast } from './support/toasts'
import {
  accountLine,
  card,
  deleteSelected,
  press,
  pressAndConfirm,
  pressInAccount,
  pressMany,
  selectAll,
  selectAllBox,
  signInAgain,
} from './support/ui'

const said = (page: Page, words: string | RegExp) => page.getByText(words).first()

test('U-MYV-3, U-MYV-4, U-MYV-8: My Videos is refreshed, played, saved and cleared', async ({
  page,
  saved,
  makeOwn,
  withScripts,
}) => {
  // The clip that plays under the pointer may be deleted at that moment.
  expectPageError('404')
  await makeOwn([{ prompt: 'First', aspect_ratio: 'landscape' }])
  await page.goto('/dashboard?status=completed')
  await expect(page.getByRole('heading', { name: 'Completed videos', exact: true })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  await makeOwn([{ prompt: 'Très loin' }, { prompt: 'Lost', status: 'error' }, { prompt: 'Third' }])
  await page.getByRole('main').getByRole('link', { name: 'Refresh', exact: true }).click()
  await expect(page.getByRole('article')).toHaveCount(3)
  await expect(page).toHaveURL(/status=completed/)

  await press(page, 'First', 'Play')
  const preview = page.getByRole('dialog', { name: 'Video Preview' })
  const player = withScripts ? preview : page.getByRole('main')
  await expect(player.locator('video')).toHaveAttribute('src', /^\/media\/[0-9a-f-]+\.mp4$/)
  if (withScripts) await preview.getByRole('link', { name: 'Close' }).click()
  else await page.goBack()
  await expect(preview).toHaveCount(0)
  await saved(/^0002_très-loin\.mp4$/, () => press(page, 'Très loin', 'Download'))
  // The toast covers the next card, and stays while the pointer is on it.
  if (withScripts) await page.getByRole('region', { name: /Notif/ }).getByLabel('Close').click()

  await pressAndConfirm(page, { prompt: 'First', name: 'Delete', withScripts })
  await expectToast(page, 'Video deleted')
  await expect(page.getByRole('article')).toHaveCount(2)
  if (withScripts) {
    // For keyboard users the focus moves to the card that replaces the deleted one.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await expect.poll(focused).toMatch(/^Play: /)
  } else {
    // A toast that stays without scripts must not cover the last lines of the menu.
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 375, height: 640 })
    await page.locator('header label[for=menu]').click()
    await accountLine(page).click()
    await page.getByRole('button', { name: 'Logout' }).click({ trial: true })
    await page.setViewportSize(size)
  }
  await page.goto('/dashboard')
  await selectAll(page)
  await expect(page.getByText('3 selected')).toBeVisible()
  await deleteSelected(page)
  await expectToast(page, 'Videos deleted')
  await expect(page.getByText('No videos generated yet.')).toBeVisible()
})

test('U-MYV-8: My Videos retries, edits and archives like the gallery', async ({
  page,
  product,
  closeService,
  userId,
  withScripts,
}) => {
  await makeVideos(product, userId, [
    { prompt: 'Lost', status: 'error' },
    { prompt: 'Older', aspect_ratio: 'landscape' },
    { prompt: 'Newer', aspect_ratio: 'landscape' },
  ])
  await addVideos(product, { userId, status: 'completed', n: 2, withFiles: true })
  await closeService()
  await page.goto('/dashboard')
  // The first visible image is not lazy-loaded.
  const pictures = page.getByRole('article').locator('img')
  await expect(pictures.first()).toHaveAttribute('loading', 'eager')
  await expect(pictures.last()).toHaveAttribute('loading', 'lazy')
  await expect(card(page, 'Lost').getByRole('link', { name: 'Edit: Lost' })).toHaveCount(0)

  await pressMany(page, 'Download All')
  await expect(page.getByText(/^4 videos, 1 kB$/).first()).toBeVisible()
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'ZIP: All videos' }).click(),
  ])
  expect(archive.suggestedFilename()).toMatch(/^videos-.*\.zip$/)
  await page.goto('/dashboard')

  await press(page, 'Newer', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Prompt & Regenerate' })
  await dialog.getByLabel('Prompt').fill('Newest')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expectToast(page, 'Generation started')
  await expect(card(page, 'Newest')).toBeVisible()

  await pressAndConfirm(page, { prompt: 'Lost', name: 'Retry', withScripts })
  await expectToast(page, 'Retry started')
  await expect(card(page, 'Lost')).toContainText('Queued')
})

test('U-MYV-6: My Videos shows the progress of a video, and why others wait, live @looks', async ({
  page,
  product,
  closeService,
  userId,
  withScripts,
}) => {
  await closeService()
  const { id } = await call<{ id: string }>(page, 'POST', '/api/videos/generate', {
    prompt: 'A slow river',
    aspectRatio: 'landscape',
  })
  await product.db.query('delete from line_entries where video_id = $1', [id])
  await tellProgress(product, id, 45)
  await page.goto('/dashboard')
  const river = card(page, 'A slow river')
  await expect(river).toContainText('45%')
  await expect(river.getByRole('progressbar')).toHaveAttribute('value', '45')
  await expect(page.getByText('on hold')).toHaveCount(0)

  await tellProgress(product, id, 60)
  if (withScripts) await expect(river).toContainText('60%')
  const asked: string[] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/')) asked.push(`${response.status()} ${response.url()}`)
  })
  await tellProgress(product, id, 75)
  if (!withScripts) await page.reload()
  await expect(river).toContainText('75%')
  // Progress alone comes with responses without a body.
  expect(asked.filter((response) => !response.startsWith('304 '))).toEqual([])

  await call(page, 'POST', '/api/videos/generate', { prompt: 'The next' })
  await product.db.query(
    `update line_entries set state = 'held', hold_reason = 'down', wake_at = now() + interval '1 hour'
     where user_id = $1`,
    [userId],
  )
  if (!withScripts) await page.reload()
  await expect(page.getByText('The video service cannot be reached at the moment.')).toBeVisible()
  await expect(card(page, 'The next')).toContainText('Queued')
  await lookAt(page, { name: 'under-way', withScripts })
  await leave(page)
  await product.db.query('delete from attempts where user_id = $1', [userId])
  await product.db.query('delete from line_entries where user_id = $1', [userId])
  await product.db.query('delete from quota_charges where user_id = $1', [userId])
  await product.db.query('delete from quota_days where user_id = $1', [userId])
  await product.db.query('delete from videos where user_id = $1', [userId])
})

type Answer = (route: Route) => Promise<void>
const EMPTY: Answer = (route) => route.fulfill({ status: 500, body: '' })
const CUT: Answer = (route) => route.abort()
const words =
  (error: string): Answer =>
  (route) =>
    route.fulfill({ status: 500, json: { error, code: 'UNEXPECTED' } })

test('U-RETRY-2, U-RETRY-5, U-REGEN-2, U-DEL-3, U-DL-2, U-GAL-10, U-ERR-2, U-API-23: failures are reported @scripts', async ({
  context,
  page,
  makeOwn,
}) => {
  // Only with scripts: without them the server returns pages.
  expectPageError('net::ERR_FAILED', '500 ')
  page.on('dialog', (dialog) => void dialog.accept())
  const [done] = await makeOwn([
    { prompt: 'Finished', aspect_ratio: 'landscape' },
    { prompt: 'Broken', status: 'error' },
  ])
  let response = EMPTY
  await page.clock.install()
  await page.goto('/app')
  const asked = /\/(api\/videos|resources\/prompts|app\?.*_data=)/
  await page.route(asked, (route) => response(route))
  const actions = [
    ['Finished', 'Delete', 'Failed to delete video'],
    ['Finished', 'Regenerate', 'Failed to regenerate video'],
    ['Broken', 'Retry', 'Failed to retry video generation'],
  ] as const
  for (const [prompt, action, fallback] of actions) {
    for (const [given, shown] of [
      [EMPTY, fallback],
      [words(`No ${action} today.`), `No ${action} today.`],
      [CUT, 'Request failed'],
    ] as const) {
      response = given
      await press(page, prompt, action)
      await expect(said(page, shown)).toBeVisible()
      await expectToast(page, `${action} failed`)
    }
  }
  await expect(page.getByRole('article')).toHaveCount(2)

  response = EMPTY
  await selectAll(page)
  await deleteSelected(page)
  await expect(said(page, 'Failed to delete selected videos')).toBeVisible()
  await expectToast(page, 'Delete failed')

  // The form is sent two seconds after the confirmation, so that the user can undo it.
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.method()))
  await pressMany(page, 'Retry All')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.getByRole('button', { name: 'Retry All' }).click()
  await expectToast(page, 'Retrying all failed videos')
  await page.clock.runFor(1999)
  expect(sent).not.toContain('POST')
  await page.clock.runFor(1)
  await expect(said(page, 'Failed to retry videos')).toBeVisible()
  await expectToast(page, 'Retry All failed')
  await page.clock.resume()

  for (const [given, shown] of [
    [(route: Route) => route.fulfill({ status: 500, body: 'x' }), '500: x'],
    [EMPTY, 'An error occurred'],
  ] as const) {
    response = given
    await pressMany(page, 'All Prompts')
    await expect(said(page, shown)).toBeVisible()
  }
  await pressMany(page, 'Download All')
  await expectToast(page, 'Failed to fetch videos')

  const opened = context.waitForEvent('page')
  await press(page, 'Finished', 'Download')
  await expect(
    said(page, 'Could not download video. Right-click video to save manually'),
  ).toBeVisible()
  await expectToast(page, 'Download failed')
  expect(new URL((await opened).url()).pathname).toMatch(`/media/${done!.id}.mp4`)
})

test('U-API-24, U-API-25, U-GAL-10: the page sends only the documented poll; when the session ends it leads to sign-in @scripts', async ({
  page,
  product,
  userId,
}) => {
  // Only with scripts: only scripts poll.
  expectPageError('401', '500 ')
  await makeVideos(product, userId, [{ prompt: 'Finished' }])
  await page.clock.install()
  await page.goto('/dashboard')
  await selectAll(page)
  const asked: string[] = []
  page.on('request', (request) => {
    // The first touch loads the scripts of parts.
    if (request.resourceType() !== 'script') asked.push(new URL(request.url()).pathname)
  })
  const switchTabs = () =>
    page.evaluate(() => {
      for (const type of ['blur', 'focus']) window.dispatchEvent(new Event(type))
      document.dispatchEvent(new Event('visibilitychange'))
    })
  await switchTabs()
  await page.clock.runFor(60_000)
  expect(asked).toEqual([])
  // An idle page asks only when it gets the focus again, and only the cheap call.
  await switchTabs()
  await expect.poll(() => asked).toEqual(['/api/videos/changes'])
  asked.length = 0

  // A video is in progress from now on: it waits for a round that never comes.
  const inserted = await product.db.query<{ id: string }>(
    `insert into videos (id, user_id, prompt, aspect_ratio, status, model, seed)
     values (gen_random_uuid(), $1, 'Waiting', 'portrait', 'pending', 'm', 1) returning id`,
    [userId],
  )
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.reload()
  await expect(card(page, 'Waiting')).toBeVisible()
  // The box appears once the scripts run. The clock is stopped, so no request has been sent yet.
  await expect(selectAllBox(page)).toBeAttached()
  asked.length = 0
  for (let count = 1; count <= 6; count++) {
    await page.clock.runFor(5000)
    await expect.poll(() => asked).toHaveLength(count)
  }
  expect(asked.filter((path) => path !== '/api/videos/changes')).toEqual([])

  await page.route(/\/api\/videos\/changes/, (route) => route.fulfill({ status: 500, body: '' }))
  await page.clock.runFor(5000)
  await expect(page.getByRole('alert').getByText('Failed to fetch videos')).toBeVisible()
  await page.unroute(/\/api\/videos\/changes/)

  const pollTwice = async () => {
    for (const _ of [1, 2]) {
      const answered = page.waitForResponse(/\/api\/videos\/changes/)
      await page.clock.runFor(5000)
      await answered
    }
  }
  // A poll with the old token, while another tab gives the password again.
  const refuse = { times: 1 }
  await page.route(/\/api\/videos\/changes/, (route) => route.fulfill({ status: 401 }), refuse)
  await pollTwice()
  await expect(page).toHaveURL(/\/dashboard/)

  // What is being typed is not lost.
  await page.goto(`/dashboard?dialog=edit&on=${inserted.rows[0]?.id}`)
  await expect(selectAllBox(page)).toBeAttached()
  const prompt = page.getByRole('dialog').getByLabel('Prompt')
  await prompt.fill('Waiting for rain')
  await product.db.query('delete from sessions where user_id = $1', [userId])
  await pollTwice()
  await pollTwice()
  await expect(prompt).toHaveValue('Waiting for rain')
  await page.getByRole('dialog').getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.clock.runFor(5000)
  await expect(page).toHaveURL(/\/login\?/)
  await expectToast(page, 'Your session has ended')
  expect((await page.request.get('/api/auth/me')).status()).toBe(401)
  await leave(page)
  await product.db.query(`delete from videos where user_id = $1 and status = 'pending'`, [userId])
})

/** The frames of the gallery's cards, row by row. */
async function framesInRows(page: Page) {
  const frames = await page.locator('.card-frame').evaluateAll((all) =>
    all.map((frame) => {
      const { top, right, width, height } = frame.getBoundingClientRect()
      return { top: Math.round(top), right, width, height }
    }),
  )
  const tops = [...new Set(frames.map(({ top }) => top))]
  return tops.map((top) => frames.filter((frame) => frame.top === top))
}

test('issue 51.9: upright and wide videos stand in rows of one height, each as wide as it is @looks', async ({
  page,
  makeOwn,
  withScripts,
}) => {
  const kinds = 'LLPLPPPPLLLPLPPPPPLP'
  await makeOwn(
    Array.from(kinds, (kind, index) => ({
      prompt: `Clip ${index}`,
      ...(kind === 'L' && { aspect_ratio: 'landscape' as const }),
    })),
  )
  for (const width of [360, 800, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/dashboard')
    const rows = await framesInRows(page)
    const edge = await page.locator('.cards').evaluate((list) => list.getBoundingClientRect().right)
    for (const row of rows) {
      const heights = row.map(({ height }) => height)
      expect(Math.max(...heights) - Math.min(...heights), `${width} px`).toBeLessThan(1)
      for (const frame of row) {
        const shape = frame.width / frame.height
        expect(Math.min(Math.abs(shape - 9 / 16), Math.abs(shape - 16 / 9))).toBeLessThan(0.02)
        expect(frame.right).toBeLessThan(edge + 1)
      }
    }
    if (width < 1280) continue
    // All but the last fill the width, and none is much higher than it.
    const [last, ...others] = rows.reverse()
    for (const row of others) {
      expect(edge - (row.at(-1)?.right ?? 0), `${width} px`).toBeLessThan(4)
      expect(row[0]!.height).toBeGreaterThan(last![0]!.height - 1)
      expect(row[0]!.height).toBeLessThan(last![0]!.height * 1.5 + 1)
    }
  }
  await lookAt(page, { name: 'mixed-rows', withScripts })
})

test('U-PREV-2, U-PREV-4, U-GAL-5: dialogs open without a request; the prompt is copied', async ({
  allowClipboard,
  page,
  makeOwn,
  withScripts,
}) => {
  chromiumOnly('Playwright sends Firefox no double clicks')
  const [tall] = await makeOwn([
    { prompt: 'Tall one' },
    { prompt: 'Wide one', aspect_ratio: 'landscape' },
    ...Array.from({ length: 5 }, () => ({ prompt: 'Another' })),
  ])
  for (const [width, columns] of [
    [375, 2],
    [800, 2],
    [1024, 3],
    [1280, 4],
    [1920, 6],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/app?aspectRatio=portrait')
    const boxes = await page
      .getByRole('article')
      .evaluateAll((cards) =>
        cards.map((element) => Math.round(element.getBoundingClientRect().left)),
      )
    expect(new Set(boxes).size, `${width} px`).toBe(columns)
  }
  await page.goto('/app')
  const preview = page.getByRole('dialog', { name: 'Video Preview' })
  const widthOf = async () => (await preview.boundingBox())?.width ?? 0
  if (!withScripts) {
    await page.goto(`/app?dialog=preview&on=${tall!.id}`)
    expect(await widthOf()).toBeLessThan(400)
    return
  }
  await allowClipboard()
  // The box appears once the scripts run.
  await expect(selectAllBox(page)).toBeAttached()
  const asked: string[] = []
  page.on('request', (request) => {
    // These videos have no playable clip, so the player asks whether they still exist.
    const isCheck = request.url().endsWith('/status')
    if (/_data=|\/api\//.test(request.url()) && !isCheck) asked.push(request.url())
  })
  await page.getByRole('link', { name: 'Play: Tall one' }).click()
  await expect(preview).toBeVisible()
  const narrow = await widthOf()
  await preview.getByText('Tall one').dblclick()
  await expectToast(page, 'Copied!')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Tall one')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
  })
  await preview.getByText('Tall one').dblclick()
  await expectToast(page, 'Failed to copy')
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
  await page.getByRole('link', { name: 'Play: Wide one' }).click()
  await expect(preview).toBeVisible()
  expect(await widthOf()).toBeGreaterThan(narrow + 200)
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
  await press(page, 'Wide one', 'Edit')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await pressInAccount(page, 'Change Password')
  await expect(page.getByRole('dialog', { name: 'Change Password' })).toBeVisible()
  // Closing the password dialog may send a request, because the session may be a new one.
  expect(asked).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('an edited prompt outlives the session', async ({ page, product, signIn, withScripts }) => {
  expectPageError('401')
  const { userId, username } = await signIn()
  const [video] = await makeVideos(product, userId, [{ prompt: 'A boat' }])
  await page.goto(`/dashboard?dialog=edit&on=${video!.id}`)
  const dialog = page.getByRole('dialog', { name: 'Edit Prompt & Regenerate' })
  // The box appears once the scripts run.
  if (withScripts) await expect(selectAllBox(page)).toBeAttached()
  await dialog.getByLabel('Prompt').fill('A boat in the fog')
  await product.db.query('delete from sessions where user_id = $1', [userId])
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible()
  await signInAgain(page, username)
  await expect(dialog.getByLabel('Prompt')).toHaveValue('A boat in the fog')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expectToast(page, 'Generation started')
  await expect(dialog).toHaveCount(0)
  await expect(card(page, 'A boat in the fog')).toBeVisible()
})
