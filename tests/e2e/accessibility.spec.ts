import { PAGES } from '../support/all-pages'
import { checkPages } from './support/axe'
import { expectPageError, test } from './support/fixtures'

test.describe.configure({ mode: 'parallel' })

// axe is a script itself. It checks the same HTML that browsers without scripts get.

// In the slow suite every page twice.
test.slow()

test('axe reports nothing on the public pages', async ({ page }) => {
  expectPageError('404')
  await checkPages(page, PAGES.public)
})

test('axe reports nothing on the pages for users', async ({ page, signIn }) => {
  await signIn()
  await checkPages(page, PAGES.user)
})

test('axe reports nothing on pages and dialogs for users with videos and work in progress', async ({
  page,
  furnishUser,
}) => {
  const { pages, dialogs, clear } = await furnishUser()
  await checkPages(page, [...pages, ...dialogs])
  await clear()
})

test('axe reports nothing on the pages for administrators', async ({ page, furnishPlatform }) => {
  // All Videos shows those of earlier tests, too: one may be made again before its poster is loaded.
  expectPageError('409')
  const { pages, dialogs } = await furnishPlatform()
  await checkPages(page, [...pages, ...dialogs])
})
