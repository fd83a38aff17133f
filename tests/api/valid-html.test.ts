import { HtmlValidate, StaticConfigLoader } from 'html-validate'
import { expect, test } from 'vitest'
import type { Client } from '../support/client'
import { addVideos } from '../support/ended-videos'
import { checkHtml } from '../support/nu-html-checker'
import { useInstallation } from '../support/shared-installation'
import { PAGES } from '../support/all-pages'
import { makeVideos, tellProgress } from '../support/videos'

const checker = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended', 'html-validate:document'],
    rules: {
      // React's way of writing HTML, which is valid.
      'attr-case': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'void-style': 'off',
      'no-implicit-button-type': 'off',
      'no-implicit-input-type': 'off',
      // The files are our own, and their names contain the hash of their content.
      'require-sri': 'off',
      // Boxes of a list and buttons of a form share a name on purpose.
      'form-dup-name': 'off',
      // A list may have a name, and the sidebar's headings precede the page's.
      'aria-label-misuse': 'off',
      'heading-level': 'off',
      // The specification requires that the preview plays by itself.
      'no-autoplay': 'off',
      // Without scripts a page that shows progress refreshes itself, and tells the user so.
      'meta-refresh': 'off',
    },
  }),
)

const product = useInstallation()

/** Every page that a test below has fetched, by who fetched it and its address. */
const fetched = new Map<string, string>()

/** Returns what is invalid in the pages: each fault with the first page that has it. */
async function faultsOf(client: Client, paths: readonly string[], who: string) {
  const faults: Record<string, string> = {}
  for (const path of paths) {
    const response = await client.send('GET', path)
    const html = await response.text()
    fetched.set(`${who} ${path}`, html)
    if (!/<meta name="description" content="[^"]+"/.test(html)) faults['no description'] = path
    if (/<label[^>]*aria-hidden/.test(html)) faults['a hidden label'] = path
    const report = await checker.validateString(html, path)
    for (const { messages } of report.results)
      for (const { ruleId, message, offset } of messages) {
        const fault = `${ruleId}: ${message}`
        faults[fault] ??= `${path}: ${html.slice(Math.max(0, offset - 80), offset + 120)}`
      }
  }
  return faults
}

test('the pages for visitors are valid HTML', async () => {
  expect(await faultsOf(product.client(), PAGES.public, 'a visitor:')).toEqual({})
})

test('the pages for users are valid HTML, with videos of every kind', async () => {
  const user = await product.user()
  expect(await faultsOf(user, PAGES.user, 'a new user:')).toEqual({})
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
  await product.db.query(
    `insert into drafts (user_id, kind, text, negative_prompt, aspect_ratio)
     values ($1, 'bulk', E'three\nfour', '', 'portrait')`,
    [userId],
  )
  const paths = [
    ...['/app', '/app?tab=bulk', '/dashboard', '/dashboard?select=page', '/usage', '/app/receipt'],
    ...[`/app?tab=bulk&batch=${body.batchId}&inOrder=1`, '/app?tab=bulk&dialog=stop-batch'],
    ...[done, failed, making?.id, waiting.rows[0]?.id].map((id) => `/videos/${id}`),
    `/app?watch=${done}`,
    ...['preview', 'edit', 'regenerate', 'delete'].map((name) => `/app?dialog=${name}&on=${done}`),
    ...[`/app?dialog=retry&on=${failed}`, '/app?dialog=retry-all', '/app?dialog=change-password'],
    `/dashboard?dialog=delete-selected&ids=${done}`,
  ]
  expect(await faultsOf(user, paths, 'a user:')).toEqual({})
})

test('the pages for administrators are valid HTML', async () => {
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
    ...['/admin/tokens', '/admin/users/assign-tokens', '/admin/confirm?to=%2Fadmin'],
    `/admin/users/change?scope=chosen&ids=${user.userId}&kind=add-days&days=30`,
    // A page of its own whose subject is missing.
    '/admin/changes/00000000-0000-7000-8000-000000000000',
  ]
  expect(await faultsOf(admin, paths, 'an administrator:')).toEqual({})
})

// The last test, and for all pages at once, because each start of Java takes seconds.
test('the Nu Html Checker finds no error in any of these pages', async () => {
  expect(fetched.size, 'pages fetched by the tests above').toBeGreaterThan(50)
  expect(await checkHtml(fetched)).toEqual({})
})
