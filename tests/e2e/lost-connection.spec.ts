import type { Page } from '@playwright/test'
import type { VideoPage } from '../support/videos'
import { call } from './support/calls'
import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import {
  card,
  openAndTouch,
  openTool,
  press,
  pressInAccount,
  pressMany,
  selectAll,
} from './support/ui'

// Only with scripts: it is about what they say.

const NO_CONNECTION = 'You’re offline.'

/** Opens a gallery and ticks its videos. Waits until all of the page's scripts are loaded. */
const openAndTick = (page: Page, address: string): Promise<void> =>
  openAndTouch(page, address, async () => {
    await selectAll(page)
    // Counted by the scripts, which take over the page a while after they have been loaded.
    await expect(page.getByText(/^\d selected$/)).toBeVisible()
    // Only now does the page listen for the first touch: the box may have been ticked before.
    await page.getByRole('heading', { level: 1 }).click()
  })

/** Opens a gallery, ticks its videos, and cuts the connection once all is loaded. */
async function openAndGoOffline(page: Page, address: string): Promise<void> {
  await openAndTick(page, address)
  await page.context().setOffline(true)
}

test.beforeEach(() => expectPageError('net::ERR_INTERNET_DISCONNECTED', 'net::ERR_FAILED'))

test('U-RETRY-2, U-REGEN-2, U-DEL-3, U-ERR-2: the actions of a gallery say that there is no connection', async ({
  context,
  page,
  makeOwn,
}) => {
  page.on('dialog', (dialog) => void dialog.accept())
  await makeOwn([{ prompt: 'Broken', status: 'error' }, { prompt: 'A kite' }])
  await openAndTick(page, '/app')

  // A response that is not the product's, such as a page of the network's own, is not a lost connection.
  await page.route('**/app?*', (route) => route.fulfill({ body: '<h1>Welcome</h1>' }))
  await press(page, 'A kite', 'Delete')
  await expectToast(page, 'Request failed')
  await page.unrouteAll({ behavior: 'wait' })

  await context.setOffline(true)
  for (const [prompt, action] of [
    ['A kite', 'Delete'],
    ['A kite', 'Regenerate'],
    ['Broken', 'Retry'],
  ] as const) {
    await press(page, prompt, action)
    await expectToast(page, `${action} failed`)
    await expectToast(page, `Request failed. ${NO_CONNECTION}`)
  }
  await press(page, 'A kite', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Prompt & Regenerate' })
  await dialog.getByLabel('Prompt').fill('A red kite')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog.getByRole('alert')).toContainText(NO_CONNECTION)
  await expect(dialog.getByLabel('Prompt')).toHaveValue('A red kite')
  await context.setOffline(false)
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expectToast(page, 'Generation started')
  // What is ticked stays in its place, so the gallery shows it later.
  const { videos } = await call<VideoPage>(page, 'GET', '/api/videos')
  expect(videos.map(({ prompt }) => prompt)).toContain('A red kite')
})

test('a filter pressed without a connection: the page stays, and a page that cannot be read keeps the theme', async ({
  context,
  page,
  makeOwn,
}) => {
  await makeOwn([{ prompt: 'A kite' }])
  await page.goto('/app')
  await page.getByRole('link', { name: 'My Videos' }).first().click()
  await expect(page.getByRole('heading', { name: 'My Videos', level: 1 })).toBeVisible()
  await pressInAccount(page, 'Dark theme')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await openTool(page, 'More actions')
  await page.getByRole('link', { name: 'Completed' }).first().click()
  await expectToast(page, NO_CONNECTION)
  await expect(card(page, 'A kite')).toBeVisible()
  // The browser's Back is no link. The page that says so ends with the outage.
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await context.setOffline(false)
  await expect(card(page, 'A kite')).toBeVisible()
})

test('issue 50.6: any form sent without a connection keeps its page and what was typed', async ({
  context,
  page,
  signIn,
}) => {
  await signIn()
  await page.goto('/collections', { waitUntil: 'networkidle' })
  const name = page.getByLabel('New collection')
  await name.fill('Summer')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Request failed')
  await expectToast(page, NO_CONNECTION)
  await expect(name).toHaveValue('Summer')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Collection created')
})

test('U-DL-2: without a connection a download opens no tab, and a later one replaces the message', async ({
  context,
  page,
  saved,
  makeOwn,
}) => {
  await makeOwn([{ prompt: 'A kite' }])
  for (const address of ['/app', '/dashboard']) {
    await openAndGoOffline(page, address)
    await press(page, 'A kite', 'Download')
    await expectToast(page, 'Download failed')
    await expectToast(page, `Could not download video. ${NO_CONNECTION}`)
    await pressMany(page, 'Download All')
    await expectToast(page, 'Failed to fetch videos')
    await expectToast(page, NO_CONNECTION)
    await expect(card(page, 'A kite')).toBeVisible()
    expect(context.pages()).toHaveLength(1)

    await context.setOffline(false)
    await pressMany(page, 'Download All')
    await saved(/\.zip$/, () => page.getByRole('link', { name: 'ZIP: All videos' }).click())
    await expect(page.getByText('Failed to fetch videos')).toHaveCount(0)
    await page.getByRole('dialog').getByRole('link', { name: 'Close' }).click()
    await saved(/\.mp4$/, () => press(page, 'A kite', 'Download'))
    await expectToast(page, 'Download complete')
  }
})

test('U-GAL-10, U-API-25: on an idle page the failed list is read again once the network is back', async ({
  context,
  page,
  makeOwn,
}) => {
  page.on('dialog', (dialog) => void dialog.accept())
  await makeOwn([{ prompt: 'A kite' }, { prompt: 'A boat' }])
  const alert = page.getByRole('alert').getByText('Failed to fetch videos')
  for (const address of ['/app', '/dashboard']) {
    await openAndGoOffline(page, address)
    await press(page, 'A kite', 'Delete')
    await expect(alert).toBeVisible()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await context.setOffline(false)
    await expect(alert).toBeHidden()
    expect(asked).toEqual(['/api/videos/changes'])
    page.removeAllListeners('request')
  }
})

test('U-GAL-10: the failed list is read again once another request works', async ({
  page,
  saved,
  makeOwn,
}) => {
  page.on('dialog', (dialog) => void dialog.accept())
  await makeOwn([{ prompt: 'A kite' }])
  const alert = page.getByRole('alert').getByText('Failed to fetch videos')
  await page.goto('/dashboard')
  await selectAll(page)
  await page.route(/\/(api\/videos\/|dashboard\?)/, (route) => route.abort())
  await press(page, 'A kite', 'Delete')
  await expect(alert).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await saved(/\.mp4$/, () => press(page, 'A kite', 'Download'))
  await expect(alert).toBeHidden()
})

test('C21: without a connection a page that gets the focus says nothing; a press has one message', async ({
  page,
  makeOwn,
}) => {
  await makeOwn([{ prompt: 'A kite' }])
  for (const address of ['/app', '/dashboard']) {
    await openAndGoOffline(page, address)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.evaluate(() => {
      const later = Date.now() + 60_000
      Date.now = () => later
      dispatchEvent(new Event('focus'))
    })
    await page.getByRole('link', { name: 'Batches' }).click()
    await expectToast(page, NO_CONNECTION)
    expect(asked).toEqual([])
    await expect(page.getByText('Failed to fetch videos')).toHaveCount(0)
    page.removeAllListeners('request')
    await page.context().setOffline(false)
  }
})
