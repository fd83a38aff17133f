import { z } from 'zod'
import { passwordAndCode } from '~/domain/accounts/schemas'
import { applyBulkChange } from '~/domain/administration/changes/bulk-change.server'
import { storedText } from '~/domain/administration/outcome'
import { TICKS } from '~/domain/administration/ticks'
import { getManagedUser } from '~/domain/administration/users/users-query.server'
import { editPaidUser } from '~/domain/administration/changes/edit-paid.server'
import { renewFrom } from '~/domain/administration/changes/bulk-schemas'
import type { UserEdit } from '~/domain/administration/users/edit-user.server'
import { userFilterQuery } from '~/domain/administration/users/list-schemas'
import { makeUserPasswordLink } from '~/domain/administration/users/password-links.server'
import { beforeField, PLAN_FIELDS } from '~/domain/administration/rules'
import { EDIT_FORM_FIELDS, USER_TOGETHER, userFields } from '~/domain/administration/shown'
import { editUserForm } from '~/domain/administration/schemas'
import { switchOffSecondFactor } from '~/domain/administration/users/second-factor.server'
import { unlockUser } from '~/domain/administration/users/unlock-user.server'
import { AppError } from '~/domain/errors'
import { PAID_FIELDS, paidOf } from '~/domain/payments/schemas'
import { isId } from '~/lib/ids'
import { paths } from '~/lib/paths'
import { textOf } from '~/http/forms/form-data.server'
import { form, type FormHandler } from '~/http/forms/forms.server'
import { readFormKey } from '~/http/forms/idempotency.server'
import { addressOf } from '~/http/session/credentials-once.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { renewedCookie } from './sign-in.server'
import { handOn, prepared, toHandOn } from './user-hand-on.server'
import { back, done, listOf, oneUser, shown, type Handlers, type Page } from './user-page.server'

const editFields = editUserForm.extend({ id: z.string(), ...PAID_FIELDS, ...TICKS })
const renewFields = oneUser.extend({ ...PAID_FIELDS, ...TICKS, from: renewFrom })

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

/** Returns what the edit form of an account is compared with; null if there is none. */
async function shownUser({ ctx }: Page, data: FormData) {
  const id = textOf(data, 'id')
  if (!isId(id)) return null
  const now = userFields(await getManagedUser(ctx, ctx.db, id))
  // Days pass by themselves. Only more of them were given by somebody.
  const before = textOf(data, beforeField('expireDays'))
  const hasPassed = Number(now.expireDays) <= Number(before)
  const expireDays = hasPassed ? before : now.expireDays
  return { now: { ...now, expireDays }, together: USER_TOGETHER }
}

/** Returns the form handlers that change one account. */
export function editForms(page: Page): Handlers {
  const { ctx } = page
  const update = async (input: z.output<typeof editFields>, data: FormData) => {
    if (input.renewFromToday && input.expireDays === undefined) {
      const problem = 'Type the days to renew'
      throw new AppError('BAD_INPUT', problem, { fields: { expireDays: [problem] } })
    }
    const changed = changedFields(input, data)
    const paid = paidOf(input)
    const { user } = await editPaidUser(ctx, { ...changed, seller: { ticks: input } }, paid)
    if (!data.has('generatePassword') || input.password === undefined) {
      return redirectWithToast(
        back(page),
        done('User updated', storedText(user, ctx.settings.timeZone)),
      )
    }
    const credentials = { ...toHandOn(user), password: input.password, bearerToken: null }
    const headers = await handOn(ctx, { kind: 'password', ...credentials })
    return redirectWithToast(shown(page), done('User updated', user.username), headers)
  }
  const edit = form('Failed to update user', editFields, {
    shown: (data) => shownUser(page, data),
    run: update,
  })
  return {
    'edit-user': prepared(ctx, edit),
    renew: renewing(page),
    'password-link': linkForm(page),
    unlock: form('Failed to unlock', oneUser, async ({ id }) => {
      const username = await unlockUser(ctx, id)
      return redirectWithToast(back(page), done('Unlocked', `${username} can sign in again.`))
    }),
    'second-factor-off': secondFactorForm(page),
  }
}

/** Returns the form handler that renews one account. */
export function renewing(page: Page): FormHandler {
  return form('Failed to update user', renewFields, async ({ id, from, ...input }, data) => {
    const target = {
      scope: 'chosen' as const,
      picked: [id].filter(isId),
      filters: userFilterQuery.parse({}),
    }
    const order = { action: { kind: 'renew' as const, from }, target, paid: paidOf(input) }
    const approval = { expected: 1, key: readFormKey(data), seller: { ticks: input } }
    const { changeId } = await applyBulkChange(page.ctx, order, approval)
    const user = await getManagedUser(page.ctx, page.ctx.db, id)
    return redirectWithToast(
      paths.admin.change(changeId) + listOf(page),
      done('User renewed', storedText(user, page.ctx.settings.timeZone)),
    )
  })
}

const othersFactor = passwordAndCode.extend({ id: z.string() })

function secondFactorForm(page: Page): FormHandler {
  return form('Failed to switch off two-step sign-in', othersFactor, async (input) => {
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
  return form('Failed to make the link', oneUser, async ({ id }) => {
    const { user, secret } = await makeUserPasswordLink(ctx, id)
    const passwordLink = addressOf(paths.setPassword(secret))
    const rest = { password: null, passwordLink, bearerToken: null }
    const headers = await handOn(ctx, { kind: 'link', ...toHandOn(user), ...rest })
    return redirectWithToast(shown(page), done('Link made'), headers)
  })
}
