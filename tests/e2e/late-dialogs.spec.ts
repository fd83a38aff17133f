import type { Page } from '@playwright/test'
import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { openAndTouch, openBeforeScripts, press } from './support/ui'

// Only with scripts: it is about scripts that load late.

const DIALOGS = '**/build/**/gallery-dialogs-*.js'
const editing = (page: Page) => page.getByRole('dialog', { name: 'Edit Prompt & Regenerate' })

/** Declares the errors of a script that cannot be loaded, in Chromium's words and in Firefox's. */
function expectFailedScript(): void {
  expectPageError('Failed to load resource', 'Failed to fetch dynamically imported module')
  expectPageError('error loading dynamically imported module')
}

test('the dialogs are loaded at the first touch, and then open without a network', async ({
  page,
  context,
  makeOwn,
}) => {
  await makeOwn([{ prompt: 'A kite' }])
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const partsAsked = () => asked.filter((url) => /dialogs-|\/index-/.test(url))
  await openAndTouch(page, '/app', async () => {
    await page.waitForLoadState('networkidle')
    expect(partsAsked()).toEqual([])
    await page.getByRole('heading', { level: 1 }).click()
  })
  expect(partsAsked()).not.toEqual([])
  await context.setOffline(true)
  await press(page, 'A kite', 'Edit')
  await expect(editing(page).getByLabel('Prompt')).toHaveValue('A kite')
  await context.setOffline(false)
})

test('a dialog whose script cannot be loaded comes from the server, and works', async ({
  page,
  makeOwn,
}) => {
  expectFailedScript()
  await makeOwn([{ prompt: 'A kite' }])
  await page.route(DIALOGS, (route) => route.abort())
  await page.goto('/app', { waitUntil: 'networkidle' })
  await press(page, 'A kite', 'Edit')
  await expect(editing(page)).toBeVisible()
  await editing(page).getByLabel('Prompt').fill('A red kite')
  await editing(page).getByRole('button', { name: 'Generate' }).click()
  await expect(page.getByText('Generation started').first()).toBeVisible()
})

test('a dialog whose script cannot be loaded without a connection comes when there is one', async ({
  page,
  context,
  makeOwn,
}) => {
  expectFailedScript()
  await makeOwn([{ prompt: 'A kite' }])
  await page.goto('/app', { waitUntil: 'networkidle' })
  await context.setOffline(true)
  await press(page, 'A kite', 'Edit')
  await expectToast(page, 'You’re offline.')
  await expect(page.getByRole('heading', { name: 'Your Videos' })).toBeVisible()
  await context.setOffline(false)
  await expect(editing(page).getByLabel('Prompt')).toHaveValue('A kite')
})

test('text typed into a dialog or the bulk box before the scripts load is kept', async ({
  page,
  makeOwn,
}) => {
  const [video] = await makeOwn([{ prompt: 'A kite' }])
  const isCounted = page.getByRole('button', { name: 'Generate 1 Video(s)' }).last()
  const places = [
    [
      `/app?dialog=edit&on=${video?.id}`,
      editing(page).getByLabel('Prompt'),
      () => expect.poll(() => page.evaluate(isModal)).toBe(true),
    ],
    [
      '/app?tab=bulk',
      page.getByRole('textbox', { name: 'Prompts' }),
      () => expect(isCounted).toBeEnabled(),
    ],
  ] as const
  for (const [address, box, expectScripts] of places) {
    const letScriptsCome = await openBeforeScripts(page, address)
    await box.fill('typed early')
    await letScriptsCome()
    await expectScripts()
    await expect(box).toHaveValue('typed early')
  }
})

/** Runs in the page. */
const isModal = () => document.querySelector('dialog')?.matches(':modal') ?? false
