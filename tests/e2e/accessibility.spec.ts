import { addVideos } from '../support/ended-videos'
import { checkPages, PAGES } from './support/axe'
import { test } from './support/fixtures'

// The checker is a script itself; what it looks at is the same HTML.
test.skip(({ javaScriptEnabled }) => !javaScriptEnabled)

test('axe finds nothing on the public pages', async ({ page, expectPageError }) => {
  expectPageError('404')
  await checkPages(page, PAGES.public)
})

test('axe finds nothing on the pages of users', async ({ page, signIn }) => {
  await signIn()
  await checkPages(page, PAGES.user)
})

test('axe finds nothing on the pages of administrators', async ({ page, signIn, product }) => {
  await signIn({ role: 'admin' })
  const user = await product.user()
  const [, thrown] = await addVideos(product, {
    ...{ userId: user.userId, status: 'completed', n: 3, withFiles: true },
  })
  await user.call('DELETE', `/api/videos/${thrown}`)
  await product.db.query(`insert into prompts (id, text) values
    (gen_random_uuid(), 'A kite over a field'), (gen_random_uuid(), 'A boat')`)
  await checkPages(page, [...PAGES.admin, `/admin?dialog=edit&on=${user.userId}`])
})
