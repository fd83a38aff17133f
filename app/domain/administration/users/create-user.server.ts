import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import { generatePassword } from '../../accounts/generated-password.server'
import { isNameFree } from '../../accounts/name-free.server'
import { nameForms } from '../../names/name-forms.server'
import { twinProblem, withoutAccents } from '../../names/names'
import { hashNewPassword } from '../../accounts/new-password.server'
import { requireProof } from '../../accounts/proof.server'
import type { AdminCtx, UserRole } from '../../context'
import type { ActivityAction } from '../../activity/types'
import { AppError } from '../../errors'
import { getPlans } from '../../business/settings.server'
import type { PaidTerms } from '../../payments/schemas'
import { planNumbers, type PlanNumbers } from '../../plans/numbers'
import type { Plan, PlanName } from '../../plans/types'
import { logActivity } from '../../activity/write.server'
import { FIELD_COLUMNS, FIELD_VALUES } from '../account-columns.server'
import {
  fieldsOf,
  givenFields,
  pickFields,
  readFields,
  type AccountFields,
} from '../account-fields'
import { storeChange } from '../changes/store-change.server'
import { recordPaid, type Paying } from '../changes/paid-change.server'
import type { Sale } from '../outcome'
import { NO_TICKS } from '../ticks'
import { findTrashed, requireSeen, UNTICKED, type Seller } from '../outcome.server'
import { storePersonalToken } from './personal-token.server'
import { defaultExpireDays, USER_EXISTS, USER_RULES } from '../rules'
import type { CreateUserInput, QuickCreateInput } from '../schemas'
import type { CreatedUser, ManagedUser, QuickUser } from '../types'
import { userFacts } from './user-facts'
import { getManagedUser } from './users-query.server'

/**
 * Creates an account for a paying user. Throws CONFLICT if the phone number has an account, or a
 * deleted one and that is not ticked, and PASSWORD_NEEDED.
 */
export async function createUser(ctx: AdminCtx, input: CreateUserInput): Promise<CreatedUser> {
  const isGrave = input.role !== 'user' || input.bearerToken !== null
  requireProof(ctx, isGrave ? 'recent' : 'today')
  const plans = await getPlans(ctx.db)
  return createAccount(ctx, {
    action: 'user.create',
    paid: null,
    seller: { ticks: { ...NO_TICKS, seenTrash: input.seenTrash } },
    username: input.phone,
    email: null,
    password: input.password,
    ...planNumbers(plans[input.plan]),
    ...givenFields(input),
    role: input.role,
    plan: input.plan,
    expireDays: input.expireDays ?? defaultExpireDays(input.role),
    bearerToken: input.bearerToken,
  })
}

/**
 * Creates an account from a phone number and a plan, with the plan's numbers, 30 days and a
 * generated password, as a change that can be undone. With `paid` also records a payment. Throws
 * CONFLICT if the phone number has an account, the payment's reference is used, or something surprises
 * that is not ticked (`requireSeen`), and PASSWORD_NEEDED.
 */
export async function quickCreateUser(
  ctx: AdminCtx,
  { phone, plan, seller = UNTICKED }: QuickSale,
  paid: PaidTerms | null = null,
): Promise<QuickUser> {
  requireProof(ctx, 'today')
  const plans = await getPlans(ctx.db)
  const { user, password, notes } = await createAccount(ctx, {
    action: 'user.quick-create',
    paid,
    seller,
    password: generatePassword(),
    ...soldAccount(phone, plans[plan]),
  })
  return {
    username: user.username,
    password,
    expiryDate: user.expiryDate,
    phone: user.phone ?? phone,
    plan,
    ...(notes && { notes }),
  }
}

type QuickSale = Pick<QuickCreateInput, 'phone' | 'plan'> & { seller?: Seller }

/** Returns the account that a plan is sold with. */
export const soldAccount = (
  phone: string,
  plan: Plan,
  expireDays: number = USER_RULES.expireDays,
): NewAccount => ({
  username: phone,
  email: null,
  role: 'user',
  plan: plan.name,
  ...planNumbers(plan),
  expireDays,
  bearerToken: null,
})

/** Returns what a new account was sold. */
export const soldNew = ({ id, username, ...user }: ManagedUser) =>
  ({
    id,
    username,
    before: null,
    after: pickFields(user, ['role', 'isActive', 'plan', 'expiryDate']),
    days: null,
  }) satisfies Paying & Partial<Sale>

/** Keeps a new account as a change that can be undone, and returns its id. */
export const keepNewAccount = (ctx: AdminCtx, tx: Tx, { id, expiryDate }: ManagedUser) =>
  storeChange(ctx, tx, {
    kind: 'create',
    lines: [{ id, before: { exists: false }, after: { exists: true, expiryDate } }],
  })

type Creating = NewAccount & {
  action: ActivityAction
  password: string
  paid: PaidTerms | null
  seller: Seller
}

async function createAccount(
  ctx: AdminCtx,
  { password, paid, seller, ...account }: Creating,
): Promise<CreatedUser> {
  const passwordHash = await hashNewPassword(ctx, { password, username: account.username })
  const { user, outcome } = await ctx.db.transaction(async (tx) => {
    const trashed = await findTrashed(ctx, tx, account.username)
    const created = await addAccount(ctx, tx, { ...account, passwordHash })
    const sold = soldNew(created)
    const sales = [{ ...sold, trashed, paid }]
    const outcomes = await requireSeen(ctx, tx, { sales, seller })
    const [outcome] = outcomes
    if (created.role !== 'user') return { user: created, outcome }
    const changeId = await keepNewAccount(ctx, tx, created)
    if (paid) await recordPaid(ctx, tx, { changeId, paid, users: [sold], outcomes })
    return { user: created, outcome }
  })
  const notes = outcome?.surprises.map(({ text }) => text) ?? []
  return { user, password, ...(notes.length > 0 && { notes }) }
}

/**
 * Adds an account in a transaction, with its entry in the activity log. Throws CONFLICT if the phone
 * number has an account.
 */
export async function addAccount(
  ctx: AdminCtx,
  tx: Tx,
  { action, ...account }: Insert & { action: ActivityAction },
): Promise<ManagedUser> {
  await refuseTwin(tx, account.username)
  const id = await insertAccount(ctx, tx, account)
  if (id === null) {
    throw new AppError('CONFLICT', USER_EXISTS, { fields: { phone: [USER_EXISTS] } })
  }
  const created = await getManagedUser(ctx, tx, id)
  const subject = { kind: 'user', id, name: created.username } as const
  await logActivity(tx, ctx, { action, subject, after: userFacts(created) })
  return created
}

/** What an account is sold with. The other fields have the values of an import's line without them. */
export type NewAccount = PlanNumbers &
  Partial<AccountFields> & {
    username: string
    email: string | null
    role: UserRole
    plan: PlanName
    /** Days from now; null for never. */
    expireDays: number | null
    bearerToken: string | null
  }

type Insert = NewAccount & { id?: string; passwordHash: string | null }

/** Throws CONFLICT if a name is another user's with accents: the two could be mistaken for each other. */
async function refuseTwin(tx: Tx, username: string): Promise<void> {
  const plain = withoutAccents(username)
  if (plain === username || (await tx.row(sql`select 1 where ${isNameFree([plain])}`))) return
  const problem = twinProblem(plain)
  throw new AppError('CONFLICT', problem, { fields: { phone: [problem] } })
}

/** Inserts an account. Returns its id, or null if the username is taken. */
export async function insertAccount(
  ctx: AdminCtx,
  tx: Tx,
  account: Insert,
): Promise<string | null> {
  const { id = newId() } = account
  const { stored, forms } = nameForms(account.username, ctx.settings.phoneCountries)
  const fields = fieldsOf({ ...readFields({}), ...account })
  const added = await tx.run(sql`
    insert into users (id, username, phone, email, password_hash, ${FIELD_COLUMNS}, expiry_date, created_at)
    select ${id}, ${stored}, ${stored}, ${account.email}, ${account.passwordHash},
      ${FIELD_VALUES}, engine_now() + make_interval(days => ${account.expireDays}::int), engine_now()
    from (select ${JSON.stringify(fields)}::jsonb as after) as given
    where ${isNameFree(forms)}
    on conflict (username) where deleted_at is null do nothing`)
  if (added === 0) return null
  if (account.bearerToken !== null) {
    await storePersonalToken(ctx, tx, { userId: id, token: account.bearerToken })
  }
  return id
}
