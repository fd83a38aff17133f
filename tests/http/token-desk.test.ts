import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PoolTokenView } from '../../app/domain/tokens/types'
import { findViolations } from '../support/invariants'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useSimulatedInstallation } from '../support/shared-installation'

// /admin/tokens: the keys that operators buy one by one, with their names, accounts and figures.

const DESK = '/admin/tokens'
const PLATFORM = 'platform-key-0123456789-PLAT'
const { simulator: sim, product } = useSimulatedInstallation('runway', {
  worker: true,
  token: PLATFORM,
})
let admin: TestUser

beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})
afterAll(async () => {
  expect(await findViolations(product.db)).toEqual({})
})
beforeEach(async () => {
  await product.db.query('delete from provider_gates')
  await product.db.query('update users set credential_id = null')
  await product.db.query('delete from credentials where not is_default')
})

const open = async (query = '') => (await openPage(admin, `${DESK}${query}`)).text
const send = (fields: Record<string, string>) => sendForm(admin, DESK, fields)
const pool = async () => (await admin.get<PoolTokenView[]>('/api/admin/extra-tokens')).body
const idOf = async (lastFour: string) => {
  const { rows } = await product.db.query<{ id: string }>(
    'select id from credentials where last_four = $1',
    [lastFour],
  )
  return rows[0]?.id ?? ''
}
const logged = async () => {
  const { rows } = await product.db.query<{ action: string; name: string }>(
    `select action, subject_name as name from trail_entries where action like 'token%' order by at desc, id desc`,
  )
  return rows.map(({ action, name }) => `${action} ${name}`)
}
/** Cuts the part of the page's text that belongs to one key. */
const rowOf = async (name: string, query = '') =>
  (await open(query)).split(/(?=Token \d+ …)|(?=Shop key …)/).find((part) => part.includes(name)) ??
  ''

test('P2: quotes, commas, blanks and Bearer are stripped, with a note; label and account may follow; lines that cannot be keys are refused by number', async () => {
  const lines = [
    '"key_alpha_0123456789_AAAA",',
    '  Authorization: Bearer key_beta_0123456789_BBBB  ',
    'key_gamma_0123456789_CCCC | Shop key | shop 7',
    'this is not a key',
    '',
    'schlüssel_0123456789_DDDD',
  ]
  const page = await send({ intent: 'add-tokens', tokens: lines.join('\n') })
  expect(page.text).toContain('3 added, 2 failed')
  expect(page.text).toContain('Quotes, commas or the word Bearer were removed from 2 lines.')
  expect(page.html).toContain('Line 1: A token has no spaces')
  expect(page.html).toContain('Line 2: A token has no spaces')
  const text = await open()
  expect(text).toMatch(/Token \d+ …AAAA/)
  expect(text).toMatch(/Token \d+ …BBBB/)
  expect(await rowOf('Shop key …CCCC')).toContain('account shop 7')
  // The calls keep one token each, as specified.
  expect(await pool()).toHaveLength(3)
})

test('W3: the platform’s own token is a row like the others: shown, tested, and not removed here', async () => {
  const id = await idOf('PLAT')
  expect(await rowOf('…PLAT')).toContain('the platform’s own')
  sim.token(PLATFORM, { dead: true })
  await send({ intent: 'check', id })
  expect(await rowOf('…PLAT')).toContain('Dead')
  sim.token(PLATFORM, null)
  await send({ intent: 'check', id })
  expect(await rowOf('…PLAT')).toContain('OK')
  const refused = await send({ intent: 'remove', id })
  expect(refused.text).toContain('VIDEO_PROVIDER_TOKEN')
  expect((await logged()).slice(0, 4)).toEqual([
    expect.stringMatching(/^token\.(revive|test) Token \d+ …PLAT/),
    expect.stringMatching(/^token\.(revive|test) Token \d+ …PLAT/),
    expect.stringMatching(/^token\.(death|test) Token \d+ …PLAT/),
    expect.stringMatching(/^token\.(death|test) Token \d+ …PLAT/),
  ])
})

test('P2: label, account, note, date and cost are edited; bad values are refused and nothing is lost', async () => {
  await send({ intent: 'add-token', token: 'key_edit_0123456789_EDIT' })
  const id = await idOf('EDIT')
  const facts = { label: 'Shop key', account: 'shop', note: 'from Ali', paidUntil: '2026-01-31' }
  const refused = await sendForm(admin, `${DESK}?dialog=edit-token&on=${id}`, {
    intent: 'edit-token',
    id,
    ...facts,
    paidUntil: '31.01.2026',
    costPerVideo: 'cheap',
  })
  expect(refused.text).toContain('Write the date as YYYY-MM-DD')
  expect(refused.text).toContain('Write the cost as a number')
  expect(refused.html).toContain('from Ali')
  await send({ intent: 'edit-token', id, ...facts, costPerVideo: '0.40' })
  const row = await rowOf('Shop key …EDIT')
  for (const part of ['account shop', 'Was paid until 2026-01-31', '0.4 per video', 'from Ali'])
    expect(row).toContain(part)
  expect((await logged())[0]).toBe('token.edit Shop key …EDIT')
})

test('P1, P2: a paused key shows why and until when; Try now ends the pause', async () => {
  await send({ intent: 'add-token', token: 'key_pause_0123456789_WAIT' })
  await send({ intent: 'add-token', token: 'key_other_0123456789_GOOD' })
  await product.db.query(
    `insert into provider_gates (scope, reason, closed_until, probe_ms)
     select account, 'rate-limited', now() + interval '1 hour', 3600000 from credentials where last_four = 'WAIT'`,
  )
  const row = await rowOf('…WAIT')
  expect(row).toContain('Paused')
  expect(row).toContain('the provider said that orders came too fast')
  expect(await rowOf('…GOOD')).toContain('OK')
  const paused = await open('?state=cooling')
  expect(paused).toContain('…WAIT')
  expect(paused).not.toContain('…GOOD')
  const sorted = await open('?sort=state')
  expect(sorted.indexOf('…WAIT')).toBeLessThan(sorted.indexOf('…GOOD'))
  await send({ intent: 'try-now', id: await idOf('WAIT') })
  expect(await rowOf('…WAIT')).not.toContain('Paused')
  expect((await logged())[0]).toMatch(/^token\.try-now Token \d+ …WAIT/)
  expect((await send({ intent: 'try-now', id: await idOf('WAIT') })).text).toContain(
    'is not paused',
  )
})

test('O13: a key without credits says so everywhere; Test promises no orders and does not reopen it', async () => {
  await send({ intent: 'add-token', token: 'key_spent_0123456789_POOR' })
  await product.db.query(
    `insert into provider_gates (scope, reason, closed_until, probe_ms)
     select account, 'quota', now() + interval '1 hour', 3600000 from credentials where last_four = 'POOR'`,
  )
  await product.db.query(
    `update credentials set last_error = 'not enough credits', last_error_at = now() where last_four = 'POOR'`,
  )
  const id = await idOf('POOR')
  for (const path of [DESK, '/admin']) {
    expect((await openPage(admin, path)).text).toMatch(/…POOR .{0,150}No credits/)
  }
  expect((await openPage(admin, '/admin/system')).text).toContain('1 without credits')
  expect(await open('?state=spent')).toContain('…POOR')
  const tested = await send({ intent: 'check', id })
  expect(tested.text).toContain('The provider knows the token. Its account had no credits')
  for (const words of ['No credits', 'Last error: not enough credits'])
    expect(await rowOf('…POOR')).toContain(words)
  await send({ intent: 'try-now', id })
  expect(await rowOf('…POOR')).toContain('No credits')
})

test('O13: Test leaves a suspended key suspended, with its last error; Try now lets orders decide', async () => {
  await send({ intent: 'add-token', token: 'key_susp_0123456789_SUSP' })
  const id = await idOf('SUSP')
  await product.db.query(
    `update credentials set state = 'dead', death = 'suspended', died_at = now(),
       last_error = 'account suspended', last_error_at = now() where id = $1`,
    [id],
  )
  const tested = await send({ intent: 'check', id })
  expect(tested.text).toContain('The provider knows the token.')
  expect(tested.text).toContain('so it stays suspended')
  for (const words of ['Suspended', 'Last error: account suspended'])
    expect(await rowOf('…SUSP')).toContain(words)
  expect((await send({ intent: 'try-now', id })).text).toContain('as a trial')
  expect(await rowOf('…SUSP')).toContain('OK')
})

test('P2: holders are links; Replace moves them to the next tokens of the pool', async () => {
  for (const name of ['one', 'two'])
    await send({ intent: 'add-token', token: `key_${name}_0123456789_${name.toUpperCase()}X` })
  const old = await admin.post<{ id: string }>('/api/admin/extra-tokens', {
    token: 'key_held_0123456789_HELD',
    label: 'Shop key',
  })
  const users = [await product.user(), await product.user(), await product.user()]
  for (const { userId } of users)
    await product.db.query('update users set credential_id = $1 where id = $2', [
      old.body.id,
      userId,
    ])
  const { html } = await openPage(admin, DESK)
  for (const { userId } of users) expect(html).toContain(`dialog=edit&amp;on=${userId}`)
  const done = await send({ intent: 'replace', id: old.body.id })
  expect(done.text).toContain('3 users moved')
  const { rows } = await product.db.query<{ last: string }>(
    `select last_four as last from users join credentials on credentials.id = credential_id
     where users.id = any($1) order by last`,
    [users.map(({ userId }) => userId)],
  )
  expect(rows.map(({ last }) => last).sort()).toEqual(['ONEX', 'ONEX', 'TWOX'])
  expect((await logged())[0]).toBe('token.replace Shop key …HELD')
})

test('P2: Test all finds the dead ones; all dead are removed after a preview, and can be brought back', async () => {
  for (const name of ['LIVE', 'GONE', 'LOST'])
    await send({ intent: 'add-token', token: `key_all_0123456789_${name}` })
  for (const name of ['GONE', 'LOST']) sim.token(`key_all_0123456789_${name}`, { dead: true })
  const tested = await send({ intent: 'check-all' })
  expect(tested.text).toContain('The provider knows 2, 2 failed')
  expect((await openPage(admin, `${DESK}?state=dead`)).text).toContain('Test all (2)')
  const dead = await send({ intent: 'check-all', state: 'dead' })
  expect(dead.text).toContain('The provider knows 0, 2 failed')
  const preview = await open('?dialog=remove-dead')
  expect(preview).toContain('2 dead tokens will be removed')
  expect((await send({ intent: 'remove-dead', expected: '1' })).text).toContain('not 1')
  await send({ intent: 'remove-dead', expected: '2' })
  expect((await pool()).map(({ state }) => state)).toEqual(['ok'])
  const page = await openPage(admin, DESK)
  expect(page.text).toContain('Removed lately')
  const { rows } = await product.db.query<{ id: string }>(
    'select id from key_removals where undone_at is null order by removed_at desc limit 1',
  )
  await send({ intent: 'undo', id: rows[0]?.id ?? '' })
  expect((await pool()).map(({ state }) => state)).toEqual(['ok', 'dead', 'dead'])
  expect((await logged()).slice(0, 2)).toEqual([
    expect.stringMatching(/^tokens\.undo-removal Token \d+ …(GONE|LOST)/),
    expect.stringMatching(/^tokens\.undo-removal Token \d+ …(GONE|LOST)/),
  ])
  for (const name of ['GONE', 'LOST']) sim.token(`key_all_0123456789_${name}`, null)
})

test('P2: a removed key takes no more orders, its holder uses the next one, and it can be brought back', async () => {
  const { body } = await admin.post<{ id: string }>('/api/admin/extra-tokens', {
    token: 'key_single_0123456789_SOLO',
  })
  const user = await product.user()
  await product.db.query('update users set credential_id = $1 where id = $2', [
    body.id,
    user.userId,
  ])
  expect((await send({ intent: 'remove', id: body.id })).text).toContain('Token removed')
  const held = () =>
    product.db
      .query<{ key: string | null }>('select credential_id as key from users where id = $1', [
        user.userId,
      ])
      .then(({ rows }) => rows[0]?.key)
  expect(await held()).toBeNull()
  const { rows } = await product.db.query<{ id: string }>(
    'select id from key_removals where undone_at is null order by removed_at desc limit 1',
  )
  await send({ intent: 'undo', id: rows[0]?.id ?? '' })
  expect(await held()).toBe(body.id)
})

test('P2: a token that is pasted alone is cleaned like a line of a list, in forms and calls', async () => {
  const pasted = ' "Bearer key_lone_0123456789_LONE", '
  await send({ intent: 'add-token', token: pasted })
  const again = await admin.post<{ error: string }>('/api/admin/extra-tokens', { token: pasted })
  expect(again.body.error).toBe('This token is already in the pool')
  const [phone, username] = ['03550001234', '03550001235']
  const user = { password: 'secret-1', bearerToken: pasted }
  await admin.post('/api/admin/users', { ...user, phone })
  await admin.post('/api/admin/users/bulk-import', { users: [{ ...user, username }] })
  for (const holder of [phone, username]) expect(await rowOf('…LONE')).toContain(holder)
  sim.token('key_lone_0123456789_LONE', { dead: true })
  expect((await send({ intent: 'check', id: await idOf('LONE') })).text).toContain('Test failed')
  expect(await rowOf('…LONE')).toContain('Dead')
  sim.token('key_lone_0123456789_LONE', null)
})
