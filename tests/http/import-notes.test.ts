import { beforeAll, describe, expect, test } from 'vitest'
import type { ImportResult } from '../../app/domain/administration/types'
import { DEFAULT_PLANS } from '../../app/domain/plans/catalogue'
import type { Plan } from '../../app/domain/plans/types'
import type { TestUser } from '../support/installation'
import { openPage, sendForm, submitForm } from '../support/page'
import { workbookOf } from '../support/workbook'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})

const paceOf = ({ pace }: Plan) => ({ speed: pace.videos, delay: pace.delaySeconds })
const send = (mode: 'check' | 'import', lines: readonly string[]) =>
  sendForm(admin, '/admin/users/import', {
    intent: 'import-users',
    mode,
    text: lines.join('\n'),
  })

describe('an import says which values it does not use as typed', () => {
  test('A-IMPORT-6: the check and the result name them at their line', async () => {
    const lines = [
      '03661000001|secret-1|abc',
      '03661000002|secret-1|030',
      '03661000003|secret-1|-1',
    ]
    for (const mode of ['check', 'import'] as const) {
      const { text } = await send(mode, lines)
      const good = mode === 'check' ? 'Create' : 'Success'
      expect(text).toMatch(
        new RegExp(
          `${good} 03661000001 Starter: 100 videos a day, 5 videos every 10 seconds ` +
            `Ends on \\d+ \\w+ \\d{4} Days: not a whole number, 30 is used ${good} 03661000002`,
        ),
      )
      expect(text).toMatch(/03661000003 Days: Must be at least 1 day/)
      expect(text).toContain('1 line with values not used as typed')
    }
    const { rows } = await product.db.query(
      "select 1 from users where username like '03661%' and expiry_date < now() + interval '31 days'",
    )
    expect(rows).toHaveLength(2)
  })

  test('O9, O10: an empty password cell is a link, as without the column; an unknown plan fails', async () => {
    const sheet = [
      'Mobile No;Password;Package',
      '03668000001;;Business',
      '03668000002;secret-1;Buisness',
      '03668000003;;',
    ]
    for (const mode of ['check', 'import'] as const) {
      const { text } = await send(mode, sheet)
      expect(text).toContain(
        '03668000002 Plan: unknown. Write Starter, Professional, Business or Enterprise',
      )
      expect(text).toMatch(/(Create|Success) 03668000001 Business: /)
    }
    const { rows } = await product.db.query<{ plan: string }>(
      "select plan::text from users where username like '03668%' order by username",
    )
    expect(rows.map(({ plan }) => plan)).toEqual(['Business', 'Starter'])
  })

  test('issue 53.5: Check reads the first sheet of a workbook, and says what it did not add', async () => {
    const users = [
      ['username', 'password'],
      ['03669000101', 'secret-1'],
    ]
    const check = async (sheets: Parameters<typeof workbookOf>[0]) => {
      const file = new File([new Uint8Array(workbookOf(sheets))], 'users.xlsx')
      const fields = { intent: 'import-users', mode: 'check', text: '', file }
      return (await submitForm(admin, '/admin/users/import', fields)).text()
    }
    const one = await check({ Users: users })
    expect(one).toContain('03669000101')
    expect(one).not.toContain('File added')
    expect(await check({ Users: users, Old: [['x']] })).toContain(
      'The first sheet was added, 1 other not.',
    )
  })

  test('O11: Check reads a file that was chosen; Import does not import what was not looked at', async () => {
    const file = new File(['03669000002|secret-1'], 'users.csv')
    const sent = async (mode: string) => {
      const fields = { intent: 'import-users', mode, text: '03669000001|secret-1', file }
      return (await submitForm(admin, '/admin/users/import', fields)).text()
    }
    const checked = await sent('check')
    for (const words of ['03669000001', '03669000002', '2 create']) expect(checked).toContain(words)
    expect(await sent('import')).toContain('File not added')
    const { rows } = await product.db.query("select 1 from users where username like '03669%'")
    expect(rows).toEqual([])
  })

  test('O8: what a column is is asked in place; names and remarks become the note, and nothing of it is lost', async () => {
    const sheet = ['Customer;Mob #;Pkg type;Remarks;Amount', 'Ahmed;03660000101;Business;late;500']
    const page = '/admin/users/import'
    const says = (columns: readonly string[]) =>
      columns.flatMap((column, i): [string, string][] => [
        ['heading', sheet[0]!.split(';')[i]!],
        ['column', column],
      ])
    const sent = (mode: string, columns: readonly string[] = []) =>
      sendForm(admin, page, [
        ['intent', 'import-users'],
        ['mode', mode],
        ['text', sheet.join('\n')],
        ...says(columns),
      ])
    for (const mode of ['check', 'import']) {
      const { html, text } = await sent(mode, ['name', '', 'plan', 'note', ''])
      expect(text).toContain('Which column has the phone numbers?')
      expect(html).toMatch(/name="heading" value="Mob #"/)
    }
    // What a heading says without doubt is chosen already, and an import asks once for the rest.
    const asked = await sent('import')
    expect(asked.html).toMatch(/value="name" selected=""[^]*value="note" selected=""/)
    const chosen = ['name', 'phone', 'plan', 'note', 'note']
    expect((await sent('check', chosen)).text).toMatch(
      /1 create Create 03660000101 Business: .* Note: Ahmed; late; Amount: 500/,
    )
    const done = await sent('import', chosen)
    expect(done.text).toContain('1 created')
    const note = async () => {
      const { rows } = await product.db.query<{ note: string }>(
        "select note from customer_cards join users on id = user_id where username = '03660000101'",
      )
      return rows[0]?.note
    }
    expect(await note()).toBe('Ahmed\nlate\nAmount: 500')
    // A second import adds what the note does not have, and overwrites nothing.
    sheet[1] = 'Ahmed;03660000101;Business;moved to Lahore;500'
    expect((await sent('check', chosen)).text).toContain('Note: moved to Lahore is added')
    await sent('import', chosen)
    expect(await note()).toBe('Ahmed\nlate\nAmount: 500\nmoved to Lahore')
    expect((await sent('check', chosen)).text).toContain('1 the same')
    // The customer is found by the name, which stands beside the number.
    const found = await openPage(admin, '/admin?search=ahmed')
    expect(found.text).toMatch(/03660000101 Ahmed/)
  })

  test('O8: a table whose headings are all unknown is asked for, not read as users', async () => {
    const { text, html } = await send('check', ['Kunde;Anschluss', 'Ben;03660000201'])
    expect(text).toContain('Which column has the phone numbers?')
    expect(html).toMatch(/name="heading" value="Anschluss"/)
    expect(text).not.toContain('Invalid format')
  })

  test('O8: lines that fail stand first, under a summary that stays', async () => {
    const { text } = await send('check', ['03660000301|secret-1', '03660000302|1'])
    expect(text).toMatch(/1 create · 1 fail Failed .*03660000302.* Create 03660000301/)
  })

  test('A-IMPORT-7: an account that exists keeps its expiry date and token, as the page says', async () => {
    const { body } = await admin.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users: [{ username: '03662000001', password: 'secret-1', expireDays: 20 }],
    })
    expect(body.results).toEqual([{ username: '03662000001', success: true }])
    const line = '03662000001||[HASHED]|user|Starter|20|1|90|0|45|abcd••••|true'
    const { text } = await send('import', [line])
    expect(text).toContain('accounts that exist then keep their password and expiry date.')
    expect(text).toContain('gives Starter with 100 videos a day, 5 every 10 s.')
    expect(text).not.toMatch(/not used,|only a mask/)
    const { rows } = await product.db.query(
      "select 1 from users where username = '03662000001' and expiry_date < now() + interval '21 days'",
    )
    expect(rows).toHaveLength(1)
  })

  test('lists: a new account of a table gets what its plan has, unless the table says otherwise', async () => {
    const lines = [
      'Phone;Plan;Password;Ends;Daily limit',
      '03664000001;Business;secret-1;2099-12-31;',
      '03664000002;Starter;secret-1;2099-12-31;7',
      '03664000003;;secret-1;2099-12-31;',
    ]
    const { text } = await send('check', lines)
    expect(text).toMatch(/03664000001 Business: .* Ends on 31 December 2099/)
    await send('import', lines)
    const { rows } = await product.db.query<Record<string, unknown>>(
      `select plan, video_limit as limit, speed_limit as speed, video_generation_speed as delay
       from users where username like '03664%' order by username`,
    )
    const { Business, Starter } = DEFAULT_PLANS
    expect(rows).toEqual([
      { plan: 'Business', limit: Business.videosPerDay, ...paceOf(Business) },
      { plan: 'Starter', limit: 7, ...paceOf(Starter) },
      { plan: 'Starter', limit: 100, speed: 5, delay: 10 },
    ])
  })

  test('lists: the check shows when a new account ends, and each line by its number', async () => {
    const day = `${new Date().getUTCFullYear() + 1}-12-31`
    const lines = [
      `03663000001|secret-1|${day}`,
      '# a comment',
      '|secret-1',
      'alone',
      '03663000002|secret-1|never',
    ]
    const { text } = await send('check', lines)
    expect(text).toMatch(/Create 03663000001 Starter: [\w ,]+ Ends on 31 December \d{4} /)
    expect(text).toContain('Failed Line 3 Username is required')
    expect(text).toContain('Failed Line 4: Invalid format (minimum: username|password)')
    expect(text).toMatch(/Create 03663000002 Starter: [\w ,]+ Never ends/)
  })
})
