import { PAGES } from '../support/all-pages'
import { checkInTurns, checkPages } from './support/axe'
import { expectPageError, test } from './support/fixtures'

// axe is a script itself. It checks the same HTML that browsers without scripts get.
test.skip(({ javaScriptEnabled }) => !javaScriptEnabled)
// Every page four times.
test.slow()

test('axe and the Nu Html Checker report nothing on the public pages', async ({ page }) => {
  expectPageError('404')
  await checkPages(page, PAGES.public)
})

test('axe and the Nu Html Checker report nothing on the pages for users', async ({
  page,
  signIn,
}) => {
  await signIn()
  await checkPages(page, PAGES.user)
})

test('axe and the Nu Html Checker report nothing on pages and dialogs for users with videos and work in progress', async ({
  page,
  furnishUser,
}) => {
  const { pages, dialogs, clear } = await furnishUser()
  await checkPages(page, pages)
  await checkInTurns(page, dialogs)
  await clear()
})

test('axe and the Nu Html Checker report nothing on the pages for administrators', async ({
  page,
  furnishPlatform,
}) => {
  const { pages, dialogs } = await furnishPlatform()
  await checkPages(page, pages)
  await checkInTurns(page, dialogs)
})
