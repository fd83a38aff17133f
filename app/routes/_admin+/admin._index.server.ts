import { z } from 'zod'
import { isDoubtfulPhone } from '~/domain/names/name-forms.server'
import { makeReplacingLink } from '~/domain/accounts/password-link.server'
import { generatePassword } from '~/domain/accounts/generated-password.server'
import { startSecondFactorForm } from '~/domain/accounts/schemas'
import { applyBulkChange } from '~/domain/administration/bulk-change.server'
import { RENEW_DAYS } from '~/domain/administration/bulk-rules'
import { userFilterQuery, userTableQuery } from '~/domain/administration/list-schemas'
import { createUser, quickCreateUser } from '~/domain/administration/create-user.server'
import { deleteAllUsers, deleteUser } from '~/domain/administration/delete-users.server'
import { USERS_FAILED } from '~/domain/administration/failure-titles'
import { editUser, type UserEdit } from '~/domain/administration/edit-user.server'
import {
  resetAllCounters,
  resetUserCounters,
} from '~/domain/administration/reset-user-counters.server'
import {
  ALL_USERS_DELETED,
  beforeField,
  EDIT_FORM_FIELDS,
  PLAN_FIELDS,
  PLAN_NUMBERS,
  PLAN_SHOWN,
  planNumbers,
} from '~/domain/administration/rules'
import { createUserForm, editUserForm, quickCreateInput } from '~/domain/administration/schemas'
import { makeUserPasswordLink } from '~/domain/administration/password-links.server'
import { switchOffSecondFactor } from '~/domain/administration/second-factor.server'
import type { ManagedUser } from '~/domain/administration/types'
import { unlockUser } from '~/domain/administration/unlock-user.server'
import { isInTrash } from '~/domain/administration/user-trash.server'
import { userTableAddress } from '~/domain/administration/user-list'
import type { AdminCtx } from '~/domain/context'
import { PLAN_NAMES, type PlanName } from '~/domain/plans/types'
import { AppError } from '~/domain/errors'
import { closedAddress, dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { isId } from '~/lib/ids'
import { digitsOf } from '~/lib/digits'
import { addressOf, handOnce, type Credentials } from '~/http/session/credentials-once.server'
import { renewedCookie } from '~/http/actions/sign-in.server'
import { readFormKey } from '~/http/forms/idempotency.server'
import { form, formAgain, type FormHandler } from '~/http/forms/forms.server'
import { refuseOtherNumber, typedNumber } from '~/http/forms/typed-number.server'
import { redirectWithToast } from '~/http/session/toast.server'

type Handlers = Record<string, FormHandler>
type Page = { ctx: AdminCtx; search: string; token: string }

/**
 * Returns the form handlers of the users page by intent. `search` is the query string of the page
 * that contains the forms.
 */
export function userForms(page: Page): Handlers {
  return { ...makingForms(page), ...editForms(page), ...counterForms(page), ...deletingForms(page) }
}

const back = ({ search }: Page) => paths.admin.users + closedAddress(search)
/** The query of the list, for a page that leads back to it. */
const listOf = ({ search }: Page) =>
  userTableAddress(userTableQuery.parse(Object.fromEntries(new URLSearchParams(search))))
const shown = ({ search }: Page) => paths.admin.users + dialogAddress(search, 'credentials')
const done = (title: string, description?: string) => ({
  ...({ kind: 'success', title } as const),
  ...(description !== undefined && { description }),
})

/** The secrets of the forms that create and edit users. */
const SECRETS = [
  { field: 'password', name: 'the user’s password', replacedBy: 'generatePassword' },
  { field: 'bearerToken', name: 'the user’s token' },
]

/**
 * Handles a form's extra buttons and checkboxes before the form is parsed. 'Use plan values' shows
 * the form again with the plan's numbers (for pages without scripts). 'Generate a password' fills
 * in the password. Another plan brings its numbers.
 */
function prepared(handler: FormHandler): FormHandler {
  return {
    ...handler,
    secrets: SECRETS,
    run: async (data) => {
      if (data.has('usePlan')) return withPlanNumbers(data)
      followPlan(data)
      if (data.has('generatePassword')) data.set('password', generatePassword())
      return handler.run(data)
    },
  }
}

type HandedOn = Pick<Credentials, 'username' | 'phone' | 'role' | 'plan' | 'expiryDate'>

const toHandOn = (user: ManagedUser): HandedOn => ({
  username: user.username,
  phone: user.phone ?? user.username,
  role: user.role,
  plan: user.plan ?? 'none',
  expiryDate: user.expiryDate,
})

/**
 * Passes the credentials on, with a link in place of the password for messages: what is sent in a
 * chat's address stays in the browser's history.
 */
async function handOn(ctx: AdminCtx, credentials: Credentials): Promise<Headers> {
  const { username, phone, password } = credentials
  const secret = password === null ? null : await makeReplacingLink(ctx, ctx.db, username)
  return handOnce(ctx, {
    ...credentials,
    ownPasswordLink: secret === null ? null : addressOf(paths.setPassword(secret)),
    isPhoneDoubtful: isDoubtfulPhone(phone, ctx.settings.phoneCountries),
  })
}

/** A customer who comes back may have an account with paid days and videos in the trash. */
async function created(ctx: AdminCtx, username: string) {
  const isBack = await isInTrash(ctx, username)
  const text =
    'A deleted user had this number. To use that account, delete this one and restore it.'
  return done('User created', isBack ? text : undefined)
}

function makingForms(page: Page): Handlers {
  const { ctx } = page
  const create = form(USERS_FAILED['create-user'], createUserForm, async (input) => {
    const { user, password } = await createUser(ctx, input)
    const credentials = { ...toHandOn(user), password, bearerToken: input.bearerToken }
    const headers = await handOn(ctx, { kind: 'created', ...credentials })
    return redirectWithToast(shown(page), await created(ctx, user.username), headers)
  })
  const quick = form(USERS_FAILED['quick-create'], quickCreateInput, async (input) => {
    const user = await quickCreateUser(ctx, input)
    const credentials = { ...user, role: 'user', bearerToken: null }
    const headers = await handOn(ctx, { kind: 'quick', ...credentials })
    return redirectWithToast(shown(page), await created(ctx, user.username), headers)
  })
  return { 'create-user': prepared(create), 'quick-create': quick }
}

const oneUser = z.object({ id: z.string() })
const editFields = editUserForm.extend({ id: z.string() })

/**
 * Leaves out the fields that the administrator did not change. Otherwise the form would undo what
 * others, or the system, have changed since it was opened. The plan and its numbers are one value:
 * if one of them changed, all are stored as the form showed them.
 */
function changedFields(input: UserEdit, data: FormData): UserEdit {
  const changed = { ...input }
  const isSame = (name: (typeof EDIT_FORM_FIELDS)[number]) =>
    (data.get(name) ?? '') === data.get(beforeField(name))
  const isSamePlan = PLAN_FIELDS.every(isSame)
  for (const name of EDIT_FORM_FIELDS) {
    if (PLAN_FIELDS.some((field) => field === name) && !isSamePlan) continue
    if (name === 'expireDays' && input.renewFromToday) continue
    if (isSame(name)) changed[name] = undefined
  }
  return changed
}

const updatedText = ({ username, daysLeft }: ManagedUser): string =>
  daysLeft !== null && daysLeft < 0
    ? `${username} is still expired. Renew the account, or type its days.`
    : username

function editForms(page: Page): Handlers {
  const { ctx } = page
  const edit = form(USERS_FAILED['edit-user'], editFields, async (input, data) => {
    if (input.renewFromToday && input.expireDays === undefined) {
      const problem = 'Type the days to renew'
      throw new AppError('BAD_INPUT', problem, { fields: { expireDays: [problem] } })
    }
    const user = await editUser(ctx, changedFields(input, data))
    if (!data.has('generatePassword') || input.password === undefined) {
      return redirectWithToast(back(page), done('User updated', updatedText(user)))
    }
    const credentials = { ...toHandOn(user), password: input.password, bearerToken: null }
    const headers = await handOn(ctx, { kind: 'password', ...credentials })
    return redirectWithToast(shown(page), done('User updated', user.username), headers)
  })
  const renew = form(USERS_FAILED.renew, oneUser, async ({ id }, data) => {
    const target = {
      scope: 'chosen' as const,
      picked: [id].filter(isId),
      filters: userFilterQuery.parse({}),
    }
    const order = { action: { kind: 'renew' } as const, target }
    const approval = { expected: 1, key: readFormKey(data) }
    const { changeId } = await applyBulkChange(ctx, order, approval)
    return redirectWithToast(
      paths.admin.change(changeId) + listOf(page),
      done('User renewed', `${RENEW_DAYS} more days.`),
    )
  })
  return {
    'edit-user': prepared(edit),
    renew,
    'password-link': linkForm(page),
    unlock: form(USERS_FAILED.unlock, oneUser, async ({ id }) => {
      const username = await unlockUser(ctx, id)
      return redirectWithToast(back(page), done('Unlocked', `${username} can sign in again.`))
    }),
    'second-factor-off': secondFactorForm(page),
  }
}

const othersFactor = startSecondFactorForm.extend({ id: z.string() })

function secondFactorForm(page: Page): FormHandler {
  return form(USERS_FAILED['second-factor-off'], othersFactor, async (input) => {
    const username = await switchOffSecondFactor(page.ctx, input)
    const text = `${username} signs in with the password alone.`
    const headers = await renewedCookie(page.ctx, page.token)
    return redirectWithToast(back(page), done('Two-step sign-in is off', text), headers)
  })
}

/**
 * Makes a password link. Like a password, it is shown only once, for the administrator to pass on.
 */
function linkForm(page: Page): FormHandler {
  const { ctx } = page
  return form(USERS_FAILED['password-link'], oneUser, async ({ id }) => {
    const { user, secret } = await makeUserPasswordLink(ctx, id)
    const passwordLink = addressOf(paths.setPassword(secret))
    const rest = { password: null, passwordLink, bearerToken: null }
    const headers = await handOn(ctx, { kind: 'link', ...toHandOn(user), ...rest })
    return redirectWithToast(shown(page), done('Link made'), headers)
  })
}

function counterForms(page: Page): Handlers {
  const { ctx } = page
  return {
    'reset-counter': form(USERS_FAILED['reset-counter'], oneUser, async ({ id }) => {
      await resetUserCounters(ctx, id)
      return redirectWithToast(back(page), done('Counter reset'))
    }),
    'reset-all': form(USERS_FAILED['reset-all'], typedNumber, async (input) => {
      refuseOtherNumber(input, 'Nothing was reset.')
      const count = await resetAllCounters(ctx)
      const text = `${plural(count, 'user')} had used something.`
      return redirectWithToast(back(page), done('Counters reset', text))
    }),
  }
}

const typedCount = z
  .string({ required_error: 'The number of users is required' })
  .transform(digitsOf)
  .refine((digits) => digits !== '', 'The number of users must be a number')
  .transform(Number)

function deletingForms(page: Page): Handlers {
  const { ctx } = page
  return {
    'delete-user': form(USERS_FAILED['delete-user'], oneUser, async ({ id }) => {
      const username = await deleteUser(ctx, id)
      const text = `${username} can be restored for 7 days.`
      return redirectWithToast(back(page), done('User deleted', text))
    }),
    'delete-all': form(
      USERS_FAILED['delete-all'],
      z.object({ count: typedCount }),
      async (input) => {
        await deleteAllUsers(ctx, input.count)
        return redirectWithToast(back(page), done('All users deleted', ALL_USERS_DELETED))
      },
    ),
  }
}

/** Shows the form again with the numbers of its plan. */
function withPlanNumbers(data: FormData) {
  data.delete('usePlan')
  const plan = planOf(data)
  if (!plan) return formAgain(data, { kind: 'info', title: 'Choose a plan first' })
  fillNumbers(data, plan)
  return formAgain(data, { kind: 'info', title: `The numbers of ${plan} are filled in` })
}

const planOf = (data: FormData) => PLAN_NAMES.find((name) => name === data.get('plan'))

function fillNumbers(data: FormData, plan: PlanName): void {
  for (const [name, value] of Object.entries(planNumbers(plan))) data.set(name, String(value))
}

/**
 * Fills in the plan's numbers if another plan was chosen without scripts and the numbers were left as
 * shown. Pages whose scripts have filled them in do not send `PLAN_SHOWN`.
 */
function followPlan(data: FormData): void {
  const shown = data.get(PLAN_SHOWN)
  data.delete(PLAN_SHOWN)
  const plan = planOf(data)
  if (!plan || typeof shown !== 'string') return
  const [planThen, ...numbers] = shown.split(' ')
  const areUntouched = PLAN_NUMBERS.every((name, i) => data.get(name) === numbers[i])
  if (plan !== planThen && areUntouched) fillNumbers(data, plan)
}
