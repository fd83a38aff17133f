import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startInstallation, type Installation, type TestUser } from '../support/installation'
import { addVideos } from '../support/ended-videos'
import { findViolations } from '../support/invariants'
import { textOf } from '../support/html'
import { openPage, sendForm, valueOf } from '../support/page'

// The administrators' pages without scripts: texts, content and actions.

let product: Installation
type User = TestUser
let admin: User
beforeAll(async () => {
  product = await startInstallation()
  admin = await product.user({ role: 'admin' })
})
afterAll(async () => {
  expect(await findViolations(product.db)).toEqual({})
  await product.remove()
})

/** Inserts three users whose order differs from column to column. Returns their ids. */
async function addSortedUsers(): Promise<string[]> {
  const ids: string[] = []
  const users = [
    ['a', '2 days', 'editor', 1, 30, null],
    ['b', '1 day', 'user', 3, 10, '9 days'],
    ['c', '3 days', 'admin', 2, 20, '8 days'],
  ] as const
  for (const [name, age, role, made, quota, left] of users) {
    const id = randomUUID()
    ids.push(id)
    await product.db.query(
      `insert into users (id, username, role, video_limit, speed_limit, video_generation_speed,
         created_at, expiry_date)
       values ($1, $2, $3, $4, 1, 60, now() - $5::interval, now() + $6::interval)`,
      [id, `sorted-${name}`, role, quota, age, left],
    )
    await product.db.query(
      `insert into quota_months (user_id, month, used)
       values ($1, date_trunc('month', now() at time zone 'UTC'), $2)`,
      [id, made],
    )
  }
  return ids
}

const page = (path: string) => openPage(admin, path)
const send = (path: string, fields: Record<string, string | readonly string[]>) =>
  sendForm(admin, path, fields)
let phones = 41_000_000
const newPhone = () => `0322${phones++}`
const rowOf = (html: string, username: string) =>
  textOf(html.split('<tr').find((row) => row.includes(`>${username}<`)) ?? '')

describe('the users page', () => {
  test('A-USER-1, A-USER-2, A-USER-3: buttons, columns in order, badges of every kind', async () => {
    const [user, editor] = [await product.user(), await product.user({ role: 'editor' })]
    await product.db.query(
      `update users set video_limit = 20, expiry_date = now() + interval '6.2 days' where id = $1`,
      [user.userId],
    )
    await product.db.query('update users set is_active = false, video_limit = 1234 where id = $1', [
      editor.userId,
    ])
    const { html, text } = await page('/admin')
    for (const button of [
      'Quick Create',
      'Create User',
      'Download All Data',
      'Reset All Counters',
      'Delete All Users',
    ]) {
      // The last one ends the page.
      expect(`${text} `).toContain(` ${button} `)
    }
    const users = html.slice(html.indexOf('>Users</caption>'))
    const headings = [...users.matchAll(/<th [^>]*>([^<]+)<\/th>/g)].slice(0, 9)
    expect(headings.map(([, heading]) => heading)).toEqual([
      ...['Select', 'Username', 'Phone', 'Role', 'Videos', 'Quota', 'Status', 'Days Left'],
      'Actions',
    ])
    expect(rowOf(html, user.username)).toMatch(/User .*20\/day.* Active .*7d/)
    expect(rowOf(html, editor.username)).toMatch(/Editor .*1,234\/day.* Inactive /)
    expect(rowOf(html, admin.username)).toMatch(/Admin .* Active /)
  })

  test('A-USER-4, A-CONST-1: seven days left are shown as a warning, eight are not', async () => {
    const badges = []
    for (const days of ['6.99 days', '7.01 days', '-0.5 days', '-2 days']) {
      const user = await product.user()
      await product.db.query(`update users set expiry_date = now() + $2::interval where id = $1`, [
        user.userId,
        days,
      ])
      const { html } = await page(`/admin?search=${user.username}`)
      const row = html.split('<tr').find((part) => part.includes(`>${user.username}<`)) ?? ''
      const badge = /<span class="([^"]*)">(\d+d|Today|Expired)</.exec(row)
      badges.push([badge?.[2], badge?.[1]?.includes('warn')])
    }
    expect(badges).toEqual([
      ['7d', true],
      ['8d', false],
      ['Today', true],
      ['Expired', false],
    ])
  })

  test('A-USER-5: edit, reset and delete affect only the user of their row', async () => {
    const [one, other] = [await product.user(), await product.user()]
    for (const user of [one, other]) await user.post('/api/videos/generate', { prompt: 'a' })
    const numbers = { videoLimit: '33', speedLimit: '2', videoGenerationSpeed: '9' }
    const edited = await send(`/admin?dialog=edit&on=${one.userId}`, {
      intent: 'edit-user',
      id: one.userId,
      role: 'user',
      plan: 'Starter',
      isActive: 'on',
      ...numbers,
      expireDays: '30',
      bearerToken: '',
      password: '',
    })
    expect(edited.text).toContain('User updated')
    const reset = await send(`/admin?dialog=reset&on=${one.userId}`, {
      intent: 'reset-counter',
      id: one.userId,
    })
    expect(reset.text).toContain('Counter reset')
    const both = await product.db.query(
      `select video_limit, coalesce(reserved + charged, 0) as used from users left join quota_days on user_id = id
       where id = any($1) order by username`,
      [[one.userId, other.userId]],
    )
    expect(both.rows).toMatchObject([
      { video_limit: 33, used: 0 },
      { video_limit: 3, used: 1 },
    ])
    const question = await page(`/admin?dialog=delete&on=${one.userId}`)
    expect(question.text).toContain(`Delete ${one.username}?`)
    const deleted = await send(`/admin?dialog=delete&on=${one.userId}`, {
      intent: 'delete-user',
      id: one.userId,
    })
    expect(deleted.text).toContain('User deleted')
    expect((await one.get('/api/auth/me')).status).toBe(401)
    expect((await other.get('/api/auth/me')).status).toBe(200)
  })

  test('A-USER-6, A-EXPORT-2: a filter without matches is reported on the page and for the file', async () => {
    expect((await page('/admin?search=nobody-at-all')).text).toContain('No users found')
    const file = await admin.send('GET', '/admin/users/export?search=nobody-at-all')
    expect([file.status, file.headers.get('location')]).toEqual([303, '/admin'])
    const { text } = await page('/admin')
    expect(text).toContain('No data to download')
    expect(text).toContain('There are no users in the system.')
  })

  test('select all: all boxes of the page, or all users that the filter finds', async () => {
    const boxes = (html: string) => html.match(/<input[^>]*name="ids"[^>]*>/g) ?? []
    const ticked = (html: string) => boxes(html).filter((box) => box.includes('checked'))
    const plain = await page('/admin')
    expect(boxes(plain.html).length).toBeGreaterThan(3)
    expect(ticked(plain.html)).toEqual([])
    for (const label of ['Select all on page', 'Select all found']) {
      const link = new RegExp(`href="([^"]*)"[^>]*>${label}<`).exec(plain.html)?.[1] ?? ''
      const whole = await page(link.replaceAll('&amp;', '&'))
      expect(ticked(whole.html)).toEqual(boxes(whole.html))
    }
  })

  test('the table is in the order that its address names, unknown ones count as newest first', async () => {
    const ids = await addSortedUsers()
    const shown: Record<string, string> = {}
    for (const sort of ['created', 'username', 'role', 'videos', 'quota', 'expiry', 'nonsense']) {
      const { html } = await page(`/admin?search=sorted-&sort=${sort}`)
      const names = [...html.matchAll(/>sorted-([abc])</g)].map(([, name]) => name)
      shown[sort] = [...new Set(names)].join('')
    }
    expect(shown).toEqual({
      created: 'bac',
      username: 'abc',
      role: 'cab',
      videos: 'bca',
      quota: 'acb',
      expiry: 'cba',
      nonsense: 'bac',
    })
    // These quotas have no videos, which the invariants would find.
    await product.db.query('delete from quota_months where user_id = any($1)', [ids])
  })

  test('A-POOL-4, A-POOL-5: the page shows the Extra Tokens Pool with working forms', async () => {
    const token = `pool-here-${randomUUID()}`
    expect((await page('/admin')).text).toContain('The provider in use needs no tokens')
    const added = await send('/admin', { intent: 'add-token', token: ` ${token} ` })
    expect([added.location?.split('?')[0], added.text.includes('Token added')]).toEqual([
      '/admin',
      true,
    ])
    expect(added.html).not.toContain(token)
    const twice = await send('/admin', { intent: 'add-tokens', tokens: `${token}\n${token}2` })
    expect(twice.text).toContain('1 added, 1 failed')
    expect(rowOf(twice.html, '1')).toContain('Never')
    const labels = [...twice.html.matchAll(/aria-label="((?:Test|Remove) token [^"]*)"/g)]
    expect(labels.map(([, label]) => label)).toEqual([
      ...['Test token 1', 'Remove token 1', 'Test token 2', 'Remove token 2'],
    ])
    const { rows } = await product.db.query<{ id: string }>(
      'select id from credentials where pool_position = 1',
    )
    const id = rows[0]?.id ?? ''
    expect((await page(`/admin?dialog=remove&on=${id}`)).text).toContain('Remove this token?')
    const removed = await send(`/admin?dialog=remove&on=${id}`, { intent: 'remove', id })
    expect(removed.text).toContain('Token removed')
    const emptied = await send('/admin?dialog=remove-all', { intent: 'remove-all' })
    expect(emptied.text).toContain('Tokens deleted')
  })
})

describe('creating users', () => {
  test('A-CREATE-2: a fresh form starts with Starter, 20, 1, 60 and 30 days', async () => {
    const { html, text } = await page('/admin?dialog=create')
    const shown = ['videoLimit', 'speedLimit', 'videoGenerationSpeed', 'expireDays'].map((name) =>
      valueOf(html, `create-user-${name}`),
    )
    expect(shown).toEqual(['20', '1', '60', '30'])
    expect(html).toMatch(/<option value="Starter" selected=""/)
    expect(text).toContain('Starter is 90 s.')
  })

  test('A-CREATED-1, A-CREATED-3: the credentials are shown once', async () => {
    const phone = newPhone()
    const created = await send('/admin?dialog=create', {
      intent: 'create-user',
      phone,
      password: 'seen-once-1',
      role: 'user',
      plan: 'Business',
      videoLimit: '400',
      speedLimit: '5',
      videoGenerationSpeed: '45',
      expireDays: '30',
      bearerToken: 'tok-seen-once-0123456789',
    })
    for (const words of ['User Created Successfully!', 'it will not be shown again', phone])
      expect(created.text).toContain(words)
    expect(created.text).toMatch(
      /Password seen-once-1 .*Role user Plan Business Expiry date \d+ \w+ 20/,
    )
    expect(created.text).toContain('Bearer token tok-seen-once-0123456789')
    for (const path of [created.location ?? '', '/admin', `/api/admin/users?search=${phone}`]) {
      expect((await page(path)).html).not.toContain('seen-once')
    }
  })

  test('A-QUICK-3: username, password, expiry date, phone and plan are shown, and the password works', async () => {
    const phone = newPhone()
    const { text } = await send('/admin?dialog=quick', {
      intent: 'quick-create',
      phone: `+${phone}`,
      plan: 'Professional',
    })
    const [, username, password = ''] = /Username (\S+) Password (\S+) /.exec(text) ?? []
    expect(username).toBe(phone)
    expect(text).toMatch(
      new RegExp(`Phone ${phone} Role user Plan Professional Expiry date \\d+ \\w+ 20`),
    )
    const response = await product.client().post('/api/auth/login', { username, password })
    expect(response.status).toBe(200)
  })

  test('A-EDIT-3: the text of the box matches its state, ticked or not', async () => {
    const user = await product.user()
    const dialog = `/admin?dialog=edit&on=${user.userId}`
    expect((await page(dialog)).text).toContain('User can login and use the platform')
    await product.db.query('update users set is_active = false where id = $1', [user.userId])
    const { text } = await page(dialog)
    expect(text).toContain('User is disabled')
    expect(text).not.toContain('User can login')
  })

  test('A-EDIT-6: an account without its own numbers shows 20, 5, 15 and 30 days', async () => {
    const user = await product.user({ plan: null })
    await product.db.query('update users set expiry_date = null where id = $1', [user.userId])
    const { html } = await page(`/admin?dialog=edit&on=${user.userId}`)
    const shown = ['videoLimit', 'speedLimit', 'videoGenerationSpeed', 'expireDays'].map((name) =>
      valueOf(html, `edit-user-${name}`),
    )
    expect(shown).toEqual(['20', '5', '15', '30'])
  })

  test.each(['edit', 'reset', 'delete'])(
    'a dialog to %s a user who no longer exists reports that',
    async (name) => {
      const { text } = await page(`/admin?dialog=${name}&on=${randomUUID()}`)
      expect(text).toContain('This user does not exist')
    },
  )
})

describe('all users’ videos', () => {
  test('A-VID-4, A-VID-5, A-VID-6, A-CONST-1: filters by user with counts, status and ratio; 12 per page', async () => {
    const [ali, bea] = [await product.user(), await product.user()]
    await addVideos(product, { userId: ali.userId, status: 'completed', n: 13, prompt: 'done one' })
    await addVideos(product, { userId: bea.userId, status: 'error', n: 2, prompt: 'failed one' })
    const landscape = { aspectRatio: 'landscape', prompt: 'wide one' } as const
    await addVideos(product, { userId: bea.userId, status: 'completed', n: 1, ...landscape })
    const all = await page('/admin/videos')
    expect(all.text).toContain(`${ali.username} (13)`)
    expect(all.text).toContain(`${bea.username} (3)`)
    expect(all.text).toMatch(/Showing 1-12 of \d+ videos/)
    expect(all.html.match(/<article/g)).toHaveLength(12)
    for (const label of ['Failed', 'Landscape 16:9', 'Portrait 9:16'])
      expect(all.text).toContain(label)
    const of = async (query: string) => {
      const { text } = await page(`/admin/videos?${query}`)
      return ['done one', 'failed one', 'wide one'].filter((prompt) => text.includes(prompt))
    }
    expect(await of(`user=${bea.userId}`)).toEqual(['failed one', 'wide one'])
    expect(await of(`search=${ali.username}`)).toEqual(['done one'])
    expect(await of(`user=${bea.userId}&status=error`)).toEqual(['failed one'])
    expect(await of(`user=${bea.userId}&status=completed`)).toEqual(['wide one'])
    expect(await of(`user=${bea.userId}&status=pending`)).toEqual([])
    expect(await of(`user=${bea.userId}&aspectRatio=landscape`)).toEqual(['wide one'])
    expect(await of(`user=${bea.userId}&aspectRatio=portrait`)).toEqual(['failed one'])
  })

  test('A-VID-10, A-ERR-2: prompts of the selected or of all videos as a file; an empty selection is reported', async () => {
    const user = await product.user()
    const ids = await addVideos(product, { userId: user.userId, status: 'error', n: 2 })
    await addVideos(product, {
      userId: admin.userId,
      status: 'error',
      n: 1,
      prompt: 'of the admin',
    })
    const file = async (query: string) => admin.send('GET', `/resources/prompts?${query}`)
    const some = await file(`choice=selected&scope=all&ids=${ids[0]}&ids=${ids[1]}`)
    expect(await some.text()).toBe('1. A prompt\n\n2. A prompt\n')
    expect(some.headers.get('content-disposition')).toMatch(/prompts-\d{4}-\d\d-\d\d\.txt/)
    const { rows } = await product.db.query<{ n: number }>(
      'select count(*)::int as n from videos where deleted_at is null',
    )
    const all = await (await file('choice=all&scope=all')).text()
    expect(all.match(/^\d+\. /gm)).toHaveLength(rows[0]?.n ?? 0)
    await file('choice=selected&scope=all&from=%2Fadmin%2Fvideos')
    expect((await page('/admin/videos')).text).toContain('No videos selected')
    await product.db.query(`delete from videos where status = 'completed'`)
    await admin.send('GET', '/api/videos/archive?choice=all&scope=all&from=%2Fadmin%2Fvideos')
    const { text } = await page('/admin/videos')
    expect(text).toContain('No videos to download')
    expect(text).toContain('No completed videos found')
  })
})
