import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../support/invariants'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// Each state of an account × each act that sells or gives access: what is said before, what is stored,
// the message afterwards and the chat agree. What a cell needs is written here a second time, from the
// rules and not from the code.

const product = useInstallation({ worker: true })
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const STATES = ['active', 'expired', 'disabled', 'trash', 'role', 'none'] as const
type State = (typeof STATES)[number]

/** The words that say a surprise, and the tick that confirms it. */
const SAID = {
  role: ['This is the account of an editor.', 'seenRole'],
  trash: ['A deleted user has this number', 'seenTrash'],
  disabled: ['The account is disabled', 'seenDisabled'],
  expired: ['expired afterwards, since', 'seenExpired'],
  plan: ['that are left become', 'seenPlan'],
  days: ['left are lost', 'seenDays'],
} as const
type Name = keyof typeof SAID

/** What a cell surprises with; or why it cannot be, in words. */
type Cell = readonly Name[] | string
type Act = {
  /** The plan before. Default: Starter. */
  plan?: string
  cells: Record<State, Cell>
  /** Returns the page that says what will be so. Null: only the form's refusal does. */
  page: (subject: Subject) => string | null
  send: (subject: Subject, ticks: Record<string, string>) => ReturnType<typeof sendForm>
  /** Prepares what the act is about. */
  before?: (subject: Subject) => Promise<void>
  /** The form stays on its page, and answers line by line. */
  isPanel?: boolean
  /** Whether a chat is offered afterwards, if the account can be used. */
  tells: boolean
}
type Subject = { id: string; username: string; state: State; claim: string; change: string }

const days = (n: number) => new Date(Date.now() + n * 86_400_000)
let phone = 990_200_000
const run = (text: string, values: unknown[]) => product.db.query(text, values)
const row = async <Row>(text: string, values: unknown[]) =>
  (await run(text, values)).rows[0] as Row | undefined

async function subjectIn(state: State, plan = 'Starter'): Promise<Subject> {
  const none = { id: '00000000-0000-4000-8000-000000000000', username: `03${phone++}` }
  const end = days(state === 'expired' ? -40 : 5)
  const made =
    state === 'none'
      ? none
      : await product
          .user({ plan, expiry_date: end, role: state === 'role' ? 'editor' : 'user' } as never)
          .then(({ userId, username }) => ({ id: userId, username }))
  return { ...made, state, claim: '', change: '' }
}

/** Brings an account into its state, after what has to happen before. */
async function settle({ id, state }: Subject): Promise<void> {
  if (state === 'disabled') await run('update users set is_active = false where id = $1', [id])
  if (state === 'trash') await admin.call('DELETE', `/api/admin/users/${id}`, {})
}

async function claim(subject: Subject, plan: string): Promise<void> {
  const { id, username, state } = subject
  const claimed = await row<{ id: string }>(
    `insert into payments (id, user_id, username, plan, amount, currency, method, received_at, state)
     values (gen_random_uuid(), $1, $2, $3::plan_name, 350000, 'PKR', 'bank', engine_now(), 'claimed')
     returning id`,
    [state === 'none' ? null : id, username, plan],
  )
  subject.claim = claimed?.id ?? ''
}

const renew = (from: string, cells: Act['cells']): Act => ({
  cells,
  page: ({ id }) => `/admin?dialog=${from === 'later' ? 'renew' : `renew-${from}`}&on=${id}`,
  send: ({ id }, ticks) =>
    sendForm(admin, `/admin?dialog=renew&on=${id}`, { intent: 'renew', id, from, ...ticks }),
  tells: true,
})
const NOBODY = { trash: 'This user does not exist', none: 'This user does not exist' } as const
const EXISTS = 'User already exists'
const MADE = { active: EXISTS, expired: EXISTS, disabled: EXISTS, role: EXISTS } as const
const bulk = (plan: string) =>
  ({
    page: ({ id }) => `/admin/users/change?scope=chosen&ids=${id}&kind=change-plan&plan=${plan}`,
    send: ({ id }, ticks) =>
      sendForm(admin, `/admin/users/change?scope=chosen&ids=${id}&kind=change-plan&plan=${plan}`, {
        intent: 'apply',
        expected: '1',
        ...ticks,
      }),
    tells: false,
  }) satisfies Omit<Act, 'cells'>
const UNCHANGED = 'This would not change any user'

const ACTS: Record<string, Act> = {
  'Create User': {
    cells: { ...MADE, trash: ['trash'], none: [] },
    page: () => null,
    send: ({ username }, ticks) =>
      sendForm(admin, '/admin?dialog=create', {
        intent: 'create-user',
        phone: username,
        password: 'correct-horse-9',
        role: 'user',
        plan: 'Starter',
        videoLimit: '20',
        speedLimit: '1',
        videoGenerationSpeed: '60',
        expireDays: '30',
        ...ticks,
      }),
    tells: true,
  },
  'Quick Create': {
    cells: { ...MADE, trash: ['trash'], none: [] },
    page: () => null,
    send: ({ username }, ticks) =>
      sendForm(admin, '/admin?dialog=quick', {
        intent: 'quick-create',
        phone: username,
        plan: 'Starter',
        paidMethod: 'bank',
        ...ticks,
      }),
    tells: true,
  },
  'a renewal': renew('later', {
    active: [],
    expired: [],
    disabled: ['disabled'],
    role: ['role'],
    ...NOBODY,
  }),
  'a renewal from the old end': renew('end', {
    active: [],
    expired: ['expired'],
    disabled: ['disabled'],
    role: ['role'],
    ...NOBODY,
  }),
  'a renewal from today': renew('today', {
    active: ['days'],
    expired: [],
    disabled: ['disabled', 'days'],
    role: ['role', 'days'],
    ...NOBODY,
  }),
  'a confirmation': {
    cells: {
      active: [],
      expired: [],
      disabled: ['disabled'],
      trash: ['trash'],
      role: ['role'],
      none: [],
    },
    before: (subject) => claim(subject, 'Starter'),
    page: ({ claim: id }) => `/admin/payments?dialog=confirm&on=${id}`,
    send: ({ claim: id }, ticks) =>
      sendForm(admin, `/admin/payments?dialog=confirm&on=${id}`, {
        intent: 'confirm-payment',
        id,
        how: 'renew',
        ...ticks,
      }),
    tells: true,
  },
  'an upgrade': {
    cells: {
      active: [],
      expired: ['expired'],
      disabled: ['disabled'],
      trash: ['trash'],
      role: ['role'],
      none: [],
    },
    before: (subject) => claim(subject, 'Enterprise'),
    page: ({ claim: id, state }) =>
      // Of an expired account the dialog offers no upgrade: it is sent by an older page.
      state === 'expired' ? null : `/admin/payments?dialog=confirm&on=${id}`,
    send: ({ claim: id }, ticks) =>
      sendForm(admin, `/admin/payments?dialog=confirm&on=${id}`, {
        intent: 'confirm-payment',
        id,
        how: 'upgrade',
        ...ticks,
      }),
    tells: true,
  },
  'an undo': {
    cells: {
      active: [],
      // The days have passed since it was renewed.
      expired: ['expired'],
      disabled: [],
      role: ['role'],
      trash: 'Nothing can be put back',
      none: '',
    },
    before: async (subject) => {
      const { id, state } = subject
      if (state === 'none') {
        subject.change = id
        return
      }
      await run(`update users set expiry_date = $2 where id = $1`, [id, days(5)])
      const ticks = { seenRole: 'on' }
      const done = await renew('later', ACTS['a renewal']!.cells).send(subject, ticks)
      subject.change = done.location?.split('/').pop()?.split('?')[0] ?? ''
      if (state !== 'expired') return
      await run(`update bulk_changes set created_at = $2 where id = $1`, [
        subject.change,
        days(-60),
      ])
      await run(
        `update bulk_change_users set before = before || jsonb_build_object('expiryDate',
           to_char($2::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) where change_id = $1`,
        [subject.change, days(-40)],
      )
    },
    page: ({ change }) => `/admin/changes/${change}`,
    send: ({ change }, ticks) =>
      sendForm(admin, `/admin/changes/${change}`, { intent: 'undo', ...ticks }),
    tells: false,
  },
  'an import': {
    cells: {
      active: [],
      expired: ['expired'],
      disabled: ['disabled'],
      role: ['role'],
      trash: ['trash'],
      none: [],
    },
    page: () => null,
    isPanel: true,
    send: ({ username, state }, { seenRole, ...ticks }) => {
      const password = state === 'trash' || state === 'none' ? 'correct-horse-9' : 'hashed'
      return sendForm(admin, '/admin/users/import', {
        intent: 'import-users',
        mode: 'import',
        text: `username|password|plan\n${username}|${password}|Enterprise`,
        ...ticks,
        ...(seenRole && { changeRoles: 'on' }),
      })
    },
    tells: false,
  },
  'a plan changed for the worse': {
    ...bulk('Starter'),
    plan: 'Business',
    cells: {
      active: ['plan'],
      expired: ['expired'],
      disabled: ['disabled', 'plan'],
      role: ['role', 'plan'],
      trash: UNCHANGED,
      none: UNCHANGED,
    },
  },
  'a plan changed for the better': {
    ...bulk('Enterprise'),
    cells: {
      active: [],
      expired: ['expired'],
      disabled: ['disabled'],
      role: ['role'],
      trash: UNCHANGED,
      none: UNCHANGED,
    },
  },
}

type Stored = { plan: string; end: Date; active: boolean }
const storedOf = ({ username }: Subject) =>
  row<Stored>(
    `select plan, expiry_date as end, is_active as active from users
     where username = any($1) and deleted_at is null`,
    [[username, username.replace(/^0/, '92')]],
  )
const dayOf = (at: Date) =>
  at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** What a message may say of an account: no more than what is stored. */
function wordsFor({ plan, end, active }: Stored): string {
  if (!active) return `${plan} until ${dayOf(end)}, still disabled`
  return end < days(-1)
    ? `${plan}, still expired since ${dayOf(end)}`
    : `${plan} until ${dayOf(end)}`
}

describe.each(Object.entries(ACTS))('%s', (name, act) => {
  test.each(STATES)(`of an account: %s (${name}: dialog, result and chat agree)`, async (state) => {
    const subject = await subjectIn(state, act.plan)
    await act.before?.(subject)
    await settle(subject)
    const before = await storedOf(subject)
    const cell = act.cells[state]
    const page = act.page(subject)
    const dialog = page === null ? null : (await openPage(admin, page).catch(() => null))?.text
    const refused = await act.send(subject, {})
    if (typeof cell === 'string') {
      const words = `${dialog ?? ''} ${refused.text}`
      expect([refused.status >= 400, words.includes(cell) || refused.status === 404]).toEqual([
        true,
        true,
      ])
      expect(await storedOf(subject)).toEqual(before)
      return
    }
    for (const surprise of Object.keys(SAID) as Name[]) {
      const [words] = SAID[surprise]
      const isSaid = cell.includes(surprise)
      if (dialog && !(name === 'an upgrade' && surprise === 'plan'))
        expect([surprise, dialog.includes(words)]).toEqual([surprise, isSaid])
    }
    let done = refused
    if (cell.length > 0) {
      expect(refused.status).toBe(act.isPanel ? 200 : 409)
      for (const surprise of cell) expect(refused.text).toContain(SAID[surprise][0])
      expect(await storedOf(subject)).toEqual(before)
      done = await act.send(
        subject,
        Object.fromEntries(cell.map((surprise) => [SAID[surprise][1], 'on'])),
      )
    }
    expect(done.status).toBe(act.isPanel ? 200 : 303)
    const after = await storedOf(subject)
    if (!after) throw new Error('There is no account')
    const isNew = before === undefined && act.isPanel
    if (isNew) expect(done.text).toContain(`${after.plan}: `)
    else if (name.includes('Create')) expect(done.text).toContain(dayOf(after.end))
    else expect(done.text).toContain(wordsFor(after))
    const isUsable = after.active && after.end > days(-1)
    const chats = done.html.includes('wa.me/') || done.html.includes('Chat with')
    expect(act.tells && isUsable).toBe(chats)
    if (done.html.includes('Message to send')) expect(done.text).toContain(dayOf(after.end))
  })
})
