import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parseImport } from '../../app/domain/administration/imports/import-table.server'
import type { CreatedUser, ImportResult, ManagedUser } from '../../app/domain/administration/types'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { findViolations } from '../support/invariants'
import { submitForm } from '../support/page'

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin', expiry_date: null })
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

let phones = 30_000_000
const made = async (fields: Record<string, unknown> = {}) => {
  const phone = `0322${phones++}`
  const { body } = await admin.post<CreatedUser>('/api/admin/users', {
    phone,
    password: 'secret-1',
    plan: 'Starter',
    ...fields,
  })
  return body.user
}
const find = async (query: string) =>
  (await admin.get<ManagedUser[]>(`/api/admin/users?${query}`)).body
const again = async (user: ManagedUser) => (await find(`search=${user.username}`))[0]
const signedIn = async (user: ManagedUser) => {
  const client = product.client()
  await client.post('/api/auth/login', { username: user.username, password: 'secret-1' })
  return client
}
const htmlOf = async (path: string) =>
  (await (await admin.send('GET', path)).text()).replaceAll('<!-- -->', '')

/** Submits a page's form as a browser without scripts does and returns the page it leads to. */
async function send(path: string, fields: Record<string, string>) {
  const response = await submitForm(admin, path, fields)
  return { status: response.status, to: response.headers.get('location') ?? '', response }
}
const change = async (query: string, expected: number) =>
  send(`/admin/users/change?${query}`, { intent: 'apply', expected: String(expected) })

describe('changes to many users', () => {
  test('an invalid number is asked for again, and the selection and the other fields are kept', async () => {
    const user = await made()
    const html = await htmlOf(
      `/admin/users/change?scope=chosen&ids=${user.id}&search=0322&kind=gift-quota&units=99999&days=30`,
    )
    expect(html).toContain('Cannot exceed 10,000')
    expect(html).toMatch(new RegExp(`name="ids" value="${user.id}"`))
    expect(html).toMatch(/name="units"[^>]*value="99999"/)
    expect(html).toMatch(/<option value="gift-quota" selected/)
    expect(html).not.toContain('value="apply"')
    // An address that was edited by hand.
    const strange = await htmlOf(`/admin/users/change?scope=chosen&ids=${user.id}&kind=nope`)
    expect(strange).toContain('Choose what to change')
    expect(strange).not.toContain('Invalid')
    // Without a selected user the list is shown again with its filters.
    const none = await admin.send('GET', '/admin/users/change?scope=chosen&search=0322&role=user')
    expect(none.headers.get('location')).toBe('/admin?search=0322&role=user')
  })

  test('a preview writes nothing; a change stores old and new values; undo restores the old ones', async () => {
    const users = [await made({ expireDays: 2 }), await made({ expireDays: 2 })]
    const ids = users.map(({ id }) => `ids=${id}`).join('&')
    const page = await htmlOf(`/admin/users/change?kind=change-plan&plan=Business&${ids}`)
    expect(page).toContain('400/day')
    expect(await again(users[0]!)).toEqual(users[0])
    const { to } = await change(`kind=change-plan&plan=Business&${ids}`, 2)
    expect(to).toMatch(/^\/admin\/changes\//)
    for (const user of users) {
      expect(await again(user)).toEqual({
        ...user,
        plan: 'Business',
        videoLimit: 400,
        speedLimit: 5,
        videoGenerationSpeed: 45,
      })
    }
    // One of them has been edited since the change: undo leaves that user alone.
    await admin.call('PATCH', `/api/admin/users/${users[1]?.id}`, { videoLimit: 450 })
    await send(to, { intent: 'undo' })
    expect(await again(users[0]!)).toEqual(users[0])
    expect((await again(users[1]!))?.videoLimit).toBe(450)
    const undone = await htmlOf(to)
    expect(undone.match(/Changed since, left alone/g)).toHaveLength(1)
    const placeOf = (one: number) => undone.lastIndexOf(users[one]!.username)
    expect(placeOf(1)).toBeLessThan(placeOf(0))
    expect((await send(to, { intent: 'undo' })).status).toBe(409)
    const { rows } = await product.db.query<{ action: string; after: unknown }>(
      'select action, after from trail_entries where subject_id = $1 order by at',
      [users[0]?.id],
    )
    expect(rows).toMatchObject([
      { action: 'user.create' },
      { action: 'user.change-plan', after: { plan: 'Business', videoLimit: 400 } },
      { action: 'user.undo', after: { plan: 'Starter' } },
    ])
  })

  test('days are added to the users that a filter finds; a set that has changed since is refused', async () => {
    const [soon, late] = [await made({ expireDays: 3 }), await made({ expireDays: 4 })]
    const filter = 'scope=filter&filter=expiring&kind=add-days&days=10'
    const count = Number(
      /: (\d+) user/.exec(
        (await htmlOf(`/admin/users/change?${filter}`)).replace(/<!-- -->/g, ''),
      )?.[1],
    )
    expect((await change(filter, count + 1)).status).toBe(409)
    expect((await change(filter, count)).status).toBe(303)
    expect((await again(soon))?.daysLeft).toBe(13)
    expect((await again(late))?.daysLeft).toBe(4)
  })

  test('a form that is sent twice changes the users once', async () => {
    const user = await made({ expireDays: 40 })
    const twice = async (path: string, fields: Record<string, string>) => {
      const html = await htmlOf(path)
      const fieldOf = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1]
      const [formToken = '', formKey = ''] = ['formToken', 'formKey'].map(fieldOf)
      const send = () => admin.submit(path, { ...fields, formToken, formKey })
      const responses = await Promise.all([send(), send()])
      expect(new Set(responses.map(({ headers }) => headers.get('location'))).size).toBe(1)
      return (await again(user))?.daysLeft
    }
    const query = `kind=add-days&days=10&ids=${user.id}`
    const preview = { intent: 'apply', expected: '1' }
    expect(await twice(`/admin/users/change?${query}`, preview)).toBe(50)
    // Another preview is another change.
    expect(await twice(`/admin/users/change?${query}`, preview)).toBe(60)
    await product.db.query(`update users set expiry_date = now() where id = $1`, [user.id])
    expect(await twice(`/admin?dialog=renew&on=${user.id}`, { intent: 'renew', id: user.id })).toBe(
      30,
    )
  })

  test('a gift is for today and applies at once; what was used of it stays counted', async () => {
    const user = await made({ videoLimit: 1 })
    const client = await signedIn(user)
    const generate = async () => (await client.post('/api/videos/generate', { prompt: 'a' })).status
    expect([await generate(), await generate()]).toEqual([201, 429])
    const { to } = await change(`kind=gift-quota&units=2&ids=${user.id}`, 1)
    expect([await generate(), await generate()]).toEqual([201, 201])
    expect(await generate()).toBe(429)
    await send(to, { intent: 'undo' })
    expect(await generate()).toBe(429)
    expect((await again(user))?.videosGeneratedToday).toBe(3)
  })

  test('disabling many users ends their sessions at the next request and never includes administrators', async () => {
    const user = await made()
    const client = await signedIn(user)
    await change(`kind=disable&ids=${user.id}&ids=${admin.userId}`, 1)
    expect((await client.get('/api/auth/me')).status).toBe(401)
    expect((await admin.get('/api/auth/me')).status).toBe(200)
    // They do not come back when the account is enabled again.
    await admin.call('PATCH', `/api/admin/users/${user.id}`, { isActive: true })
    expect((await client.get('/api/auth/me')).status).toBe(401)
  })

  test.each([
    ['kind=add-days&days=0', 'Must be at least 1 day'],
    ['kind=add-days&days=3651', 'Cannot exceed 3650 days'],
    ['kind=gift-quota&units=x', 'Videos must be a number'],
  ])('%s is refused with a message', async (query, sentence) => {
    const html = await htmlOf(`/admin/users/change?${query}&ids=${admin.userId}`)
    expect(html).toContain(sentence)
    expect(html).not.toContain('value="apply"')
  })
})

describe('the ticks of the users’ list', () => {
  /** The fields that the form of the list sends, with these boxes ticked. */
  const fieldsOf = (html: string, ticked: readonly string[]) => {
    const form = /<form[^>]*id="selection"[\s\S]*?<\/form>/.exec(html)?.[0] ?? ''
    const fields = new URLSearchParams()
    for (const [tag] of form.matchAll(/<input type="hidden"[^>]*>/g))
      fields.append(/name="([^"]*)"/.exec(tag)?.[1] ?? '', /value="([^"]*)"/.exec(tag)?.[1] ?? '')
    for (const id of ticked) fields.append('ids', id)
    return fields
  }
  const boxes = (html: string) =>
    [...html.matchAll(/<input type="checkbox"[^>]*name="ids"[^>]*>/g)].map(([box]) => ({
      id: /value="([^"]*)"/.exec(box)?.[1] ?? '',
      isTicked: box.includes('checked=""'),
    }))
  /** Follows the redirect that gives the ticks an address. */
  const open = async (path: string) => {
    const { headers } = await admin.send('GET', path)
    const address = headers.get('location') ?? path
    return { address, html: await htmlOf(address) }
  }
  const many = async (prefix: string, count: number) => {
    await product.db.query(
      `insert into users (id, username, phone, plan, video_limit, speed_limit,
         video_generation_speed, expiry_date)
       select gen_random_uuid(), $1 || n, $1 || n, 'Starter', 20, 1, 90, now() + interval '2 days'
       from generate_series(101, 100 + $2::int) as n`,
      [prefix, count],
    )
  }
  const days = async (prefix: string) => {
    const { rows } = await product.db.query<{ days: number; username: string }>(
      `select username, ceil(extract(epoch from expiry_date - now()) / 86400)::int as days
       from users where username like $1 || '%' order by username`,
      [prefix],
    )
    return rows
  }

  test('P4: who is unticked after all found were selected is not changed', async () => {
    await many('0377', 4)
    const list = '/admin?search=0377&filter=expiring&scope=filter'
    const { html } = await open(list)
    const found = boxes(html)
    expect(found.map(({ isTicked }) => isTicked)).toEqual([true, true, true, true])
    const left = found[1]?.id ?? ''
    const ticked = found.map(({ id }) => id).filter((id) => id !== left)
    const query = fieldsOf(html, ticked)
    query.set('kind', 'add-days')
    query.set('days', '10')
    expect(await htmlOf(`/admin/users/change?${query}`)).toContain('Apply to 3 users')
    expect((await change(String(query), 3)).status).toBe(303)
    const { rows } = await product.db.query<{ username: string }>(
      'select username from users where id = $1',
      [left],
    )
    expect((await days('0377')).filter((one) => one.days === 2)).toEqual([
      { username: rows[0]?.username, days: 2 },
    ])
  })

  test('P14: ticks stay on other pages; Cancel and Back keep order, filter, page and ticks', async () => {
    await many('0378', 60)
    const list = '/admin?search=0378&sort=username&status=active'
    const first = await open(list)
    const [one, two] = boxes(first.html).map(({ id }) => id)
    expect(first.html).toMatch(/<button form="selection"[^>]*name="page"[^>]*value="2"/)
    const onward = fieldsOf(first.html, [one ?? '', two ?? ''])
    onward.append('page', '2')
    const second = await open(`/admin?${onward}`)
    expect(second.address).not.toContain('ids=')
    const [three] = boxes(second.html).map(({ id }) => id)
    // Back on the first page they are ticked still.
    const back = fieldsOf(second.html, [three ?? ''])
    back.append('page', '1')
    const again = await open(`/admin?${back}`)
    expect(boxes(again.html).flatMap(({ id, isTicked }) => (isTicked ? [id] : []))).toEqual([
      one,
      two,
    ])
    const preview = fieldsOf(second.html, [three ?? ''])
    preview.set('kind', 'renew')
    const html = await htmlOf(`/admin/users/change?${preview}`)
    expect(html).toContain('Apply to 3 users')
    const cancel = /<a[^>]*href="([^"]*)"[^>]*>Cancel</.exec(html)?.[1]?.replaceAll('&amp;', '&')
    const cancelled = new URL(cancel ?? '', product.url).searchParams
    expect(Object.fromEntries(cancelled)).toEqual({
      search: '0378',
      sort: 'username',
      status: 'active',
      page: '2',
      picked: cancelled.get('picked'),
    })
    expect(boxes((await open(cancel ?? '')).html)[0]?.isTicked).toBe(true)
    // Without a tick, and after the change, the list is as it was.
    const nobody = await admin.send(
      'GET',
      '/admin/users/change?search=0378&sort=username&at=2&kind=renew',
    )
    expect(nobody.headers.get('location')).toBe('/admin?search=0378&page=2&sort=username')
    const { to } = await change(String(preview), 3)
    const receipt = await htmlOf(to)
    expect(receipt).toMatch(
      /href="\/admin\?search=0378&amp;status=active&amp;page=2&amp;sort=username"[^>]*>Back to all/,
    )
    const { to: undone } = await send(to, { intent: 'undo' })
    expect(undone).toBe(to)
    expect((await days('0378')).every((user) => user.days === 2)).toBe(true)
  })

  test('P13: to disable many, and to reset all counters, the number is typed', async () => {
    await many('0379', 3)
    const query = 'scope=filter&search=0379&kind=disable'
    expect(await htmlOf(`/admin/users/change?${query}`)).toContain('Type 3 to continue')
    expect((await change(query, 3)).status).toBe(400)
    expect((await find('search=0379&status=active')).length).toBe(3)
    const typed = { intent: 'apply', expected: '3', typed: '3' }
    expect((await send(`/admin/users/change?${query}`, typed)).status).toBe(303)
    expect((await find('search=0379&status=active')).length).toBe(0)

    const user = await made()
    const client = await signedIn(user)
    await client.post('/api/videos/generate', { prompt: 'counted' })
    const page = '/admin?dialog=reset-all&index'
    const shown = (await htmlOf('/admin?dialog=reset-all')).replace(/<!-- -->/g, '')
    const count = /Type (\d+) to continue/.exec(shown)?.[1] ?? ''
    const reset = { intent: 'reset-all', expected: count }
    expect((await send(page, { ...reset, typed: `${count}1` })).status).toBe(400)
    expect((await again(user))?.videosGeneratedToday).toBe(1)
    expect((await send(page, { ...reset, typed: count })).status).toBe(303)
    expect((await again(user))?.videosGeneratedToday).toBe(0)
  })

  test('P15: the list shows plans and when an account expired, and filters by plan and by week', async () => {
    await many('0376', 2)
    await product.db.query(
      `update users set plan = 'Business', expiry_date = now() + interval '5 days'
       where username = '0376101'`,
    )
    await product.db.query(
      `update users set expiry_date = '2026-01-05T12:00:00Z' where username = '0376102'`,
    )
    const shown = async (query: string) => {
      const html = await htmlOf(`/admin?search=0376&${query}`)
      return ['0376101', '0376102'].filter((name) => html.includes(`Select ${name}`))
    }
    expect(await shown('onPlan=Business')).toEqual(['0376101'])
    expect(await shown('onPlan=none')).toEqual([])
    expect(await shown('filter=expiring')).toEqual([])
    expect(await shown('filter=expiring-week')).toEqual(['0376101'])
    const html = await htmlOf('/admin?search=0376')
    expect(html).toContain('>Business</span>')
    expect(html).toMatch(/Expired<\/span><span[^>]*>5 Jan 2026</)
  })
})

describe('filters', () => {
  test('expiring, expired, inactive, over 80 %, never used', async () => {
    await admin.call('DELETE', '/api/admin/users/delete-all', {})
    const fresh = await made({ expireDays: 30 })
    const expired = await made()
    await product.db.query(
      `update users set expiry_date = now() - interval '2 days' where id = $1`,
      [expired.id],
    )
    const inactive = await made()
    await admin.call('PATCH', `/api/admin/users/${inactive.id}`, { isActive: false })
    const busy = await made({ videoLimit: 5 })
    const client = await signedIn(busy)
    await client.post('/api/videos/bulk-generate', { prompts: ['a', 'b', 'c', 'd'] })
    const shown = async (filter: string) => {
      const html = await htmlOf(`/admin?filter=${filter}&role=user`)
      return [fresh, expired, inactive, busy].filter(({ id }) => html.includes(`value="${id}"`))
    }
    expect(await shown('over-80')).toEqual([])
    await client.post('/api/videos/generate', { prompt: 'e' })
    expect((await shown('over-80')).map(({ id }) => id)).toEqual([busy.id])
    expect((await shown('expired')).map(({ id }) => id)).toEqual([expired.id])
    expect((await shown('inactive')).map(({ id }) => id)).toEqual([inactive.id])
    expect((await shown('expiring')).map(({ id }) => id)).toEqual([])
    expect((await shown('never-used')).map(({ id }) => id)).toEqual([
      fresh.id,
      expired.id,
      inactive.id,
    ])
  })

  test('A-STAT-1: the six totals', async () => {
    const html = await htmlOf('/admin')
    const value = (label: string) =>
      Number(new RegExp(`<dt[^>]*>${label}.*?</dt><dd[^>]*>(\\d+)`).exec(html)?.[1])
    expect(
      ['Total Users', 'Admins', 'Editors', 'Users', 'Active', 'Total Videos'].map(value),
    ).toEqual([5, 1, 0, 4, 4, 5])
  })
})

describe('export', () => {
  test('A-EXPORT-1, A-IMPORT-4: the file has its columns in order, no secrets, and can be imported', async () => {
    const user = await made({ bearerToken: 'tok-exported-0123456789', plan: 'Professional' })
    const response = await admin.send('GET', '/admin/users/export')
    const today = new Date().toISOString().slice(0, 10)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="users-${today}.txt"`,
    )
    const text = await response.text()
    const [header, ...lines] = text.trim().split('\n')
    expect(header).toBe(
      'username|phone|password|role|plan|videoLimit|speedLimit|videoGenerationSpeed|videosGeneratedThisMonth|expireDays|bearerToken|isActive|createdAt',
    )
    expect(lines).toHaveLength((await find('')).length)
    expect(text).not.toMatch(/argon2|secret-1|tok-exported-0/)
    const line = lines.find((one) => one.startsWith(user.username)) ?? ''
    expect(line.split('|').slice(2, 5)).toEqual(['[HASHED]', 'user', 'Professional'])
    await admin.call('DELETE', `/api/admin/users/${user.id}`, {})
    const entries = (await parseImport(text)).lines.flatMap((one) =>
      'entry' in one ? [one.entry] : [],
    )
    const { body } = await admin.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users: entries,
    })
    expect(body.results.filter(({ success }) => !success)).toEqual([])
    expect(await again(user)).toMatchObject({
      plan: 'Professional',
      videoLimit: 120,
      speedLimit: 3,
      daysLeft: 30,
      tokenMasked: null,
    })
  })

  test('A-EXPORT-2: an export without users is reported', async () => {
    const response = await admin.send('GET', '/admin/users/export?search=nobody-at-all')
    expect(response.headers.get('location')).toBe('/admin')
    const html = await htmlOf('/admin')
    expect(html).toContain('No data to download')
    expect(html).toContain('There are no users in the system.')
  })
})

describe('trash', () => {
  test('a restored user gets their videos back; old sessions stay ended', async () => {
    const user = await made()
    const client = await signedIn(user)
    await client.post('/api/videos/generate', { prompt: 'kept' })
    await client.post('/api/videos/generate', { prompt: 'deleted before' })
    const { body } = await client.get<{ videos: { id: string; prompt: string }[] }>('/api/videos')
    const before = body.videos.find(({ prompt }) => prompt === 'deleted before')
    await client.call('DELETE', `/api/videos/${before?.id}`, {})
    await admin.call('DELETE', `/api/admin/users/${user.id}`, {})
    expect(await again(user)).toBeUndefined()
    const { to } = await send('/admin/users/trash', { intent: 'restore', id: user.id })
    expect(to).toBe('/admin/users/trash')
    expect((await client.get('/api/auth/me')).status).toBe(401)
    const back = await signedIn(user)
    const list = await back.get<{ videos: { prompt: string }[] }>('/api/videos')
    expect(list.body.videos.map(({ prompt }) => prompt)).toEqual(['kept'])
  })

  test('a user is not restored if their username has been taken since', async () => {
    const user = await made()
    await admin.call('DELETE', `/api/admin/users/${user.id}`, {})
    await made({ phone: user.phone })
    expect((await send('/admin/users/trash', { intent: 'restore', id: user.id })).status).toBe(409)
  })

  test('A-DELUSER-2: the number must be typed; with a wrong one no user is deleted', async () => {
    const count = (await find('')).filter(({ role }) => role !== 'admin').length
    const wrong = await send('/admin?dialog=delete-all', {
      intent: 'delete-all',
      count: String(count + 1),
    })
    expect(wrong.status).toBe(409)
    expect((await find('')).length).toBe(count + 1)
    const right = await send('/admin?dialog=delete-all', {
      intent: 'delete-all',
      count: String(count),
    })
    expect(right.status).toBe(303)
    expect(await htmlOf('/admin')).toContain('All non-admin users have been removed.')
    expect((await find('')).length).toBe(1)
  })
})

test('the activity log shows who did what to whom, with old and new values', async () => {
  const user = await made({ videoLimit: 20 })
  await admin.call('PATCH', `/api/admin/users/${user.id}`, { videoLimit: 33, password: 'secret22' })
  expect(await htmlOf('/admin/activity?subject=nobody')).toContain(
    'No entries match these filters.',
  )
  expect(await htmlOf('/admin/users/trash?search=nobody')).toContain('No deleted users match.')
  const html = (await htmlOf(`/admin/activity?subject=${user.username}`)).replace(/<!-- -->/g, '')
  expect(html).toContain('20 → 33')
  expect(html).toMatch(/password<\/dt><dd[^>]*>changed/)
  expect(html).not.toContain('secret22')
  expect(html).toContain(admin.username)
  // Readable labels and the platform's time zone instead of field names and stored values.
  expect(html).toMatch(/>expires<\/dt><dd[^>]*>\d{1,2} \w{3} \d{4}, \d\d:\d\d</)
  expect(html).toMatch(/>active<\/dt><dd[^>]*>yes</)
  expect(html).not.toMatch(/<dd[^>]*>[^<]*\dT\d\d:|<dt>(expiryDate|isActive|videoLimit)</)
  const { rows } = await product.db.query<{ action: string }>(
    'select action from trail_entries where subject_id = $1 order by at',
    [user.id],
  )
  expect(rows.map(({ action }) => action)).toEqual(['user.create', 'user.edit'])
})
