import { addVideos } from '../support/ended-videos'
import { expect, expectPageError, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { selectAll } from './support/ui'

test('customers whose plan ends are renewed together and told one after the other', async ({
  page,
  signIn,
  product,
}) => {
  await signIn({ role: 'admin' })
  const ending = new Date(Date.now() + 2 * 86_400_000)
  const customers = await Promise.all(
    [1, 2, 3].map(async () => {
      const { userId } = await product.user({ plan: 'Business', expiry_date: ending })
      const name = `tell-${userId.slice(-8)}`
      await product.db.query('update users set username = $2 where id = $1', [userId, name])
      return { userId, name }
    }),
  )
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'A chat' }))
  await page.goto('/admin/renewals?filter=expiring&search=tell-')
  await page.getByRole('link', { name: 'Select all found' }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('heading', { name: 'Renew by 30 days: 3 users' })).toBeVisible()
  await page.getByRole('button', { name: 'Apply to 3 users' }).click()
  await expect(page.getByRole('heading', { name: 'Renewed: 3 users' })).toBeVisible()
  for (const { name } of customers) {
    const [chat] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: `Chat with ${name}` }).click(),
    ])
    await chat.waitForURL(/wa\.me\/\d+\?text=Thank/)
    expect(decodeURIComponent(chat.url())).toContain('Plan: Business')
    await chat.close()
  }
  await page.getByRole('link', { name: customers[0]!.name }).click()
  await expect(page.getByText(/Last written to .*: Plan renewed/)).toBeVisible()
  await page.getByLabel('Only administrators see it').fill('Pays on the 5th')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByText('changed the note about a user')).toBeVisible()
  await expect(page.getByLabel('Only administrators see it')).toHaveValue('Pays on the 5th')
})

test(
  'failed videos on all pages are selected at once, and regenerated with their number',
  { tag: '@scripts' },
  async ({ page, signIn, product }) => {
    expectPageError('400')
    await signIn({ role: 'admin' })
    const { userId } = await product.user()
    await addVideos(product, { userId, status: 'error', n: 120 })
    await page.goto(`/admin/videos?user=${userId}&status=error&reason=service`)
    await selectAll(page, 'Select all 120 that match')
    await page.getByRole('button', { name: 'Regenerate Selected' }).click()
    const box = page.getByRole('alertdialog')
    await box.getByLabel('Type 120 to continue').fill('119')
    await box.getByRole('button', { name: 'Regenerate' }).click()
    await expect(box.getByText('Nothing was started.').first()).toBeVisible()
    await box.getByLabel('Type 120 to continue').fill('120')
    await box.getByRole('button', { name: 'Regenerate' }).click()
    await expectToast(page, 'Regeneration started')
    await expect(box).toHaveCount(0)
    await expect(page.getByText('120 selected')).toHaveCount(0)
  },
)
