import { PAGES } from '../support/pages'
import { checkInTurns, checkPages } from './support/axe'
import { expectPageError, test } from './support/fixtures'
import { furnishPlatform, furnishUser } from './support/furnish'

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
  product,
  signIn,
}) => {
  const { userId } = await signIn({ video_limit: 40, speed_limit: 1, plan: 'Business' })
  const { pages, dialogs, clear } = await furnishUser(page, product, userId)
  await checkPages(page, pages)
  await checkInTurns(page, dialogs)
  await clear()
})

test('axe and the Nu Html Checker report nothing on the pages for administrators', async ({
  page,
  signIn,
  product,
}) => {
  // All Videos also shows those of other tests, some of which are rows without an image.
  expectPageError('404')
  await signIn({ role: 'admin' })
  const { pages, dialogs } = await furnishPlatform(page, product)
  await checkPages(page, pages)
  await checkInTurns(page, dialogs)
})
