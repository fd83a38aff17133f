import { addVideos } from '../support/ended-videos'
import { checkPages } from './support/axe'
import { expect, expectPageError, test } from './support/fixtures'
import { lookAt, overflowOf } from './support/looks'
import { expectToast } from './support/toasts'
import { card, pressTicked } from './support/ui'

test('U-COLL-7, U-COLL-8: clips are put into a collection, shown there, taken out, and shared @looks', async ({
  page,
  browser,
  product,
  userId,
  withScripts,
}) => {
  // A form without a name is refused, and the link has ended at last.
  expectPageError('400', '404')
  const of = { userId, status: 'completed', withFiles: true } as const
  for (const prompt of ['A kite', 'A boat', 'A train']) await addVideos(product, { ...of, prompt })
  await page.goto('/dashboard')
  for (const prompt of ['A kite', 'A boat']) await card(page, prompt).getByRole('checkbox').check()
  await pressTicked(page, 'Add to collection')
  await expect(page.getByText('Add 2 videos to a collection')).toBeVisible()
  const dialog = page.getByRole('alertdialog')
  await lookAt(page, { name: 'collect', withScripts })
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog.getByText('Choose a collection or enter a name')).toBeVisible()
  await dialog.getByLabel('Name of a new collection').fill('Summer')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, '2 clips added')
  await expect(dialog).toHaveCount(0)

  // The second time it is one of a list.
  await page.goto('/dashboard')
  await card(page, 'A train').getByRole('checkbox').check()
  await pressTicked(page, 'Add to collection')
  await dialog.getByLabel('Collection', { exact: true }).selectOption('Summer')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, '1 clip added')
  await page.getByRole('link', { name: 'Open the collection' }).click()
  await expect(page.getByRole('heading', { name: 'Summer' })).toBeVisible()

  await page.goto('/collections')
  await expect(page.getByText('3 clips')).toBeVisible()
  await lookAt(page, { name: 'collections', withScripts })
  await page.getByRole('link', { name: 'Rename: Summer' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Autumn')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await expectToast(page, 'Collection renamed')
  await page.getByRole('heading', { name: 'Autumn' }).getByRole('link').click()
  await expect(page.getByRole('article')).toHaveCount(3)
  const collection = page.url()

  await card(page, 'A train').getByRole('checkbox').check()
  await pressTicked(page, 'Remove from collection')
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expectToast(page, '1 clip removed')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByText('Showing 1-2 of 2 videos')).toBeVisible()

  await page.getByLabel('Show the prompts').check()
  await page.getByRole('button', { name: 'Create a link' }).click()
  await expectToast(page, 'Link created')
  await lookAt(page, { name: 'collection', withScripts })
  const address = await page.getByRole('link', { name: '/shared/' }).getAttribute('href')

  const stranger = await browser.newContext({ javaScriptEnabled: withScripts })
  const guest = await stranger.newPage()
  await guest.goto(new URL(address ?? '', page.url()).href)
  await expect(guest.getByRole('heading', { name: 'Autumn' })).toBeVisible()
  await expect(guest.getByRole('link', { name: 'Download' })).toHaveCount(2)
  if (withScripts) await checkPages(guest, [guest.url()])
  await lookAt(guest, { name: 'shared-collection', withScripts })
  await guest.getByRole('link', { name: 'Play: A kite' }).click()
  await expect(guest.getByText('A kite')).toBeVisible()
  await guest.getByRole('link', { name: 'All clips of this collection' }).click()
  await expect(guest.getByRole('link', { name: 'Download' })).toHaveCount(2)

  await card(page, 'A boat').getByRole('link', { name: 'Play: A boat' }).click()
  if (withScripts) {
    await page.getByRole('dialog').getByText('More', { exact: true }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Collections', exact: true }).click()
  }
  await page.getByRole('button', { name: 'Remove from Autumn' }).click()
  await expectToast(page, 'Clip removed')
  await page.getByLabel('Collection', { exact: true }).selectOption('Autumn')
  await lookAt(page, { name: 'clip-collections', withScripts })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, '1 clip added')

  await page.goto('/collections')
  await page.getByRole('link', { name: 'Delete: Autumn' }).click()
  await expect(dialog).toBeVisible()
  const question = page.url()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Collection deleted')
  expect((await guest.reload())?.status()).toBe(404)
  await stranger.close()
  // As in another tab, which still lists the collection.
  await page.goto(question)
  await expect(page.getByRole('heading', { name: 'This collection was not found' })).toBeVisible()
  await page.goto(collection)
  await page.getByRole('link', { name: 'Collections', exact: true }).click()
  await expect(page.getByText('No collections yet.')).toBeVisible()
})

test('U-COLL-15: the page of a collection has ticks of its own @scripts', async ({
  page,
  product,
  userId,
}) => {
  await addVideos(product, { userId, status: 'completed', withFiles: true, prompt: 'A kite' })
  await page.goto('/dashboard')
  await card(page, 'A kite').getByRole('checkbox').check()
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.goto('/collections')
  await page.getByLabel('New collection').fill('Empty')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('This collection is empty.')).toBeVisible()
  await expect(page.getByText('1 selected')).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(page.getByText('1 selected')).toBeVisible()
})

test('U-COLL-7: a name without blanks is broken, in errors, titles and messages', async ({
  page,
  signIn,
}) => {
  expectPageError('409')
  await signIn()
  await page.setViewportSize({ width: 375, height: 720 })
  const name = `🎬مجموعة${'N'.repeat(50)}`
  const create = async () => {
    await page.goto('/collections')
    await page.getByLabel('New collection').fill(name)
    await page.getByRole('button', { name: 'Create' }).click()
  }
  const fits = async () => expect(await overflowOf(page, 375)).toBeLessThanOrEqual(0)
  await create()
  await expect(page.getByText('This collection is empty.')).toBeVisible()
  await fits()
  await create()
  await expect(page.getByText('You have a collection named').first()).toBeVisible()
  await fits()
  await page.getByRole('link', { name: `Delete: ${name}` }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  const title = page.getByRole('heading', { name: /^Delete / })
  expect(await title.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
})

test('U-COLL-7: a refused addition is said once, in its dialog, whose title no message covers @scripts', async ({
  page,
  product,
  userId,
}) => {
  expectPageError('409')
  const [id = ''] = await addVideos(product, {
    userId,
    status: 'completed',
    prompt: 'A kite',
    withFiles: true,
  })
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto('/dashboard')
  // After the first message there is a place for messages.
  await page.getByRole('button', { name: 'Star: A kite' }).click()
  await expectToast(page, 'Starred')
  await card(page, 'A kite').getByRole('checkbox').check()
  await pressTicked(page, 'Add to collection')
  const dialog = page.locator('dialog:modal')
  const title = await dialog.getByRole('heading').boundingBox()
  const place = await page.locator('.toast-place').boundingBox()
  expect(place?.y).toBeGreaterThan((title?.y ?? Infinity) + (title?.height ?? 0))
  await dialog.getByLabel('Name of a new collection').fill('Summer')
  // As if the clip was lost meanwhile.
  await product.db.query(
    "update videos set status = 'error', error_code = 'busy', error_message = 'Busy', file_key = null where id = $1",
    [id],
  )
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  // The gallery is read again, and then the dialog knows it as well.
  const said = dialog
    .getByText('This video is not finished yet')
    .or(dialog.getByText('Nothing to add'))
  await expect(said.first()).toBeVisible()
  await expect(page.locator('.toast-place').getByText('Not added')).toHaveCount(0)
})

test('U-COLL-7: what has no clip is not asked for a name', async ({ page, product, userId }) => {
  await addVideos(product, { userId, status: 'error', prompt: 'A kite' })
  await page.goto('/dashboard')
  await card(page, 'A kite').getByRole('checkbox').check()
  await pressTicked(page, 'Add to collection')
  await expect(page.getByRole('heading', { name: 'Nothing to add' })).toBeVisible()
  await expect(page.getByLabel('Name of a new collection')).toHaveCount(0)
})
