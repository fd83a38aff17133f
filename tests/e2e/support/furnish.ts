import type { Page } from '@playwright/test'
import { addVideos } from '../../support/ended-videos'
import type { Installation } from '../../support/installation'
import { PAGES } from '../../support/all-pages'
import { addUsage } from '../../support/usage'
import { makeVideos, tellProgress } from '../../support/videos'
import { call, closeService, openService } from './calls'

/** Addresses to check, and what takes back the work that would never end. */
export type Furnished = { pages: string[]; dialogs: string[]; clear: () => Promise<void> }

const isDialog = (path: string) => path.includes('dialog=')

/** A name longer than a column of a table, without a space. It differs for each user. */
const longName = (id: string) => `a-name-without-any-space-imported-${id.slice(-12)}@example.com`

async function addPrompts({ db }: Installation): Promise<void> {
  await db.query(`insert into prompts (id, text) values
    (gen_random_uuid(), 'A kite over a field'), (gen_random_uuid(), 'A boat')`)
}

/**
 * Gives the page's user a finished, a failed and a generating video, a batch that waits, a
 * draft, and usage of an earlier day. Returns the addresses of all pages for users.
 */
export async function furnishUser(
  page: Page,
  product: Installation,
  userId: string,
): Promise<Furnished> {
  await addPrompts(product)
  const [failed, done, making] = await makeVideos(product, userId, [
    { status: 'error', regenerate_count: 1 },
    { aspect_ratio: 'landscape', negative_prompt: 'fog', regenerated_by_admin: true },
    { status: 'pending', prompt: 'oneverylongword'.repeat(8) },
  ])
  if (!failed || !done || !making) throw new Error('three videos were made')
  await closeService(product)
  const { batchId } = await call<{ batchId: string }>(page, 'POST', '/api/videos/bulk-generate', {
    prompts: Array.from({ length: 12 }, (_, i) => `Boat ${i}`),
  })
  await tellProgress(product, making.id, 40)
  await addUsage(product, userId, [{ daysAgo: 5, charged: 12, returned: 3 }])
  await product.db.query(
    `insert into drafts (user_id, kind, text, negative_prompt, aspect_ratio)
     values ($1, 'bulk', E'one\ntwo\n{"three"', '', 'portrait')`,
    [userId],
  )
  const pages = [
    ...PAGES.user,
    ...['/app?tab=bulk', `/app?tab=bulk&batch=${batchId}&inOrder=1`, '/app/receipt'],
    ...[failed, done, making].map(({ id }) => `/videos/${id}`),
    ...[`/app?watch=${done.id}`, '/dashboard?select=page'],
  ]
  const dialogs = [
    '/app?dialog=change-password',
    '/app?tab=bulk&dialog=stop-batch',
    `/app?dialog=preview&on=${done.id}`,
    `/app?dialog=edit&on=${done.id}`,
    `/dashboard?dialog=delete&on=${done.id}`,
    `/dashboard?dialog=delete-selected&ids=${failed.id}`,
    `/app?dialog=retry&on=${failed.id}`,
    '/app?dialog=retry-all',
  ]
  const clear = async () => {
    await product.db.query('delete from attempts where video_id = $1', [making.id])
    await product.db.query('delete from videos where id = $1', [making.id])
    await call(page, 'POST', `/api/batches/${batchId}/cancel`)
    await openService(product)
  }
  return { pages, dialogs, clear }
}

/**
 * Creates users with videos, also in the trash, a token of the pool and prompts. Returns the
 * addresses of all pages for administrators.
 */
export async function furnishPlatform(
  page: Page,
  product: Installation,
): Promise<Pick<Furnished, 'pages' | 'dialogs'>> {
  const user = await product.user({ plan: 'Enterprise', video_limit: 1000 })
  const [, thrown] = await addVideos(product, {
    userId: user.userId,
    status: 'completed',
    n: 3,
    withFiles: true,
  })
  await addVideos(product, {
    userId: user.userId,
    status: 'error',
    prompt: 'oneverylongword'.repeat(8),
  })
  await user.call('DELETE', `/api/videos/${thrown}`)
  const { userId: named } = await product.user()
  // As wide as a row of the list of users can be.
  await product.db.query(
    `update users set username = $2, phone = '+923001234567', password_hash = null,
       video_limit = 1000000, expiry_date = now() + interval '3650 days'
     where id = $1`,
    [named, longName(named)],
  )
  const token = `a-token-of-the-pool-${named.slice(-12)}`
  await call(page, 'POST', '/api/admin/extra-tokens', { token })
  await addPrompts(product)
  const claim = await addClaim(product, user)
  const all = [
    ...PAGES.admin,
    ...['/admin/tokens', '/admin/users/assign-tokens', '/admin/confirm?to=%2Fadmin'],
    `/admin/users/change?scope=chosen&ids=${user.userId}&ids=${named}&kind=add-days&days=30`,
    ...['edit', 'renew', 'reset', 'delete'].map(
      (name) => `/admin?dialog=${name}&on=${user.userId}`,
    ),
    ...[user.userId, named].map((id) => `/admin/users/${id}`),
    `/admin/users/${named}?dialog=renew-end&on=${named}`,
    `/admin/renewals?dialog=renew-today&on=${user.userId}`,
    ...['confirm', 'reject', 'refund'].map((name) => `/admin/payments?dialog=${name}&on=${claim}`),
    // A page of its own whose subject is missing.
    '/admin/changes/00000000-0000-7000-8000-000000000000',
  ]
  return { pages: all.filter((path) => !isDialog(path)), dialogs: all.filter(isDialog) }
}

/** Adds a claim of a user, whose reference and screenshot another payment has too. Returns its id. */
async function addClaim(
  { db }: Installation,
  { userId, username }: { userId: string; username: string },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into payments (id, user_id, username, plan, amount, currency, method, reference,
       reference_key, received_at, note, state, reason, decided_at)
     values (gen_random_uuid(), $1, 'earlier', 'Starter', 20000, 'PKR', 'cash', 'TX 1', 'tx1',
         now() - interval '3 days', null, 'rejected', 'It did not arrive', now() - interval '2 days'),
       (gen_random_uuid(), null, 'other ' || $2, 'Starter', 400, 'USD', 'wallet', 'tx 1', 'tx1',
         now() - interval '2 days', 'Sent yesterday', 'claimed', null, null),
       (gen_random_uuid(), $1, $2, 'Business', 150000, 'PKR', 'bank', 'TX-1', 'tx1', now(), null,
         'claimed', null, null)
     returning id`,
    [userId, username],
  )
  return rows.at(-1)?.id ?? ''
}
