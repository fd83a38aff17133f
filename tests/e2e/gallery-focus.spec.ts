import { expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { card, deleteSelected, press, selectAll } from './support/ui'

// Only with scripts: without them a deletion loads a page.

const headings = [
  ['/app', 'Your Videos'],
  ['/dashboard', 'All videos'],
] as const

test('U-DEL-1: after the last video is deleted the focus is on the heading of the gallery', async ({
  page,
  makeOwn,
}) => {
  page.on('dialog', (dialog) => void dialog.accept())
  for (const [address, heading] of headings) {
    await makeOwn([{ prompt: 'A kite' }])
    await page.goto(address, { waitUntil: 'networkidle' })
    await press(page, 'A kite', 'Delete')
    await expect(page.getByText('No videos generated yet.')).toBeVisible()
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeFocused()
  }
})

test('U-DEL-2: after a selection is deleted the focus is in the gallery', async ({
  page,
  makeOwn,
}) => {
  for (const [address, heading] of headings) {
    await makeOwn([{ prompt: 'A kite' }, { prompt: 'A boat' }])
    await page.goto(address)
    await selectAll(page)
    await card(page, 'A boat').getByRole('checkbox').uncheck()
    await deleteSelected(page)
    await expectToast(page, 'Videos deleted')
    await expect(card(page, 'A kite')).toHaveCount(0)
    // The bar of ticked videos has gone.
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeFocused()
    await selectAll(page)
    await deleteSelected(page)
    await expectToast(page, 'Videos deleted')
    await expect(page.getByText('No videos generated yet.')).toBeVisible()
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeFocused()
  }
})
