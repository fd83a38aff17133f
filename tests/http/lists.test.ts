import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportResult, ManagedUser } from '../../app/domain/administration/types'
import { startInstallation, type Installation, type TestUser } from '../support/installation'
import { textOf } from '../support/html'
import { openPage, sendForm, submitForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin', expiry_date: null })
})

const send = (mode: string, text: string, more: Record<string, string> = {}) =>
  sendForm(admin, '/admin/users/import', { intent: 'import-users', mode, text, ...more })
const find = async (search: string) =>
  (await admin.get<ManagedUser[]>(`/api/admin/users?${new URLSearchParams({ search })}`)).body
const entriesAbout = async (username: string) =>
  (
    await product.db.query('select action from trail_entries where subject_name = $1', [username])
  ).rows.map(({ action }: { action: string }) => action)

describe('numbers as people have them', () => {
  const TYPED = [
    ['9.23007E+11', 'a spreadsheet has shortened this number'],
    ['923007110001.0', '923007110001'],
    ["'923007110002", '923007110002'],
    ['="923007110003"', '923007110003'],
    ['923007110009 , 923007110010', 'there are two numbers'],
    ['+92 300 711-0011 (WhatsApp)', '923007110011'],
    ['923007110012/923007110013', 'there are two numbers'],
    ['920030071100140000', 'at most 15 digits'],
  ] as const
  const lines = TYPED.map(([typed], i) => `${typed}|secret-9${i}`).join('\n')

  test('lists: an import reads or refuses each line, and says which', async () => {
    for (const mode of ['check', 'import']) {
      const { text } = await send(mode, lines)
      expect(text).toMatch(/4 create · 4 fail|4 created · 4 failed/)
      for (const [, words] of TYPED) expect(text.toLowerCase()).toContain(words)
      expect(text).toContain('"(WhatsApp)" is not part of the number and is left out')
    }
    expect((await find('92300711')).map(({ username }) => username).sort()).toEqual(
      TYPED.map(([, name]) => name).filter((name) => /^\d+$/.test(name)),
    )
  })

  test('lists: the other doors read and refuse the same', async () => {
    const shortened = /A spreadsheet has shortened this number/
    const quick = (phone: string) =>
      admin.post<{ username: string; error: string }>('/api/admin/users/quick-create', {
        phone,
        plan: 'Starter',
      })
    expect((await quick('9.23007E+11')).body.error).toMatch(shortened)
    expect((await quick('923007120001 / 923007120002')).status).toBe(400)
    expect((await quick('923007120001.0')).body.username).toBe('923007120001')
    const created = await admin.post<{ user: ManagedUser }>('/api/admin/users', {
      phone: '0302 7120002 Ahmed bhai',
      password: 'secret-1',
    })
    expect(created.body.user.username).toBe('03027120002')
    const register = (phone: string) =>
      product
        .client()
        .post<{ error: string }>('/api/auth/register', { phone, password: 'secret-1' })
    expect((await register('9.23007E+11')).body.error).toMatch(shortened)
    expect((await register('="923007120003"')).status).toBe(201)
    for (const username of ['923007120003.0', "'923007120003", '+92 300 712 0003 (home)'])
      expect(
        (await product.client().post('/api/auth/login', { username, password: 'secret-1' })).status,
      ).toBe(200)
    const page = await sendForm(admin, '/admin?dialog=quick', {
      intent: 'quick-create',
      plan: 'Starter',
      phone: '9.23007E+11',
    })
    expect(page.text).toMatch(shortened)
    expect(page.html).toContain('value="9.23007E+11"')
  })

  test('lists: dates are days, or refused', async () => {
    const year = new Date().getUTCFullYear() + 1
    const { text } = await send(
      'import',
      [
        `923007130001|secret-91|${year}-12-31`,
        `923007130002|secret-92|31/12/${year}`,
        `923007130003|secret-93|05/06/${year}`,
        '923007130004|secret-94|46387',
        '923007130005|secret-95|2020-12-31',
        '923007130006|secret-96|30 days',
      ].join('\n'),
    )
    expect(text).toContain(`05/06/${year} can be 5 June ${year} or 6 May ${year}`)
    expect(text).toContain("looks like a spreadsheet's number for 31 December 2026")
    expect(text).toContain('31 December 2020 is not in the future')
    const users = await find('92300713')
    const ends = Object.fromEntries(
      users.map(({ username, expiryDate }) => [username, expiryDate?.slice(0, 10)]),
    )
    expect(ends['923007130001']).toBe(`${year}-12-31`)
    expect(ends['923007130002']).toBe(`${year}-12-31`)
    expect(Object.keys(ends)).toHaveLength(3)
  })

  test('lists: our own export, edited in Excel and saved as CSV in UTF-16, by its file', async () => {
    const head =
      'username;phone;password;role;plan;videoLimit;speedLimit;videoGenerationSpeed;videosGeneratedThisMonth;expireDays;bearerToken;isActive;createdAt'
    const csv = `${head}\r\n923007110001;923007110001;[HASHED];user;Business;400;5;45;0;30;[NONE];FALSCH;\r\n`
    const file = new File([Buffer.from(`\uFEFF${csv}`, 'utf16le')], 'users.csv')
    const fields = { intent: 'import-users', mode: 'check', text: '# mine', file }
    const response = await submitForm(admin, '/admin/users/import', fields)
    const html = await response.text()
    expect(html).toContain(`# mine\n${head}\n923007110001;`)
    const text = textOf(html)
    expect(text).toContain('Update 923007110001')
    expect(text).toContain('Plan: Starter → Business')
    expect(text).toContain('Active: yes → no')
  })
})

describe('P3: an import says what it changes, and can be undone', () => {
  const line = (name: string, role: string, plan: string, limit: number) =>
    `${name}|${name}|[HASHED]|${role}|${plan}|${limit}|5|45|0|30|[NONE]|true|`

  test('P3: Check names create, update and same with old and new; roles need a tick; undo', async () => {
    const [known, fresh] = ['923007140001', '923007140002']
    await admin.post('/api/admin/users/bulk-import', {
      users: [
        {
          username: known,
          password: 'secret-1',
          plan: 'Business',
          videoLimit: 400,
          speedLimit: 5,
          videoGenerationSpeed: 45,
        },
      ],
    })
    const lines = [line(known, 'admin', 'Starter', 20), `${fresh}|secret-94`].join('\n')
    const refused = await send('check', lines)
    expect(refused.text).toContain('Role: user → admin. Tick "Change roles" to allow this')
    const roles = { changeRoles: 'on', seenPlan: 'on' }
    const checked = await send('check', lines, roles)
    expect(checked.text).toContain(`Update ${known} Role: user → admin`)
    expect(checked.text).toContain('Plan: Business → Starter')
    expect(checked.text).toContain('Daily video limit: 400 → 20')
    expect(checked.text).toContain(`Create ${fresh}`)
    expect(checked.html).toMatch(/name="changeRoles"[^>]*checked/)
    expect((await find(known))[0]).toMatchObject({ role: 'user', plan: 'Business' })

    const done = await send('import', lines, roles)
    expect(done.text).toContain('2 succeeded')
    expect((await find(known))[0]).toMatchObject({ role: 'admin', plan: 'Starter', videoLimit: 20 })
    const change = /\/admin\/changes\/[\w-]+/.exec(done.html)?.[0] ?? ''
    const review = await openPage(admin, change)
    expect(review.text).toContain('Imported: 2 users')
    expect(review.text).toContain('No account')
    expect((await sendForm(admin, change, { intent: 'undo' })).status).toBe(409)
    const undone = await sendForm(admin, change, { intent: 'undo', seenRole: 'on' })
    expect(undone.text).toContain('Change undone')
    expect((await find(known))[0]).toMatchObject({
      role: 'user',
      plan: 'Business',
      videoLimit: 400,
    })
    expect(await find(fresh)).toEqual([])
    expect((await openPage(admin, '/admin/users/trash')).text).toContain(fresh)
  })

  test('P3: undo takes what was given from open sessions, and keeps an account that has videos', async () => {
    const [known, fresh, spare] = ['923007141001', '923007141002', '923007141003']
    await send('import', `${known}|secret-91`)
    const lines = [
      line(known, 'admin', 'Starter', 20),
      `${fresh}|secret-92`,
      `${spare}|secret-93`,
    ].join('\n')
    const { html } = await send('import', lines, { changeRoles: 'on' })
    const change = /\/admin\/changes\/[\w-]+/.exec(html)?.[0] ?? ''
    const enter = async (username: string, password: string) => {
      const client = product.client()
      expect((await client.post('/api/auth/login', { username, password })).status).toBe(200)
      return client
    }
    const [made, customer] = [await enter(known, 'secret-91'), await enter(fresh, 'secret-92')]
    expect((await made.get('/api/admin/users')).status).toBe(200)
    expect((await customer.post('/api/videos/generate', { prompt: 'a boat' })).status).toBe(201)

    const { text } = await sendForm(admin, change, { intent: 'undo', seenRole: 'on' })
    expect(text).toContain('2 users as before. 1 user changed since and left alone.')
    expect((await made.get('/api/admin/users')).status).toBe(401)
    expect((await find(known))[0]).toMatchObject({ role: 'user' })
    expect(await find(spare)).toEqual([])
    expect((await customer.get('/api/videos')).status).toBe(200)
    const again = await sendForm(admin, change, { intent: 'undo' })
    expect([
      again.status,
      again.text.includes('the account was changed since, has videos'),
    ]).toEqual([409, true])
  })

  test('X5: an import says that a line makes a second account of a deleted user’s number', async () => {
    const name = '923007142001'
    await send('import', `${name}|secret-91`)
    const [user] = await find(name)
    await admin.call('DELETE', `/api/admin/users/${user?.id}`, {})
    const said =
      /A deleted user has this number: Starter, until .* and its videos are gone for good/
    for (const mode of ['check', 'import'])
      expect((await send(mode, `${name}|secret-92`)).text).toMatch(said)
  })

  test('P3: an administrator is created only with the tick', async () => {
    const name = '923007150001'
    const text = `${name}|${name}|secret-95|admin|Starter|20|1|90|0|30|[NONE]|true|`
    expect((await send('import', text)).text).toContain('Role: admin. Tick "Change roles"')
    expect(await find(name)).toEqual([])
  })

  test('P16: an import without a difference writes nothing', async () => {
    const name = '923007160001'
    await send('import', line(name, 'user', 'Business', 400))
    const before = await entriesAbout(name)
    const again = await send('import', line(name, 'user', 'Business', 400))
    expect(again.text).toContain('1 the same')
    expect(again.html).not.toContain('/admin/changes/')
    expect(await entriesAbout(name)).toEqual(before)
  })

  test('P3: a column that a line does not have does not change an account', async () => {
    const name = '923007160001'
    await send('import', `Phone,Plan\n${name},Enterprise`)
    expect((await find(name))[0]).toMatchObject({ plan: 'Enterprise', videoLimit: 400 })
  })
})

describe('several phone countries', () => {
  let local: Installation
  let boss: TestUser
  beforeAll(async () => {
    local = await startInstallation({ env: { PHONE_COUNTRY_CODES: '+92, 91' } })
    boss = await local.user({ role: 'admin', expiry_date: null })
  })
  afterAll(() => local.remove())

  const quick = (phone: string) =>
    sendForm(boss, '/admin?dialog=quick', { intent: 'quick-create', plan: 'Starter', phone })

  test('P6: a national number is one of the country that it fits, and the chat has a link, not the password', async () => {
    const { html, text } = await quick('098765 43211')
    expect(text).toContain('919876543211')
    const chat = /https:\/\/wa\.me\/919876543211[^"]*/.exec(html)?.[0] ?? ''
    const message = decodeURIComponent(chat.replaceAll('&amp;', '&'))
    const password = /Password (\S+) Phone/.exec(text)?.[1] ?? 'missing'
    expect(html).toContain(password)
    expect(message).not.toContain(password)
    const link = /\/set-password\?token=[\w-]+/.exec(message)?.[0] ?? ''
    const set = (newPassword: string) =>
      sendForm(local.client(), link, {
        intent: 'set-password',
        token: link.split('token=')[1] ?? '',
        newPassword,
      })
    expect((await set('mine-1234')).text).toContain('Password set')
    expect((await set('again-1234')).status).not.toBe(303)
    const signIn = (given: string) =>
      local.client().post('/api/auth/login', { username: '9876543211', password: given })
    expect((await signIn('mine-1234')).status).toBe(200)
    expect((await signIn(password)).status).toBe(401)
  })

  test('P6: a number that is complete in no country is marked and has no chat', async () => {
    const { html, text } = await quick('0777 777777')
    expect(text).toContain('Check the number')
    expect(html).not.toContain('wa.me')
    const checked = await sendForm(boss, '/admin/users/import', {
      intent: 'import-users',
      mode: 'check',
      text: '0300 111000|secret-91',
    })
    expect(checked.text).toContain('Check the number')
  })

  test('P6: an API import of a national number creates the account with its code', async () => {
    const { body } = await boss.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users: [{ username: '3001110004', password: 'secret-1' }],
    })
    expect(body.results).toEqual([{ username: '923001110004', success: true }])
  })
})
