import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation()
let admin: TestUser
let user: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
  user = await product.user()
})
afterEach(async () => {
  await product.db.query('delete from business_settings')
  await product.db.query('delete from announcement_dismissals')
})

const PAGE = '/admin/settings'
const order = (client: TestUser) =>
  client.post<{ code: string; error: string }>('/api/videos/generate', { prompt: 'a boat' })
const logged = async (action: string) => {
  const { rows } = await product.db.query<{ before: unknown; after: unknown }>(
    'select before, after from trail_entries where action = $1 order by at desc limit 1',
    [action],
  )
  return rows[0]
}

describe('an announcement', () => {
  const announce = (text: string, days: Record<string, string> = {}) =>
    sendForm(admin, PAGE, { intent: 'announce', text, level: 'warning', ...days })

  test('is above every page of a user until they close it; the next one is shown again', async () => {
    expect((await announce('We move on Sunday.')).text).toContain('Announcement saved')
    for (const page of ['/app', '/dashboard', '/usage'])
      expect((await openPage(user, page)).text).toContain('We move on Sunday.')
    const { html } = await openPage(user, '/usage')
    const announcementId = /name="announcementId" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const closed = await user.submit('/resources/announcement', {
      announcementId,
      returnTo: '/usage',
    })
    expect([closed.status, closed.headers.get('location')]).toEqual([303, '/usage'])
    expect((await openPage(user, '/usage')).text).not.toContain('We move on Sunday.')
    expect((await openPage(admin, '/usage')).text).toContain('We move on Sunday.')

    await announce('We have moved.')
    expect((await openPage(user, '/usage')).text).toContain('We have moved.')
    expect(await logged('setting.announcement')).toMatchObject({
      before: { text: 'We move on Sunday.' },
      after: { text: 'We have moved.', level: 'warning' },
    })
    await sendForm(admin, PAGE, { intent: 'end-announcement' })
    expect((await openPage(user, '/usage')).text).not.toContain('We have moved.')
  })

  test('is shown on its days only', async () => {
    const shown = async () => (await openPage(user, '/usage')).text.includes('Closed today')
    await announce('Closed today', { fromDay: '2020-01-01', untilDay: '2020-01-02' })
    expect(await shown()).toBe(false)
    await announce('Closed today', { fromDay: '2100-01-01' })
    expect(await shown()).toBe(false)
    await announce('Closed today', { fromDay: '2020-01-01', untilDay: '2100-01-01' })
    expect(await shown()).toBe(true)
  })

  test('keeps what was typed if its days are the wrong way round', async () => {
    const sent = await announce('Soon', { fromDay: '2030-02-01', untilDay: '2030-01-01' })
    expect(sent.status).toBe(400)
    expect(sent.text).toContain('The last day is before the first')
    expect(sent.html).toContain('Soon')
  })
})

describe('a pause of new orders', () => {
  test('refuses every order of users with its sentence; administrators can order, to test', async () => {
    const text = 'Back at six. Videos under way are made.'
    await sendForm(admin, PAGE, { intent: 'pause', text })
    expect(await order(user)).toMatchObject({
      status: 409,
      body: { code: 'ORDERS_PAUSED', error: text },
    })
    const bulk = await user.post('/api/videos/bulk-generate', { prompts: ['a boat', 'a kite'] })
    expect(bulk.status).toBe(409)
    expect(await user.get('/api/videos')).toMatchObject({ body: { videos: [] } })
    expect((await order(admin)).status).toBe(201)
    expect((await openPage(user, '/app')).text).toContain(text)
    const sent = await sendForm(user, '/app', { intent: 'generate', prompt: 'a boat' })
    expect(sent.html).toMatch(/<textarea[^>]*name="prompt"[^>]*>\s*a boat/)
    expect((await openPage(admin, '/admin/system')).text).toContain(`Users read: “${text}”`)

    expect((await sendForm(admin, PAGE, { intent: 'resume' })).text).toContain('accepted again')
    expect((await order(user)).status).toBe(201)
  })
})

describe('contacts and payment accounts', () => {
  test('replace the environment’s on the public pages, and can be taken back', async () => {
    const contacts = { chatNumber: '+44 20 7946 0001', email: 'a@b.example' }
    const saved = await sendForm(admin, PAGE, {
      intent: 'contacts',
      socialUrl: 'https://social.example/us',
      ...contacts,
    })
    expect(saved.text).toContain('Contacts saved')
    const pricing = async () => (await openPage(product.client(), '/pricing')).html
    expect(await pricing()).toContain('wa.me/442079460001')
    const payment = {
      'exchange-name': 'Exchange',
      'exchange-accountName': 'Us',
      'exchange-account': '',
      'wallet-name': 'Wallet',
      'wallet-accountName': 'Us',
      'wallet-account': '0300 999',
      'bank-name': 'Bank',
      'bank-accountName': 'Us',
      'bank-account': '',
    }
    await sendForm(admin, PAGE, { intent: 'payment', ...payment })
    expect(await pricing()).toContain('0300 999')
    expect(await pricing()).not.toContain('PK00TEST0000001123456702')
    expect((await openPage(admin, '/admin/system')).text).toContain('Buyers see: Wallet.')
    expect(await logged('setting.payment')).toMatchObject({
      after: { exchange: null, wallet: 'Wallet, Us, 0300 999', bank: null },
    })

    await sendForm(admin, PAGE, { intent: 'payment-default' })
    await sendForm(admin, PAGE, { intent: 'contacts-default' })
    expect(await pricing()).toContain('PK00TEST0000001123456702')
    expect(await pricing()).not.toContain('wa.me/442079460001')
  })

  test('a wrong field is named, and what was typed stays', async () => {
    const sent = await sendForm(admin, PAGE, {
      intent: 'contacts',
      chatNumber: 'call me',
      email: 'a@b.example',
      socialUrl: 'https://social.example',
    })
    expect(sent.status).toBe(400)
    expect(sent.text).toContain('Chat number must be a phone number with its country code')
    expect(sent.html).toContain('value="call me"')
  })

  test('payment accounts need the password if it was not given lately', async () => {
    const late = await product.user({ role: 'admin' })
    await product.db.query(
      `update sessions set created_at = engine_now() - interval '1 hour' where user_id = $1`,
      [late.userId],
    )
    const sent = await sendForm(late, PAGE, { intent: 'payment-default' })
    expect([sent.status, sent.location?.startsWith('/admin/confirm')]).toEqual([307, true])
  })

  test('only administrators reach the page', async () => {
    expect((await openPage(user, PAGE)).status).toBe(403)
    const answer = await user.submit(PAGE, { intent: 'resume' })
    expect(answer.status).toBe(403)
  })
})
