import { beforeAll, describe, expect, test } from 'vitest'
import type { ImportResult } from '../../app/domain/administration/types'
import { DEFAULT_PLANS } from '../../app/domain/plans/catalogue'
import type { Plan } from '../../app/domain/plans/types'
import type { TestUser } from '../support/installation'
import { sendForm, submitForm } from '../support/page'
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
      expect(text).toContain('1 line with values not used as typed.')
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

  test('O11: Check reads a file that was chosen; Import does not import what was not looked at', async () => {
    const file = new File(['03669000002|secret-1'], 'users.csv')
    const sent = async (mode: string) => {
      const fields = { intent: 'import-users', mode, text: '03669000001|secret-1', file }
      return (await submitForm(admin, '/admin/users/import', fields)).text()
    }
    const checked = await sent('check')
    for (const words of ['03669000001', '03669000002', '2 would succeed, 0 would fail'])
      expect(checked).toContain(words)
    expect(await sent('import')).toContain('File not added')
    const { rows } = await product.db.query("select 1 from users where username like '03669%'")
    expect(rows).toEqual([])
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
