import { expect, test } from 'vitest'
import type { Client } from '../support/client'
import { addVideos } from '../support/ended-videos'
import { checkHtml } from '../support/nu-html-checker'
import { useInstallation } from '../support/shared-installation'
import { PAGES } from '../support/all-pages'
import { addUsage } from '../support/usage'
import { makeVideos, tellProgress } from '../support/videos'

// Nobody is asked there: a preview is shown as it is stored.
const product = useInstallation({
  env: {
    TEXT_SERVICE_URL: 'http://127.0.0.1:9',
    TEXT_SERVICE_KEY: 'a-key',
    TEXT_SERVICE_MODEL: 'a-model',
  },
})
const PREVIEW = {
  of: 'bulk',
  act: 'translate',
  rows: [
    { place: 1, before: 'drei', after: 'three', notes: ['Markup removed.'] },
    { place: 2, before: 'vier', after: null, why: 'The answer is empty.' },
  ],
  left: 2,
}

/** The HTML of pages, as the server sends it, by who fetched it and its address. */
const pages = new Map<string, string>()

async function fetchPages(client: Client, paths: readonly string[], who: string): Promise<void> {
  for (const path of paths) {
    const response = await client.send('GET', path)
    pages.set(`${who} ${path}`, await response.text())
  }
}

/** Fetches the pages for users, of one without videos and of one with videos of every kind. */
async function fetchUserPages(): Promise<void> {
  const user = await product.user()
  await fetchPages(user, PAGES.user, 'a new user:')
  const { userId } = user
  const [done] = await addVideos(product, { userId, status: 'completed', n: 3 })
  const [failed] = await addVideos(product, { userId, status: 'error', aspectRatio: 'landscape' })
  const { body } = await user.post<{ batchId: string }>('/api/videos/bulk-generate', {
    prompts: ['one', 'two'],
  })
  const waiting = await product.db.query<{ id: string }>(
    `select id from videos where user_id = $1 and status = 'pending' limit 1`,
    [userId],
  )
  const [making] = await makeVideos(product, userId, [{ status: 'pending' }])
  await tellProgress(product, making?.id ?? '', 40)
  await addUsage(product, userId, [{ daysAgo: 5, charged: 12, returned: 3 }])
  await product.db.query(
    `insert into drafts (user_id, kind, text, negative_prompt, aspect_ratio)
     values ($1, 'bulk', E'three\nfour', '', 'portrait'), ($1, 'rewrite', $2, '', 'portrait')`,
    [userId, JSON.stringify(PREVIEW)],
  )
  const paths = [
    ...['/app', '/app?tab=bulk', '/dashboard', '/dashboard?select=page', '/usage', '/app/receipt'],
    '/app/rewrite',
    ...[`/app?tab=bulk&batch=${body.batchId}&inOrder=1`, '/app?tab=bulk&dialog=stop-batch'],
    ...[done, failed, making?.id, waiting.rows[0]?.id].map((id) => `/videos/${id}`),
    `/app?watch=${done}`,
    ...['preview', 'edit', 'more', 'regenerate', 'delete'].map(
      (name) => `/app?dialog=${name}&on=${done}`,
    ),
    ...[`/app?dialog=retry&on=${failed}`, '/app?dialog=retry-all', '/app?dialog=change-password'],
    `/dashboard?dialog=delete-selected&ids=${done}`,
  ]
  await fetchPages(user, paths, 'a user:')
}

async function fetchAdminPages(): Promise<void> {
  const admin = await product.user({ role: 'admin' })
  const user = await product.user()
  const [, thrown] = await addVideos(product, { userId: user.userId, status: 'completed', n: 3 })
  await user.call('DELETE', `/api/videos/${thrown}`)
  await admin.post('/api/admin/extra-tokens', { token: 'a-token-of-the-pool' })
  await product.db.query(`insert into prompts (id, text) values
    (gen_random_uuid(), 'A kite over a field'), (gen_random_uuid(), 'A boat')`)
  const paths = [
    ...PAGES.admin,
    ...['edit', 'reset', 'delete'].map((name) => `/admin?dialog=${name}&on=${user.userId}`),
    `/admin/users/${user.userId}?dialog=renew-today`,
    ...['/admin/tokens', '/admin/users/assign-tokens', '/admin/confirm?to=%2Fadmin'],
    `/admin/users/change?scope=chosen&ids=${user.userId}&kind=add-days&days=30`,
    // A page of its own whose subject is missing.
    '/admin/changes/00000000-0000-7000-8000-000000000000',
  ]
  await fetchPages(admin, paths, 'an administrator:')
}

test('every page is valid HTML, and tells search engines what it is about', async () => {
  await fetchPages(product.client(), PAGES.public, 'a visitor:')
  await fetchUserPages()
  await fetchAdminPages()
  expect(await checkHtml(pages)).toEqual({})
  const withFault = (hasFault: (html: string) => boolean) =>
    [...pages].flatMap(([address, html]) => (hasFault(html) ? [address] : []))
  expect(withFault((html) => !/<meta name="description" content="[^"]+"/.test(html))).toEqual([])
  // The label of a field that a screen reader reaches.
  expect(withFault((html) => /<label[^>]*aria-hidden/.test(html))).toEqual([])
})
