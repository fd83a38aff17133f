import { addVideos } from '../support/ended-videos'
import { PAGES } from '../support/pages'
import { makeVideos } from '../support/videos'
import { checkInTurns, checkPages } from './support/axe'
import { call, closeService, openService } from './support/calls'
import { test } from './support/fixtures'

// axe is a script itself. It checks the same HTML that browsers without scripts get.
test.skip(({ javaScriptEnabled }) => !javaScriptEnabled)

test('axe reports nothing on the public pages', async ({ page, expectPageError }) => {
  expectPageError('404')
  await checkPages(page, PAGES.public)
})

test('axe reports nothing on the pages for users', async ({ page, signIn }) => {
  await signIn()
  await checkPages(page, PAGES.user)
})

test('axe reports nothing on pages and dialogs for users with videos and work in progress', async ({
  page,
  product,
  signIn,
}) => {
  const { userId } = await signIn()
  await product.db.query(`insert into prompts (id, text) values (gen_random_uuid(), 'A kite')`)
  const [failed, done] = await makeVideos(product, userId, [
    { status: 'error', regenerate_count: 1 },
    { aspect_ratio: 'landscape', negative_prompt: 'fog', regenerated_by_admin: true },
  ])
  await product.db.query(
    `insert into drafts (user_id, kind, text, negative_prompt, aspect_ratio)
     values ($1, 'bulk', E'one\ntwo\n{"three"', '', 'portrait')`,
    [userId],
  )
  await checkInTurns(page, ['/app/receipt'])
  await closeService(product)
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts: ['a'],
  })
  await checkPages(page, ['/app?tab=bulk', '/dashboard'])
  await checkInTurns(page, [
    `/app?watch=${done?.id}`,
    `/videos/${failed?.id}`,
    `/videos/${done?.id}`,
    '/app?dialog=change-password',
    '/app?tab=bulk&dialog=stop-batch',
    `/app?dialog=preview&on=${done?.id}`,
    `/app?dialog=edit&on=${done?.id}`,
    `/dashboard?dialog=delete&on=${done?.id}`,
    `/dashboard?dialog=delete-selected&ids=${failed?.id}`,
    `/app?dialog=retry&on=${failed?.id}`,
    '/app?dialog=retry-all',
  ])
  await call(page, 'POST', `/api/batches/${batchId}/cancel`)
  await openService(product)
})

test('axe reports nothing on the pages for administrators', async ({ page, signIn, product }) => {
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
