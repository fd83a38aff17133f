import { makeVideos } from '../support/videos'
import { expect, test } from './support/fixtures'
import { expectToast } from './support/toasts'
import { card, openTool, pressAndConfirm } from './support/ui'

test('U-CARD-5, U-DEL-1, U-DEL-2: clips are starred on their card and as ticked ones, listed, kept and deleted one by one', async ({
  page,
  product,
  signIn,
  withScripts,
}) => {
  const { userId } = await signIn()
  await makeVideos(product, userId, [
    { prompt: 'A boat' },
    { prompt: 'A kite' },
    { prompt: 'A train', status: 'error' },
  ])
  await page.goto('/dashboard')
  const star = (prompt: string, name: 'Star' | 'Unstar') =>
    card(page, prompt).getByRole('button', { name: `${name}: ${prompt}` })
  const confirm = (name: string) =>
    page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
  await expect(star('A train', 'Star')).toHaveCount(0)
  await star('A boat', 'Star').click()
  await expect(star('A boat', 'Unstar')).toBeVisible()

  for (const prompt of ['A kite', 'A train']) await card(page, prompt).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Star', exact: true }).click()
  await expect(page.getByText('Star 2 videos?')).toBeVisible()
  await confirm('Star')
  await expectToast(page, '1 video starred')

  // The filter lists them; there they are unstarred.
  await openTool(page, 'More actions')
  await page.getByRole('link', { name: 'Starred' }).click()
  await expect(page).toHaveURL(/starred=yes/)
  await expect(page.getByRole('article')).toHaveText([/A kite/, /A boat/])
  await star('A kite', 'Unstar').click()
  // While the pointer is over the cards, none moves.
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(page.getByRole('article')).toHaveText([/A boat/])
  await expect(page.locator('button[value="unstar-selected"]')).toBeAttached()

  await page.goto('/dashboard')
  for (const prompt of ['A kite', 'A boat']) await card(page, prompt).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await expect(page.getByText('1 starred video is kept.')).toBeVisible()
  await confirm('Delete')
  await expect(page.getByText('1 starred video was kept.').first()).toBeVisible()
  await expect(page.getByRole('article')).toHaveText([/A train/, /A boat/])

  // On its own page, and in the preview that scripts open.
  await card(page, 'A boat').getByRole('link', { name: 'Play: A boat' }).click()
  await page.getByRole('button', { name: 'Unstar', exact: true }).click()
  await expectToast(page, 'Star removed')
  await page.getByRole('button', { name: 'Star', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Unstar', exact: true })).toBeVisible()
  await page.goto('/dashboard')
  const questions: string[] = []
  page.on('dialog', (dialog) => questions.push(dialog.message()))
  await pressAndConfirm(page, { prompt: 'A boat', name: 'Delete', withScripts })
  await expectToast(page, 'Video deleted')
  await expect(card(page, 'A boat')).toHaveCount(0)
  if (withScripts) expect(questions[0]).toContain('Delete this video? It is starred.')
})
