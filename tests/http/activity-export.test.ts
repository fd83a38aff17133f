import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { openPage } from '../support/page'

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})

type Row = Record<string, string>

async function download(filters: Record<string, string> = {}) {
  const response = await admin.send('GET', `/admin/activity/export?${new URLSearchParams(filters)}`)
  const text = await response.text()
  return { response, text, rows: () => parse<Row>(text, { columns: true, bom: true }) }
}
/** Inserts entries with the same time, whose targets have these names. */
const addEntries = (names: readonly string[], at = '2026-01-05T10:00:00Z') =>
  product.db.query(
    `insert into trail_entries (id, at, actor_name, action, subject_kind, subject_name, after)
     select gen_random_uuid(), $2, 'keeper', 'prompt.create', 'prompt', name, '{"text":"a, \\"b\\""}'
     from unnest($1::text[]) as name`,
    [names, at],
  )

test('the log is downloaded with the filters of its page, newest first, at any length', async () => {
  const names = Array.from({ length: 1203 }, (_, i) => `entry ${i}`)
  await addEntries(names)
  await addEntries(['later'], '2026-01-06T10:00:00Z')
  await product.user()

  const filters = { actor: 'keeper', from: '2026-01-01', to: '2026-01-31' }
  const page = await openPage(
    admin,
    `/admin/activity?${new URLSearchParams({ ...filters, action: '' })}`,
  )
  const link = /href="(\/admin\/activity\/export[^"]*)"/
    .exec(page.html)?.[1]
    ?.replaceAll('&amp;', '&')
  expect(link).toBe(`/admin/activity/export?${new URLSearchParams(filters)}`)

  const { response, rows } = await download(filters)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="activity-log-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(response.headers.get('cache-control')).toBe('no-store')
  const list = rows()
  expect(list).toHaveLength(1204)
  expect(list[0]).toMatchObject({ at: '2026-01-06T10:00:00.000Z', target: 'later' })
  expect(list[0]).toMatchObject({
    done_by: 'keeper',
    action: 'prompt.create',
    meaning: 'created a prompt',
    count: '1',
    target_kind: 'prompt',
    before: '',
    after: JSON.stringify({ text: 'a, "b"' }),
  })
  expect(new Set(list.map(({ target }) => target))).toEqual(new Set([...names, 'later']))
  expect(rows().some(({ done_by: by }) => by !== 'keeper')).toBe(false)
})

test('no cell of the file is read as a formula by a spreadsheet', async () => {
  const formulas = ['=cmd()', '+1', '-1', '@sum(a1)', '\t=1', '\r=1', '＝1']
  await addEntries(formulas, '2026-02-05T10:00:00Z')
  const { rows } = await download({ from: '2026-02-01', to: '2026-02-28' })
  expect(
    rows()
      .map(({ target }) => target)
      .toSorted(),
  ).toEqual(formulas.map((text) => `'${text}`).toSorted())
})

test('an empty log says if its dates are reversed', async () => {
  const said = async (search: string) => (await openPage(admin, `/admin/activity?${search}`)).text
  const REVERSED = 'The dates are reversed: From is after To.'
  const reversed = await said('from=2026-03-02&to=2026-03-01')
  expect(reversed).toContain(REVERSED)
  expect(reversed).not.toContain('No entries match')
  for (const search of ['from=2001-03-01&to=2001-03-01', 'from=2099-01-01', 'to=2001-01-01'])
    expect(await said(search)).toMatch(/No entries match these filters(?!.*reversed)/)
  await download({ from: '2026-03-02', to: '2026-03-01' })
  expect(await said('actor=nobody-at-all')).toContain(REVERSED)
})

test('a download is recorded with its filters; an empty result is reported and not recorded', async () => {
  const noted = async () => {
    const { rows } = await product.db.query<{ after: unknown }>(
      `select after from trail_entries where action = 'log.export' order by at, id`,
    )
    return rows.map(({ after }) => after)
  }
  const before = await noted()
  const nothing = await download({ actor: 'nobody-at-all' })
  expect(nothing.response.status).toBe(303)
  expect(nothing.response.headers.get('location')).toBe('/admin/activity?actor=nobody-at-all')
  const page = await openPage(admin, '/admin/activity?actor=nobody-at-all')
  expect(page.text).toContain('No data to download')
  expect(page.html).not.toContain('/admin/activity/export')
  expect(await noted()).toEqual(before)
  await download({ actor: 'keeper', action: 'prompt.create', from: 'nonsense' })
  expect((await noted()).slice(before.length)).toEqual([
    { actor: 'keeper', action: 'prompt.create' },
  ])
})

test('only administrators can download the log', async () => {
  const user = await product.user()
  expect((await user.send('GET', '/admin/activity/export')).status).toBe(403)
  const stranger = await product.client().send('GET', '/admin/activity/export')
  expect(stranger.headers.get('location')).toMatch(/^\/login/)
})
