import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CreatedUser, ImportResult, ManagedUser } from '../../app/domain/administration/types'
import type { BatchReceipt } from '../../app/domain/batches/schemas'
import type { TestUser } from '../support/installation'
import { textOf } from '../support/html'
import { openPage, sendForm, STARTER_FIELDS } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import { until } from '../support/wait'
import { addVideos } from '../support/ended-videos'

// What an operator who sells plans by chat came across in a week: a country's numbers, a name of
// their own, real limits, and no payment account yet.

const product = useInstallation({
  env: {
    THROTTLE_SCALE: '1',
    PHONE_COUNTRY_CODE: '92',
    PRODUCT_NAME: 'Filmwerk',
    PAYMENT_EXCHANGE_ACCOUNT: '',
    // What earlier versions showed.
    PAYMENT_WALLET_ACCOUNT: '0300 0000000',
    PAYMENT_BANK_ACCOUNT: '',
  },
})
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin', expiry_date: null })
})

let numbers = 4_000_000
const newNumber = () => `0345${numbers++}`
const made = async (fields: Record<string, unknown> = {}) => {
  const { body } = await admin.post<CreatedUser>('/api/admin/users', {
    phone: newNumber(),
    password: 'secret-1',
    plan: 'Starter',
    ...fields,
  })
  return body.user
}
const signIn = (username: string, password: string) =>
  product.client().call('POST', '/api/auth/login', { username, password })

describe('P8: a user who is locked out', () => {
  const lockOut = async (username: string) => {
    for (let i = 0; i < 10; i++) expect((await signIn(username, 'wrong-1')).status).toBe(401)
    expect((await signIn(username, 'secret-1')).status).toBe(429)
  }

  test('P8: is unlocked by an administrator, whose log says so', async () => {
    const user = await made()
    await lockOut(user.username)
    const path = `/admin?dialog=edit&on=${user.id}`
    expect((await openPage(admin, path)).text).toContain('11 failed sign-ins in the last hour')
    const sent = await sendForm(admin, path, { intent: 'unlock', id: user.id })
    expect(sent.text).toContain(`${user.username} can sign in again.`)
    expect((await openPage(admin, path)).text).not.toContain('failed sign-ins')
    expect((await signIn(user.username, 'secret-1')).status).toBe(200)
    expect((await openPage(admin, `/admin/activity?subject=${user.username}`)).text).toContain(
      'unlocked sign-in',
    )
  })

  test('P8: is unlocked by a new password of the administrator', async () => {
    const user = await made()
    await lockOut(user.username)
    await admin.call('PATCH', `/api/admin/users/${user.id}`, { password: 'another-1' })
    expect((await signIn(user.username, 'another-1')).status).toBe(200)
  })

  test('P8: finds help on the sign-in page', async () => {
    const { text } = await openPage(product.client(), '/login')
    expect(text).toContain('Forgot the password? Ask us for a new one')
  })
})

describe('Z1: a link for the first password', () => {
  const imported = async () => {
    const username = newNumber()
    await admin.post('/api/admin/users/bulk-import', {
      users: [{ username, password: '[HASHED]' }],
    })
    const { body } = await admin.get<ManagedUser[]>(`/api/admin/users?search=${username}`)
    return body[0]!
  }
  const linkFor = async (id: string) => {
    const { html } = await sendForm(admin, '/admin', { intent: 'password-link', id })
    return /\/set-password\?token=[\w-]+/.exec(html)?.[0] ?? ''
  }
  const use = async (link: string) => {
    const token = link.split('token=')[1] ?? ''
    return (
      await sendForm(product.client(), link, {
        intent: 'set-password',
        newPassword: 'a good one',
        token,
      })
    ).status
  }

  test('Z1: ends with a change of role, with another link, and by disabling the account', async () => {
    const ways: ((id: string) => Promise<unknown>)[] = [
      (id) => admin.call('PATCH', `/api/admin/users/${id}`, { role: 'admin' }),
      (id) => linkFor(id),
      async (id) => {
        await admin.call('PATCH', `/api/admin/users/${id}`, { isActive: false })
        await admin.call('PATCH', `/api/admin/users/${id}`, { isActive: true })
      },
    ]
    for (const change of ways) {
      const { id } = await imported()
      const link = await linkFor(id)
      await change(id)
      expect(await use(link)).toBe(409)
    }
    const { id } = await imported()
    expect(await use(await linkFor(id))).toBe(303)
  })
})

describe('names and numbers at every door', () => {
  test.each(['1e99', '5e3', 1e99, '1.5E+21', '0x10', '0b11', '1_000'])(
    'Z2, A15: %j is not a number of videos',
    async (value) => {
      const user = await made()
      const response = await admin.call('PATCH', `/api/admin/users/${user.id}`, {
        videoLimit: value,
      })
      expect(response.status).toBe(400)
      expect(await made({ videoLimit: '12abc' })).toMatchObject({ videoLimit: 12 })
    },
  )

  test('Z3: an import refuses the look-alikes that registering refuses', async () => {
    const users = ['O912345678', 'l923001234567', 'adminı', '-2+3', newNumber()].map(
      (username) => ({
        username,
        password: 'secret-1',
      }),
    )
    const { body } = await admin.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users,
    })
    expect(body.results.map(({ success }) => success)).toEqual([false, false, false, false, true])
    expect(
      (await admin.post('/api/admin/users', { phone: 'O912345678', password: 'secret-1' })).status,
    ).toBe(400)
  })

  test('A14: create, quick create, import and registering refuse the same look-alikes', async () => {
    for (const name of ['923OOOOOOOO1', 'S234567890', 'ádmin-two', 'admin–two']) {
      const doors = {
        create: ['/api/admin/users', { phone: name, password: 'secret-1' }],
        register: ['/api/auth/register', { phone: name, password: 'secret-1' }],
      } as const
      for (const [door, [path, body]] of Object.entries(doors))
        expect((await admin.post(path, body)).status, `${door}: ${name}`).toBe(400)
      const { body } = await admin.post<{ results: ImportResult[] }>(
        '/api/admin/users/bulk-import',
        { users: [{ username: name, password: 'secret-1' }] },
      )
      expect(body.results.map(({ success }) => success)).toEqual([false])
    }
    const quick = await admin.post('/api/admin/users/quick-create', {
      phone: 'S234567890',
      plan: 'Starter',
    })
    expect(quick.status).toBe(400)
  })

  test('A14: a name with accents is a name, unless another user has it without them', async () => {
    const create = (phone: string) =>
      admin.post('/api/admin/users', { phone, password: 'secret-1' })
    expect((await create('josé lopez')).status).toBe(201)
    expect((await create('zoe lopez')).status).toBe(201)
    const problem = 'There is a user zoe lopez. With accents this name could be mistaken for it'
    expect(await create('zoë lopez')).toMatchObject({ status: 409, body: { error: problem } })
    const users = [{ username: 'zoë lopez', password: 'secret-1' }]
    const { body } = await admin.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users: [...users, { username: 'łukasz lopez', password: 'secret-1' }],
    })
    expect(body.results).toMatchObject([{ success: false, error: problem }, { success: true }])
  })

  test('A14: an account with such a name signs in and is changed by an import', async () => {
    const { id } = await made({ password: 'secret-1' })
    const name = `ádmin-${id.slice(0, 8)}`
    await product.db.query('update users set username = $2 where id = $1', [id, name])
    expect((await signIn(name, 'secret-1')).status).toBe(200)
    const { body } = await admin.post<{ results: ImportResult[] }>('/api/admin/users/bulk-import', {
      users: [{ username: name, password: '[HASHED]', videoLimit: 77 }],
    })
    expect(body.results).toMatchObject([{ success: true }])
    const { rows } = await product.db.query('select video_limit from users where id = $1', [id])
    expect(rows).toEqual([{ video_limit: 77 }])
  })

  test('P10: a number in any spelling finds its user, videos, deleted videos and log entries', async () => {
    const typed = newNumber()
    const user = await made({ phone: typed })
    expect(user.username).toBe(`92${typed.slice(1)}`)
    const ids = await addVideos(product, { userId: user.id, status: 'completed', n: 2 })
    for (const spelling of [
      `${typed.slice(0, 4)} ${typed.slice(4)}`,
      `+92 ${typed.slice(1)}`,
      typed,
    ]) {
      const search = new URLSearchParams({ search: spelling })
      const found = async (path: string) => (await openPage(admin, `${path}?${search}`)).text
      expect(await found('/admin')).toContain(user.username)
      expect(await found('/admin/videos')).toContain('of 2 videos')
      const log = new URLSearchParams({ subject: spelling })
      expect((await openPage(admin, `/admin/activity?${log}`)).text).toContain('created a user')
    }
    await admin.call('DELETE', `/api/videos/${ids[0]}`)
    const search = new URLSearchParams({ search: typed })
    expect((await openPage(admin, `/admin/videos/trash?${search}`)).text).toContain(user.username)
    await admin.call('DELETE', `/api/admin/users/${user.id}`)
    expect((await openPage(admin, `/admin/users/trash?${search}`)).text).toContain(user.username)
  })
})

test('P12: every title has the product’s name', async () => {
  for (const [client, path] of [
    [product.client(), '/'],
    [product.client(), '/login'],
    [admin, '/admin'],
    [admin, '/app'],
  ] as const) {
    const { html } = await openPage(client, path)
    expect(html).toMatch(/<title>[^<]*Filmwerk<\/title>/)
    expect(html).not.toContain('Reelmill')
  }
})

test('P5: without an account, buyers see no way to pay, and System says it', async () => {
  const { text, html } = await openPage(product.client(), '/pricing?dialog=account-details')
  for (const hidden of [
    'pay@example.com',
    '0300 0000000',
    'PK00',
    'Crypto exchange',
    'Mobile wallet',
  ])
    expect(html).not.toContain(hidden)
  expect(text).toContain('Ask us on the chat app how to pay.')
  expect((await openPage(admin, '/admin/system')).text).toContain('buyers see no way to pay')
})

test('an expired account shows no days, stays expired, and the form says so', async () => {
  const user = await made()
  await product.db.query(`update users set expiry_date = now() - interval '5 days' where id = $1`, [
    user.id,
  ])
  const path = `/admin?dialog=edit&on=${user.id}`
  const { html } = await openPage(admin, path)
  expect(/<input[^>]*name="expireDays"[^>]*>/.exec(html)?.[0]).not.toContain('value="30"')
  const { expireDays: _, ...fields } = STARTER_FIELDS
  const form = { ...fields, intent: 'edit-user', id: user.id, bearerToken: '', isActive: 'on' }
  const shown = { planBefore: 'Starter', videoLimitBefore: '20', expireDaysBefore: '' }
  const same = await sendForm(admin, path, { ...form, ...shown })
  expect(same.text).toContain('still expired since')
  const asked = await sendForm(admin, path, { ...form, ...shown, renewFromToday: 'on' })
  expect([asked.status, asked.text.includes('Type the days to renew')]).toEqual([400, true])
  await sendForm(admin, path, { ...form, ...shown, expireDays: '30' })
  const { body } = await admin.get<ManagedUser[]>(`/api/admin/users?search=${user.username}`)
  expect(body[0]?.daysLeft).toBe(30)
})

test('P16: a batch is not announced as done before the next try of a video on hold', async () => {
  const user = await product.user({ video_limit: 50 })
  await user.post('/api/videos/generate', { prompt: 'on hold' })
  await product.db.query(
    `update line_entries set state = 'held', hold_reason = 'transient',
       wake_at = now() + interval '50 minutes' where user_id = $1`,
    [user.userId],
  )
  const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts: ['a'] })
  expect(Date.parse(body.finishEstimate ?? '')).toBeGreaterThan(Date.now() + 49 * 60_000)
})

test('P15: System has its version, leads into the runbook, and the menu marks a problem', async () => {
  const { text, html } = await openPage(admin, '/admin/system')
  expect(text).toMatch(/Version \d+\.\d+\.\d+/)
  expect(html).toContain('href="/admin/system/runbook#workers"')
  const runbook = await openPage(admin, '/admin/system/runbook')
  expect(runbook.html).toContain('id="workers"')
  expect(runbook.text).toContain('No worker is running.')
  // No worker runs here. The menu shows what the last look has found.
  await until('the mark in the menu', async () =>
    (await openPage(admin, '/admin/activity')).text.includes('System Action needed'),
  )
})

test('O21: the Runbook page shows every name, setting and statement as it is written', async () => {
  const document = await readFile('docs/operations/runbook.md', 'utf8')
  const fences = [...document.matchAll(/```sql\n(.*?)\n```/gs)].map(([, text = '']) => text)
  const spans = [...document.replace(/```.*?```/gs, '').matchAll(/`([^`]+)`/g)]
  const written = [...fences, ...spans.map(([, text = '']) => text)]
  expect(fences).toHaveLength(3)
  expect(spans.length).toBeGreaterThan(40)
  const { html } = await openPage(admin, '/admin/system/runbook')
  const shown = [...html.matchAll(/<code[^>]*>(.*?)<\/code>/gs)].map(([, text = '']) =>
    textOf(text),
  )
  const inOneLine = (text: string) => text.replace(/\s+/g, ' ')
  expect(shown.sort()).toEqual(written.map(inOneLine).sort())
  expect(html).toContain('Go to <em>Provider</em> or <em>Token pool</em>.')
})

describe('checked call by call', () => {
  const prompts = (words: readonly string[]) => words.join('\n')
  const fields = (words: readonly string[]) => ({
    promptLines: prompts(words),
    negativePrompt: '',
    aspectRatio: 'portrait',
  })

  test('K1, K6: a receipt that loses to another tab keeps what it was for', async () => {
    const user = await product.user({ video_limit: 50 })
    await sendForm(user, '/app?tab=bulk', { intent: 'review-batch', ...fields(['one', 'two']) })
    const { html } = await openPage(user, '/app/receipt')
    const tokens = ['formToken', 'formKey'].map(
      (name) => [name, new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''] as const,
    )
    // The other tab starts another batch from its receipt, which empties the draft.
    const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', {
      prompts: ['elsewhere'],
    })
    expect(body.batchId).toBeTruthy()
    await product.db.query(`update drafts set text = '' where user_id = $1`, [user.userId])
    const late = await user.submit('/app/receipt', {
      ...Object.fromEntries(tokens),
      intent: 'start-batch',
      ...fields(['one', 'two']),
    })
    expect(late.status).toBe(409)
    const page = await late.text()
    expect(page).toContain('Bulk Generation Failed')
    expect(page).toContain('>one<')
    expect((await openPage(user, '/app?tab=bulk')).html).toMatch(/>one\ntwo<\/textarea>/)
  })

  test.each(['/Login', '/PRICING', '//login', '/%6Cogin', '/login%2F'])(
    'K2: %s is titled like every page that does not exist',
    async (path) => {
      const response = await product.client().send('GET', product.url + path, {
        headers: { accept: 'text/html' },
      })
      expect(response.status).toBe(404)
      expect(await response.text()).toContain('<title>Page Not Found')
    },
  )

  test('K3: a parameter that is given twice is refused where something changes', async () => {
    const user = await product.user()
    await addVideos(product, { userId: user.userId, status: 'completed' })
    const twice = 'delete-by-status?status=completed&status=error'
    expect((await user.call('DELETE', `/api/videos/${twice}`)).status).toBe(400)
    expect((await admin.call('DELETE', `/api/admin/videos/${twice}`)).status).toBe(400)
    const { body } = await user.get<{ videos: unknown[] }>('/api/videos')
    expect(body.videos).toHaveLength(1)
  })

  test('K4: the root of the calls answers with JSON', async () => {
    const response = await admin.get<{ error: string }>('/api', { accept: 'text/html' })
    expect([response.status, response.body.error]).toEqual([404, 'There is no such call'])
  })

  test('K7: a figure and its hint are two words', async () => {
    const { html } = await openPage(await product.user(), '/usage')
    expect(html.replace(/<!--.*?-->/g, '')).toMatch(/Charged<span[^>]*> /)
  })
})
