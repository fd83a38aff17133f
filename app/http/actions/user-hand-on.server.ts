import { makeReplacingLink } from '~/domain/accounts/password-link.server'
import { generatePassword } from '~/domain/accounts/generated-password.server'
import { PLAN_SHOWN } from '~/domain/administration/rules'
import { PLAN_NUMBERS, planNumbers } from '~/domain/plans/numbers'
import type { ManagedUser } from '~/domain/administration/types'
import type { AdminCtx } from '~/domain/context'
import { isDoubtfulPhone } from '~/domain/names/name-forms.server'
import { getPlans } from '~/domain/business/settings.server'
import { PLAN_NAMES, type Plan, type Plans } from '~/domain/plans/types'
import { paths } from '~/lib/paths'
import { formAgain, type FormHandler } from '~/http/forms/forms.server'
import { addressOf, handOnce, type Credentials } from '~/http/session/credentials-once.server'

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
export function prepared({ db }: AdminCtx, handler: FormHandler): FormHandler {
  return {
    ...handler,
    secrets: SECRETS,
    run: async (data) => {
      const plans = await getPlans(db)
      if (data.has('usePlan')) return withPlanNumbers(data, plans)
      followPlan(data, plans)
      if (data.has('generatePassword')) data.set('password', generatePassword())
      return handler.run(data)
    },
  }
}

type HandedOn = Pick<Credentials, 'username' | 'phone' | 'role' | 'plan' | 'expiryDate'>

/** Returns what of an account is passed on with its password. */
export const toHandOn = (user: ManagedUser): HandedOn => ({
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
export async function handOn(ctx: AdminCtx, credentials: Credentials): Promise<Headers> {
  const { username, phone, password } = credentials
  const secret = password === null ? null : await makeReplacingLink(ctx, ctx.db, username)
  return handOnce(ctx, {
    ...credentials,
    ownPasswordLink: secret === null ? null : addressOf(paths.setPassword(secret)),
    isPhoneDoubtful: isDoubtfulPhone(phone, ctx.settings.phoneCountries),
  })
}

/** Shows the form again with the numbers of its plan. */
function withPlanNumbers(data: FormData, plans: Plans) {
  data.delete('usePlan')
  const plan = planOf(data)
  if (!plan) return formAgain(data, { kind: 'info', title: 'Choose a plan first' })
  fillNumbers(data, plans[plan])
  return formAgain(data, { kind: 'info', title: `The numbers of ${plan} are filled in` })
}

const planOf = (data: FormData) => PLAN_NAMES.find((name) => name === data.get('plan'))

function fillNumbers(data: FormData, plan: Plan): void {
  for (const [name, value] of Object.entries(planNumbers(plan))) data.set(name, String(value))
}

/**
 * Fills in the plan's numbers if another plan was chosen without scripts and the numbers were left as
 * shown. Pages whose scripts have filled them in do not send `PLAN_SHOWN`.
 */
function followPlan(data: FormData, plans: Plans): void {
  const shown = data.get(PLAN_SHOWN)
  data.delete(PLAN_SHOWN)
  const plan = planOf(data)
  if (!plan || typeof shown !== 'string') return
  const [planThen, ...numbers] = shown.split(' ')
  const areUntouched = PLAN_NUMBERS.every((name, i) => data.get(name) === numbers[i])
  if (plan !== planThen && areUntouched) fillNumbers(data, plans[plan])
}
