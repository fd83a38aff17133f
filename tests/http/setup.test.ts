import { afterEach, beforeAll, expect, test } from 'vitest'
import { addVideos } from '../support/ended-videos'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// Issue 38, item 8: what has to be set up before selling.

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})
afterEach(() => product.db.query('delete from business_settings'))

const PAGE = '/admin/setup'
const open = async () => (await openPage(admin, PAGE)).text

test('names what is missing and where it is set; what is done comes last', async () => {
  const text = await open()
  for (const words of [
    'Contacts To do Buyers write to 10000000000 and hello@example.com. Set in Settings',
    'TLS To do Passwords travel in clear: put a proxy with TLS in front, and begin APP_URL with https. Backups',
    'Backups To do They are off',
    'Alarms To do Off: problems are shown on the System page only. Set in Settings',
    'Prices To do Plans are sold at the prices that the product came with. Set in Plans',
    'Tokens To do The preview renderer draws sample clips. Choose a provider. Set in VIDEO_PROVIDER',
    'Two-step sign-in To do 1 administrator without it.',
    'A test order To do No video has been delivered lately. Ordered in Generate Video',
    'Payment accounts Done Buyers see:',
  ])
    expect(text).toContain(words)
  expect(text.indexOf('Payment accounts')).toBeGreaterThan(text.indexOf('A test order'))
})

test('sees what is done: a delivery, and contacts of one’s own', async () => {
  // The demonstration's videos are no deliveries.
  await addVideos(product, { userId: admin.userId, status: 'completed' })
  expect(await open()).toContain('A test order To do')
  await product.db.query(
    `insert into end_counts (starts_at, slot, delivered, failed, times)
     values (date_bin('15 minutes', engine_now(), 'epoch'), 0, 1, 0, array_fill(0, array[56]))`,
  )
  await sendForm(admin, '/admin/settings', {
    intent: 'contacts',
    chatNumber: '+44 20 7946 0001',
    email: 'a@b.example',
    socialUrl: 'https://social.example/us',
  })
  const text = await open()
  expect(text).toContain('A test order Done A video was delivered.')
  expect(text).toContain('Contacts Done Buyers write to +44 20 7946 0001')
  for (const table of ['videos', 'end_counts']) await product.db.query(`delete from ${table}`)
})

test('what only a person can know is marked by hand, recorded, and can be taken back', async () => {
  const marked = await sendForm(admin, PAGE, { intent: 'mark-done', step: 'copies' })
  expect(marked.text).toContain('Marked as done')
  expect(await open()).toContain('Copies of the backups Done')
  const { rows } = await product.db.query<{ after: unknown }>(
    `select after from trail_entries where action = 'setting.setup' order by at desc limit 1`,
  )
  expect(rows[0]?.after).toEqual({ marked: 'copies' })
  await sendForm(admin, PAGE, { intent: 'mark-open', step: 'copies' })
  expect(await open()).toContain('Copies of the backups To do')
  const wrong = await sendForm(admin, PAGE, { intent: 'mark-done', step: 'tls' })
  expect(wrong.status).toBe(400)
})

test('O15: alarms that are off are no OK; they and prices of one’s own are seen', async () => {
  const { html } = await openPage(admin, '/admin/system')
  const card = html.split(/<li[ >]/).find((item) => item.includes('>Alarms</h2>')) ?? ''
  expect(textOf(card)).toContain('Check this Off: problems are shown here only.')
  await product.db.query(
    `insert into business_settings (name, value, changed_at) values
     ('alarms', '{"targets": {"webhook": null, "telegram": null, "email": "a@b.example"}, "names": [],
        "fewKeys": 2, "failures": 20, "quietFrom": null, "quietUntil": null, "summaryAt": null}', now())`,
  )
  expect(await open()).toContain('Alarms To do The secret of e-mail is missing')
  await sendForm(admin, PAGE, { intent: 'mark-done', step: 'prices' })
  expect(await open()).toContain('Prices Done')
})

test('only administrators reach it, from the System page', async () => {
  expect((await openPage(admin, '/admin/system')).html).toContain(`href="${PAGE}"`)
  expect((await openPage(await product.user(), PAGE)).status).toBe(403)
})
