import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// Issue 49, item 6: two administrators have the same form open. Whoever saves later learns what the
// other changed, and overwrites nothing by saving what the page showed.

const product = useInstallation()
let first: TestUser
let second: TestUser
let helper: TestUser
let customer: TestUser
let tokenId = ''
let promptId = ''
beforeAll(async () => {
  first = await product.user({ role: 'admin' })
  second = await product.user({ role: 'admin' })
  helper = await product.user({ role: 'editor' })
  customer = await product.user({ plan: 'Starter', video_limit: 20 })
  await sendForm(first, '/admin/tokens', {
    intent: 'add-tokens',
    tokens: 'key_alpha_0123456789_AAAA',
  })
  tokenId = await idOf(`select id from credentials where last_four = 'AAAA'`)
  await sendForm(first, '/admin/prompts', { intent: 'create', text: 'A kite over a bay' })
  promptId = await idOf('select id from prompts')
})
afterAll(async () => {
  for (const table of ['business_settings', 'helper_rights', 'customer_cards', 'prompts'])
    await product.db.query(`delete from ${table}`)
  await product.db.query(`delete from credentials where last_four = 'AAAA'`)
})

const idOf = async (statement: string) =>
  (await product.db.query<{ id: string }>(statement)).rows[0]?.id ?? ''

type Fields = Record<string, string | readonly string[]>
type Case = {
  /** Its intent. */
  form: string
  page: () => string
  /** Hidden fields that tell it from forms with the same intent. */
  of?: () => Record<string, string>
  field: string
  /** What the first and the second administrator type in it. */
  values: readonly [string, string]
  /** What the second one changes instead, without a conflict. None: the form has no other field. */
  other?: Record<string, string>
  /** What the page must have before. */
  given?: Fields
}

const SETTINGS = '/admin/settings'
const CASES: readonly Case[] = [
  {
    form: 'contacts',
    page: () => SETTINGS,
    field: 'chatNumber',
    values: ['+44 20 7946 0001', '+44 20 7946 0002'],
    other: { email: 'new@shop.example' },
  },
  {
    form: 'payment',
    page: () => SETTINGS,
    field: 'bank-account',
    values: ['PK11', 'PK22'],
    other: { 'wallet-account': '0300 999' },
  },
  {
    form: 'plan',
    page: () => '/admin/plans',
    of: () => ({ plan: 'Business' }),
    field: 'rupees',
    values: ['1800', '1900'],
    other: { support: 'VIP' },
  },
  {
    form: 'chat-texts',
    page: () => SETTINGS,
    field: 'texts-ended',
    values: ['Over, {name}.', 'Ended, {name}.'],
    other: { 'texts-unused': 'Can we help, {name}?' },
  },
  {
    form: 'announce',
    page: () => SETTINGS,
    field: 'text',
    values: ['We move on Sunday.', 'We move on Monday.'],
    other: { level: 'warning' },
    given: { text: 'We move.' },
  },
  {
    form: 'pause',
    page: () => SETTINGS,
    field: 'text',
    values: ['Back at six.', 'Back at nine.'],
  },
  {
    form: 'alarms',
    page: () => SETTINGS,
    field: 'fewKeys',
    values: ['3', '4'],
    other: { failures: '33' },
  },
  {
    form: 'video-cost',
    page: () => '/admin/plans',
    field: 'amount',
    values: ['30', '40'],
  },
  {
    form: 'rights',
    page: () => '/admin/helpers',
    of: () => ({ id: helper.userId }),
    field: 'confirmUpTo',
    values: ['1500', '2500'],
    other: { regeneratePerDay: '7' },
  },
  {
    form: 'note',
    page: () => `/admin/users/${customer.userId}`,
    of: () => ({ id: customer.userId }),
    field: 'note',
    values: ['Pays in cash', 'Pays by card'],
  },
  {
    form: 'edit-token',
    page: () => `/admin/tokens?dialog=edit-token&on=${tokenId}`,
    of: () => ({ id: tokenId }),
    field: 'label',
    values: ['Shop one', 'Shop two'],
    other: { note: 'Paid by card' },
  },
  {
    form: 'update',
    page: () => `/admin/prompts?dialog=edit&on=${promptId}`,
    of: () => ({ promptId }),
    field: 'text',
    values: ['A kite over a lake', 'A kite over a hill'],
  },
  {
    form: 'edit-user',
    page: () => `/admin?dialog=edit&on=${customer.userId}`,
    of: () => ({ id: customer.userId }),
    field: 'videoLimit',
    values: ['50', '30'],
    other: { role: 'user', isActive: '' },
  },
]

describe.each(CASES)('the form $form', (one) => {
  const { form, page, field, values } = one
  const [byFirst, bySecond] = values
  const open = async (user: TestUser) => fieldsIn((await openPage(user, page())).html, one)
  const save = (user: TestUser, fields: Fields) => sendForm(user, page(), fields)

  test('X9: a field that another administrator changed is a conflict with both values', async () => {
    if (one.given) await save(first, { ...(await open(first)), ...one.given })
    const older = await open(second)
    expect((await save(first, { ...(await open(first)), [field]: byFirst })).status).toBe(303)

    const refused = await save(second, { ...older, [field]: bySecond })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain(
      `This was changed to “${byFirst}” since you opened the page. You typed “${bySecond}”.`,
    )
    const again = fieldsIn(refused.html, one)
    expect(again[field]).toBe(bySecond)
    // Now the second one has seen it. Sent once more, the form says what is stored.
    expect((await save(second, again)).status).toBe(303)
    if (form !== 'pause') expect((await open(second))[field]).toBe(bySecond)
  })

  const { other } = one
  if (!other) return
  test('X9: only the fields that were changed are written', async () => {
    const older = await open(second)
    await save(first, { ...(await open(first)), [field]: byFirst })
    expect((await save(second, without({ ...older, ...other }))).status).toBe(303)
    const now = await open(second)
    expect(now).toMatchObject({ [field]: byFirst, ...without(other) })
  })
})

test('X9: a form that was refused for another reason still knows what its page showed', async () => {
  const one = { form: 'contacts' }
  const open = async () => fieldsIn((await openPage(first, SETTINGS)).html, one)
  const older = await open()
  await sendForm(first, SETTINGS, { ...(await open()), chatNumber: '+44 20 7946 0003' })
  const refused = await sendForm(second, SETTINGS, { ...older, email: 'nowhere' })
  expect(refused.status).toBe(400)
  const again = fieldsIn(refused.html, one)
  // With scripts the page keeps what its fields contain, so no field may count as changed.
  expect([again.chatNumber, again.chatNumberBefore]).toEqual([older.chatNumber, older.chatNumber])
  await sendForm(second, SETTINGS, { ...again, email: 'mended@shop.example' })
  expect(await open()).toMatchObject({
    chatNumber: '+44 20 7946 0003',
    email: 'mended@shop.example',
  })
})

test('X9: ticks of two administrators are both kept', async () => {
  const one = { form: 'rights', of: () => ({ id: helper.userId }) }
  const open = async () => fieldsIn((await openPage(first, '/admin/helpers')).html, one)
  const save = async (rights: readonly string[], shown: Fields) =>
    (await sendForm(first, '/admin/helpers', { ...shown, rights })).status
  expect(await save(['create', 'renew'], await open())).toBe(303)
  const older = await open()
  expect(await save(['renew', 'passwords'], older)).toBe(303)
  expect(await save(['create', 'renew', 'prompts'], older)).toBe(303)
  expect((await open()).rights).toEqual(['renew', 'passwords', 'prompts'])
})

test('X9: what means something only together is one value: an amount and its currency', async () => {
  const one = { form: 'video-cost' }
  const open = async () => fieldsIn((await openPage(first, '/admin/plans')).html, one)
  const save = (fields: Fields) => sendForm(first, '/admin/plans', fields)
  await save({ ...(await open()), amount: '30', currency: 'PKR' })
  const older = await open()
  await save({ ...older, currency: 'USD' })
  const refused = await save({ ...older, amount: '5000' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain(
    'This was changed to “USD” since you opened the page. Your page has “PKR”.',
  )
})

test('X9: a program that does not say what it was shown is not asked', async () => {
  const sent = { form: 'contacts' }
  const { html } = await openPage(first, SETTINGS)
  const all = Object.entries(fieldsIn(html, sent)).filter(([name]) => !name.endsWith('Before'))
  const fields = { ...Object.fromEntries(all), chatNumber: '+44 20 7946 0009' }
  expect((await sendForm(second, SETTINGS, fields)).status).toBe(303)
})

describe('X9: the form of an account', () => {
  const form = async (days: number) => {
    const user = await product.user({ plan: 'Starter', video_limit: 20 })
    const page = `/admin?dialog=edit&on=${user.userId}`
    const one = { form: 'edit-user', of: () => ({ id: user.userId }) }
    const open = async () => fieldsIn((await openPage(first, page)).html, one)
    const end = (left: number) =>
      product.db.query(
        `update users set expiry_date = engine_now() + make_interval(days => $2, hours => 1) where id = $1`,
        [user.userId, left],
      )
    await end(days)
    const save = (fields: Fields) => sendForm(first, page, fields)
    return { user, open, save, end }
  }

  test('days that another administrator gave are not counted again, nor taken for the own ones', async () => {
    const { open, save, end } = await form(5)
    const older = await open()
    await end(35)
    const given = String((await open()).expireDays)
    const typed = await save({ ...older, expireDays: '10' })
    expect(typed.status).toBe(409)
    expect(typed.text).toContain(`This was changed to “${given}”`)
    const renewed = await save({ ...older, renewFromToday: 'on' })
    expect(renewed.status).toBe(409)
    expect(renewed.text).toContain(`Your page has “${String(older.expireDays)}”.`)
    expect((await save({ ...older, videoLimit: '21' })).status).toBe(303)
    expect(await open()).toMatchObject({ expireDays: given, videoLimit: '21' })
  })

  test('days that have passed are nobody’s change', async () => {
    const { open, save, end } = await form(5)
    const older = await open()
    await end(3)
    expect((await save({ ...older, expireDays: '10' })).status).toBe(303)
  })

  test('a token is never quoted', async () => {
    const { open, save } = await form(5)
    const older = await open()
    await save({ ...older, bearerToken: 'token-of-the-first-0001' })
    const refused = await save({ ...older, bearerToken: 'token-of-the-second-0002' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('since you opened the page. You typed another.')
    expect(refused.html).not.toContain('token-of-the')
  })
})

/** Leaves out what an unticked box does not send. */
const without = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== '' || !BOXES.has(name)),
  )
const BOXES = new Set(['isActive'])

/** Returns what a browser without scripts sends if nothing is changed in a form. */
function fieldsIn(html: string, { form, of }: Pick<Case, 'form' | 'of'>): Fields {
  const wanted = { intent: form, ...of?.() }
  for (const [, content = ''] of html.matchAll(/<form\b[^>]*>([\s\S]*?)<\/form>/g)) {
    const fields = sentBy(content)
    if (Object.entries(wanted).every(([name, value]) => fields[name] === value)) return fields
  }
  throw new Error(`no form ${form}`)
}

const ATTRIBUTE = (name: string) => new RegExp(`\\s${name}="([^"]*)"`)
const attribute = (tag: string, name: string) => ATTRIBUTE(name).exec(tag)?.[1]
const plain = (text: string) =>
  text.replace(/&(#x27|amp|lt|gt|quot);/g, (all) => textOf(`<p>${all}</p>`))

function sentBy(content: string): Fields {
  const fields: Record<string, string[]> = {}
  const add = (name: string | undefined, value: string) => {
    if (name !== undefined && name !== 'formToken') (fields[name] ??= []).push(plain(value))
  }
  const parts = /<input\b[^>]*>|<(textarea|select)\b[^>]*>[\s\S]*?<\/\1>/g
  for (const [part, kind] of content.matchAll(parts)) {
    const tag = /^<[^>]*>/.exec(part)?.[0] ?? ''
    const name = attribute(tag, 'name')
    const rest = part.slice(tag.length)
    if (kind === 'textarea') add(name, rest.replace(/<\/textarea>$/, '').replace(/^\n/, ''))
    else if (kind === 'select') {
      const options = rest.match(/<option\b[^>]*>/g) ?? []
      const chosen = options.find((option) => /\sselected\b/.test(option)) ?? options[0] ?? ''
      add(name, attribute(chosen, 'value') ?? '')
    } else if (!['checkbox', 'radio'].includes(attribute(tag, 'type') ?? ''))
      add(name, attribute(tag, 'value') ?? '')
    else if (/\schecked\b/.test(tag)) add(name, attribute(tag, 'value') ?? 'on')
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, all]) => [name, all.length > 1 ? all : (all[0] ?? '')]),
  )
}
