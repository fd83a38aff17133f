import type { Page } from '@playwright/test'
import { makeVideos } from '../support/videos'
import { call } from './support/calls'
import { expect, expectPageError, test } from './support/fixtures'
import { press } from './support/ui'

const preview = (page: Page) => page.getByRole('dialog', { name: 'Video Preview' })
const editing = (page: Page) => page.getByRole('dialog', { name: 'Edit Prompt & Regenerate' })
const missing = (page: Page) => page.getByRole('dialog', { name: 'Video not found' })
const remove = (page: Page, id = '') => call(page, 'DELETE', `/api/videos/${id}`)

test('an address that names the dialog of a deleted video says so', async ({ page, makeOwn }) => {
  const [made] = await makeOwn([{ prompt: 'A kite' }, { prompt: 'A boat' }])
  await remove(page, made?.id)
  for (const name of ['preview', 'edit', 'delete']) {
    await page.goto(`/app?dialog=${name}&on=${made?.id}`)
    await expect(missing(page)).toContainText('This video does not exist')
    await missing(page).getByRole('link', { name: 'Back to the videos' }).click()
    await expect(missing(page)).toBeHidden()
  }
  // Neither does an unknown name break the page.
  await page.goto('/dashboard?dialog=unknown&on=nothing')
  await press(page, 'A boat', 'Edit')
  await expect(editing(page)).toBeVisible()
})

test('a video that was deleted in another tab says so when it is opened', async ({
  page,
  makeOwn,
  withScripts,
}) => {
  // The clip and the poster of the deleted video, and its state.
  expectPageError('404')
  const [made] = await makeOwn([{ prompt: 'A kite' }])
  await page.goto('/dashboard')
  await expect(page.getByRole('article')).toBeVisible()
  await remove(page, made?.id)
  await page
    .getByRole('article')
    .getByRole('link', { name: /Play|Open/ })
    .first()
    .click()
  // Without scripts the link leads to the clip itself.
  await expect(page.getByText('It may have been')).toBeVisible()
  if (withScripts) await expect(preview(page)).toBeHidden()
})

test('Back leaves the page after dialogs were opened and closed @scripts', async ({
  page,
  makeOwn,
}) => {
  // Only with scripts: without them each dialog is a page of its own.
  await makeOwn([{ prompt: 'A kite' }])
  await page.goto('/usage')
  await page.getByRole('link', { name: 'My Videos' }).first().click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await press(page, 'A kite', 'Edit')
  // Visible, and modal by its script, which handles Escape.
  await expect(page.locator('dialog:modal')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editing(page)).toBeHidden()
  await press(page, 'A kite', 'Edit')
  await editing(page).getByRole('link', { name: 'Cancel' }).click()
  await expect(editing(page)).toBeHidden()
  await press(page, 'A kite', 'Edit')
  await editing(page).getByRole('link', { name: 'Close' }).click()
  await expect(editing(page)).toBeHidden()
  await press(page, 'A kite', 'Edit')
  await editing(page).getByRole('link', { name: 'Close' }).dblclick()
  await expect(editing(page)).toBeHidden()
  await expect(page).toHaveURL(/\/dashboard\??$/)
  // While a dialog is open, Back closes it.
  await press(page, 'A kite', 'Edit')
  await expect(editing(page)).toBeVisible()
  await page.goBack()
  await expect(editing(page)).toBeHidden()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/usage$/)
})

test('what was typed into a dialog, or is shown only once, is not lost by Escape, Back or a click beside it @scripts', async ({
  page,
  signIn,
  product,
}) => {
  // Only with scripts: without them only links close a dialog.
  const { userId } = await signIn({ role: 'admin' })
  await makeVideos(product, userId, [{ prompt: 'A kite' }])
  const questions: string[] = []
  let response = false
  page.on('dialog', (box) => {
    questions.push(box.message())
    void (response ? box.accept() : box.dismiss())
  })
  await page.goto('/app')
  await press(page, 'A kite', 'Edit')
  await editing(page).getByLabel('Prompt').press('End')
  await page.keyboard.type(' over the sea')
  await page.mouse.click(5, 5)
  expect(questions).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => questions).toEqual(['Close this and discard what you typed?'])
  await expect(editing(page).getByLabel('Prompt')).toHaveValue('A kite over the sea')
  await page.evaluate(() => history.back())
  await expect.poll(() => questions).toHaveLength(2)
  await expect(editing(page).getByLabel('Prompt')).toHaveValue('A kite over the sea')
  await expect(page).toHaveURL(/dialog=edit/)
  response = true
  await page.evaluate(() => history.back())
  await expect(editing(page)).toBeHidden()
  await expect(page).toHaveURL(/\/app$/)
  // Cancel does not ask.
  await press(page, 'A kite', 'Edit')
  await editing(page).getByLabel('Prompt').press('End')
  await page.keyboard.type(' and sand')
  await editing(page).getByRole('link', { name: 'Cancel' }).click()
  await expect(editing(page)).toBeHidden()
  await expect(page).toHaveURL(/\/app\??$/)
  expect(questions).toHaveLength(3)
  await press(page, 'A kite', 'Edit')
  await editing(page).getByLabel('Prompt').press('End')
  await page.keyboard.type('!')
  await editing(page).getByLabel('Prompt').press('End')
  await page.keyboard.press('Escape')
  await expect(editing(page)).toBeHidden()

  await page.goto('/admin?dialog=quick')
  await page.getByLabel('Phone number').fill('03335550001')
  await page.getByRole('button', { name: 'Quick Create' }).click()
  const created = page.getByRole('dialog', { name: 'User Created Successfully!' })
  await expect(created).toBeVisible()
  response = false
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  await expect.poll(() => questions.at(-1)).toBe('Close this? It will not be shown again.')
  await expect(created).toBeVisible()
  await created.getByRole('link', { name: 'Close' }).click()
  await expect(created).toBeHidden()
})
