import { beforeAll, describe, expect, test } from 'vitest'
import { PROOF_OF } from '../../app/domain/activity/proof-of'
import type { Client } from '../support/client'
import type { TestUser } from '../support/installation'
import { formTokenIn, openPage, sendForm } from '../support/page'
import { stopClock, switchOn, type StandingClock } from '../support/second-factor'
import { useInstallation } from '../support/shared-installation'

// What needs a proof of identity: the table of decision 40, held against the forms and calls.

const product = useInstallation()
let clock: StandingClock
beforeAll(async () => {
  clock = await stopClock(product.db)
})

type Fields = Record<string, string>
type Program = TestUser

/** Returns an administrator who signed in `minutes` ago. */
async function adminAfter(minutes: number): Promise<Program> {
  const admin = await product.user({ role: 'admin' })
  await product.db.query(
    `update sessions set created_at = engine_now() - make_interval(mins => $2) where user_id = $1`,
    [admin.userId, minutes],
  )
  return admin
}
const doneBy = async ({ userId }: Program) => {
  const { rows } = await product.db.query<{ action: string }>(
    `select action from trail_entries where actor_id = $1 and action not like 'auth.%' order by at, id`,
    [userId],
  )
  return rows.map(({ action }) => action)
}

/** Posts as a browser does: after a 307 it sends the same form to the new location. */
async function post(client: Client, path: string, body: URLSearchParams) {
  let at = path
  for (let hops = 0; hops < 10; hops++) {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const response = await client.send('POST', at, { body, headers })
    const location = response.headers.get('location')
    if (response.status !== 307 || location === null)
      return { at, status: response.status, location, html: await response.text() }
    at = location
  }
  throw new Error(`led in a circle by ${at}`)
}

const NUMBERS = { videoLimit: '3', speedLimit: '1', videoGenerationSpeed: '60', expireDays: '30' }

type Asking = { userId: string; path: string }
/** A request that takes effect as this action, and a form of which page it is; calls have no page. */
type Sent =
  | { page: string; fields: (user: Asking) => Fields }
  | { method: string; call: (user: Asking) => string; body?: object }

const settings = (intent: string, fields: Fields = {}): Sent => ({
  page: '/admin/settings',
  fields: () => ({ intent, ...fields }),
})
const byCall = (method: string, call: (user: Asking) => string, body?: object): Sent => ({
  method,
  call,
  ...(body && { body }),
})
const onUser = (intent: string, fields: Fields = {}): Sent => ({
  page: '/admin',
  fields: ({ userId }) => ({ intent, id: userId, ...fields }),
})
const bulk = (kind: string, query: string): Sent => ({
  page: `/admin/users/change?kind=${kind}${query}&ids=:id`,
  fields: () => ({ intent: 'apply', expected: '1' }),
})
const NOBODY = '00000000-0000-4000-8000-000000000000'
const TEXTS = Object.fromEntries(
  ['account', 'password', 'ending', 'ended', 'renewed', 'unused', 'nearly-used'].map((name) => [
    `texts-${name}`,
    'Hello',
  ]),
)

/** Every action that needs a proof, and how it is done. */
const ACTIONS: Partial<Record<keyof typeof PROOF_OF, Sent>> = {
  'codes.make': {
    page: '/admin/codes',
    fields: () => ({ intent: 'make-codes', plan: 'Starter', days: '30', count: '1' }),
  },
  'codes.block': {
    page: '/admin/codes',
    fields: ({ userId }) => ({ intent: 'block-codes', id: userId }),
  },
  'codes.open': {
    page: '/admin/codes',
    fields: ({ userId }) => ({ intent: 'open-codes', id: userId }),
  },
  'user.create': {
    page: '/admin',
    fields: () => ({
      intent: 'create-user',
      phone: '03339990041',
      password: 'another-secret',
      role: 'user',
      plan: 'Starter',
      ...NUMBERS,
    }),
  },
  'user.quick-create': byCall('POST', () => '/api/admin/users/quick-create', {
    phone: '03339990042',
    plan: 'Starter',
  }),
  'user.import': byCall('POST', () => '/api/admin/users/bulk-import', {
    users: [{ username: '03339990043', password: 'x1y2z3' }],
  }),
  'user.edit': byCall('PATCH', ({ path }) => path, { videoLimit: 9 }),
  'user.password-link': onUser('password-link'),
  'user.second-factor-off': onUser('second-factor-off'),
  'user.renew': onUser('renew'),
  'user.reset-counter': byCall('POST', ({ path }) => `${path}/reset-counter`),
  'user.delete': byCall('DELETE', ({ path }) => path),
  'user.restore': { page: '/admin/users/trash', fields: () => ({ intent: 'restore', id: NOBODY }) },
  'user.add-days': bulk('add-days', '&days=3'),
  'user.change-plan': bulk('change-plan', '&plan=Business'),
  'user.gift-quota': bulk('gift-quota', '&units=3'),
  'user.disable': bulk('disable', ''),
  'user.api-keys': {
    page: '/admin/users/:id',
    fields: ({ userId }) => ({ intent: 'allow-keys', id: userId, isAllowed: 'yes' }),
  },
  'user.end-api-key': {
    page: '/admin/users/:id',
    fields: ({ userId }) => ({ intent: 'end-key', id: userId, keyId: NOBODY }),
  },
  'user.rights': {
    page: '/admin/helpers',
    fields: ({ userId }) => ({
      intent: 'rights',
      id: userId,
      regeneratePerDay: '0',
      confirmUpTo: '0',
      confirmCurrency: 'PKR',
    }),
  },
  'users.reset-counters': byCall('POST', () => '/api/admin/users/reset-all-counters'),
  'users.delete-all': byCall('DELETE', () => '/api/admin/users/delete-all'),
  'users.export-tokens': { page: '/admin/users/export', fields: () => ({}) },
  'tokens.assign': byCall('POST', () => '/api/admin/users/assign-tokens', { tokens: ['a-token'] }),
  'token.add': byCall('POST', () => '/api/admin/extra-tokens', { token: 'a-token-by-call' }),
  'token.remove': byCall('DELETE', () => `/api/admin/extra-tokens/${NOBODY}`),
  'tokens.remove-all': byCall('DELETE', () => '/api/admin/extra-tokens/delete-all'),
  'setting.contacts': settings('contacts', {
    chatNumber: '923001234567',
    email: 'a@example.com',
    socialUrl: 'https://example.com',
  }),
  'setting.payment': settings('payment-default'),
  'setting.announcement': settings('announce', { text: 'Hello', level: 'info' }),
  'setting.pause': settings('pause', { text: 'Later' }),
  'setting.alarms': settings('alarms', { fewKeys: '2', failures: '20' }),
  'setting.chat-texts': settings('chat-texts', { was: '', name: 'Urdu', ...TEXTS }),
  'setting.referral': settings('referral', { unit: 'days', amount: '5', perMonth: '3' }),
  'setting.plan': {
    page: '/admin/plans',
    fields: () => ({ intent: 'plan-default', plan: 'Starter' }),
  },
  'setting.plan-route': {
    page: '/admin/plans',
    fields: () => ({ intent: 'plan-route', plan: 'Starter' }),
  },
}

/** Those that need what another action needs, because they are part of it, or name a row that must exist. */
const WITH_ANOTHER = [
  ...['user.undo', 'payment.record', 'payment.confirm', 'payment.reject', 'payment.refund'],
  ...['payment.undo', 'token.replace', 'tokens.remove-dead', 'tokens.undo-removal'],
]

describe('A8: what needs a proof of identity', () => {
  const needed = Object.entries(PROOF_OF)
    .filter(([, need]) => need !== 'none')
    .map(([action]) => action)

  test('every action that needs one is held against it here', () => {
    expect([...Object.keys(ACTIONS), ...WITH_ANOTHER].sort()).toEqual([...needed].sort())
  })

  test.each(Object.entries(ACTIONS))('%s does nothing after 13 hours', async (_action, sent) => {
    const admin = await adminAfter(13 * 60)
    const { userId } = await product.user()
    const user = { userId, path: `/api/admin/users/${userId}` }
    if ('page' in sent) {
      const page = sent.page.replace(':id', userId)
      // The address of the export answers a plain visit with a file.
      const opened = page === '/admin/users/export' ? '/admin' : page
      const { html } = await openPage(admin, opened)
      const address = page === '/admin' ? '/admin?index' : page
      const fields = { formToken: formTokenIn(html), ...sent.fields(user) }
      const asked = await post(admin, address, new URLSearchParams(fields))
      const isAskedHere = asked.status === 400 || asked.location?.includes('export-tokens')
      expect(asked.at.startsWith('/admin/confirm?') || isAskedHere).toBe(true)
    } else {
      const { status, body } = await admin.call(sent.method, sent.call(user), sent.body)
      expect([status, body]).toMatchObject([403, { code: 'PASSWORD_NEEDED' }])
    }
    expect(await doneBy(admin)).toEqual([])
  })
})

test('A16: with two-step sign-in, what opens accounts takes a code besides the password', async () => {
  const admin = await adminAfter(0)
  const other = await product.user({ role: 'admin' })
  await switchOn(other, clock.now)
  const { app } = await switchOn(admin, clock.now)
  const next = () => clock.move(30)
  const password = 'secret-1'
  const each: [string, Fields, (page: { status: number; html: string }) => boolean][] = [
    [
      '/account/keys',
      { intent: 'create-key', name: 'mine', ownPassword: password },
      ({ html }) => html.includes('data-api-key'),
    ],
    [
      `/admin?dialog=second-factor&on=${other.userId}`,
      { intent: 'second-factor-off', id: other.userId, password },
      ({ html }) => html.includes('Two-step sign-in is off'),
    ],
    ['/admin/users/export', { password }, ({ html }) => html.startsWith('username|')],
    [
      '/account/password',
      {
        intent: 'change-password',
        oldPassword: password,
        newPassword: 'secret-2',
        confirmPassword: 'secret-2',
      },
      ({ html }) => html.includes('Password changed'),
    ],
  ]
  const send = async (path: string, fields: Fields) => {
    if (path !== '/admin/users/export') return sendForm(admin, path, fields)
    const { html } = await openPage(admin, '/admin?dialog=export-tokens')
    expect(html).toContain('name="code"')
    const body = new URLSearchParams({ formToken: formTokenIn(html), ...fields })
    return post(admin, path, body)
  }
  for (const [path, fields, isDone] of each) {
    expect([path, isDone(await send(path, fields))]).toEqual([path, false])
    const wrong = await send(path, { ...fields, code: app.wrongCode() })
    expect([path, isDone(wrong)]).toEqual([path, false])
    await next()
    const done = await send(path, { ...fields, code: app.code() })
    expect([path, isDone(done)]).toEqual([path, true])
  }
  const byCall = { oldPassword: 'secret-2', newPassword: 'secret-3' }
  const refused = await admin.post('/api/auth/user/change-password', byCall)
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { fields: { code: ['Type the code'] } },
  ])
  await next()
  const call = { ...byCall, code: app.code() }
  expect((await admin.post('/api/auth/user/change-password', call)).status).toBe(200)
})
