import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { textField } from '../../app/domain/business/chat-texts'
import { CHAT_OCCASIONS } from '../../app/domain/business/types'
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
    await announce('Closed today', { fromDay: '2100-01-01' })
    expect(await shown()).toBe(false)
    await announce('Closed today', { fromDay: '2020-01-01', untilDay: '2100-01-01' })
    expect(await shown()).toBe(true)
    await product.db.query(
      `update business_settings set value = value || '{"untilDay": "2020-01-02"}' where name = 'announcement'`,
    )
    expect(await shown()).toBe(false)
  })

  test('is refused if its last day is over', async () => {
    const { status, text } = await announce('Over', { untilDay: '2020-01-01' })
    expect([status, text.includes('The last day is over')]).toEqual([400, true])
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

describe('chat texts', () => {
  const texts = (over: Record<string, string> = {}) => ({
    intent: 'chat-texts',
    was: 'English',
    name: 'English',
    ...Object.fromEntries(
      CHAT_OCCASIONS.map((one) => [textField(one), `${one}: {name} until {end}`]),
    ),
    ...over,
  })

  test('are the ones that the dialog of a new account sends, in each language', async () => {
    expect((await openPage(admin, PAGE)).text).toContain('Your {product} account is ready.')
    await sendForm(admin, PAGE, texts({ 'texts-account': 'Welcome {name} ({plan}): {link}' }))
    const urdu = { was: '', name: 'Urdu', 'texts-account': 'خوش آمدید {name}' }
    const saved = await sendForm(admin, `${PAGE}?language=`, texts(urdu))
    expect(saved.location).toContain('language=Urdu')
    const phone = '923451234567'
    const made = await sendForm(admin, '/admin', { intent: 'quick-create', phone, plan: 'Starter' })
    const chats = [...made.html.matchAll(/href="(https:\/\/wa\.me\/[^"]+)"/g)].map(([, href]) =>
      new URL(href ?? '').searchParams.get('text'),
    )
    expect(chats).toHaveLength(2)
    expect(chats[0]).toMatch(/^Welcome 923451234567 \(Starter\): http\S+set-password/)
    expect(chats[1]).toBe('خوش آمدید 923451234567')
    expect(await logged('setting.chat-texts')).toMatchObject({
      after: { 'Urdu, New account': 'خوش آمدید {name}' },
    })
    for (const was of ['Urdu', 'English'])
      await sendForm(admin, PAGE, { intent: 'remove-language', was })
    expect((await openPage(admin, PAGE)).text).toContain('Your {product} account is ready.')
  })

  test('with an unknown field, or with a name that is taken, are refused and kept as typed', async () => {
    const sent = await sendForm(admin, PAGE, texts({ 'texts-ended': 'Hello {nmae}' }))
    expect(sent.status).toBe(400)
    expect(sent.text).toContain('{nmae} is not a field. Use {name}, {plan}')
    expect(sent.html).toContain('Hello {nmae}')
    expect(await logged('setting.chat-texts')).not.toMatchObject({
      after: { 'English, Plan has ended': 'Hello {nmae}' },
    })
    const twice = await sendForm(admin, `${PAGE}?language=`, texts({ was: '', name: 'english' }))
    expect([twice.status, twice.text.includes('There are texts in english already')]).toEqual([
      400,
      true,
    ])
  })
})
