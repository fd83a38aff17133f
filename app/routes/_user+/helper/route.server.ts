import { z } from 'zod'
import { actFor } from '~/domain/administration/helpers/act-for.server'
import {
  helperAskClaim,
  helperAskSale,
  helperConfirm,
  type AskedOrder,
} from '~/domain/administration/helpers/helper-claims.server'
import { AppError } from '~/domain/errors'
import {
  findCustomer,
  helperAsk,
  helperCreate,
  helperPassword,
  helperRegenerate,
  helperRenew,
} from '~/domain/administration/helpers/helper-acts.server'
import { quickCreateForm } from '~/domain/administration/schemas'
import { storedState, storedText } from '~/domain/administration/outcome'
import { TICKS } from '~/domain/administration/ticks'
import type { ManagedUser } from '~/domain/administration/types'
import { confirmInput, paidFields, paidOf } from '~/domain/payments/schemas'
import type { AdminCtx, HelperCtx } from '~/domain/context'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'
import { readFormKey } from '~/http/forms/idempotency.server'
import { handOn, toHandOn } from '~/http/actions/user-hand-on.server'

/** A customer, and the name under which the page shows them. */
const customer = z.object({ id: z.string(), name: z.string().default('') })

const renewForm = paidFields.extend({ ...customer.shape, ...TICKS })

const oneClaim = z.object({ id: z.string() })
const confirmForm = confirmInput.extend(TICKS)

/** Returns the form handlers of the helper's page by intent. Each command checks its right. */
export function helperForms(ctx: HelperCtx): Record<string, FormHandler> {
  return {
    'quick-create': form('Failed to create user', quickCreateForm, async (input) => {
      const { phone, plan, isAsked } = input
      if (isAsked) return asked(ctx, 'create', { username: phone, plan, paid: paidOf(input) })
      const user = await helperCreate(ctx, input, { paid: paidOf(input), ticks: input })
      const credentials = { ...user, role: 'user', bearerToken: null }
      const headers = await handOn(actFor(ctx, 'create'), { kind: 'quick', ...credentials })
      return { ...done(user.username, 'User created', true), headers }
    }),
    renew: form('Failed to renew', renewForm, async ({ id, name, ...input }, data) => {
      if (input.isAsked) {
        const order = { ...(await orderOf(ctx, name)), paid: paidOf(input) }
        return asked(ctx, 'renew', order)
      }
      const order = { id, key: readFormKey(data), paid: paidOf(input), ticks: input }
      const { admin, user } = await helperRenew(ctx, order)
      return told(admin, { user, password: null }, 'Renewed by 30 days')
    }),
    password: form('Failed to set a password', customer, async ({ id }) => {
      const { admin, user, password } = await helperPassword(ctx, id)
      const credentials = { ...toHandOn(user), password, bearerToken: null }
      const headers = await handOn(admin, { kind: 'password', ...credentials })
      return { ...done(user.username, 'New password set', true), headers }
    }),
    regenerate: form('Regeneration failed', customer, async ({ id, name }) =>
      done(name, `${plural(await helperRegenerate(ctx, id), 'video')} queued`),
    ),
    ask: form('Nothing was asked', customer, async ({ id, name }) => {
      await helperAsk(ctx, id)
      return done(name, ASKED)
    }),
    'ask-payment': form('Nothing was asked', oneClaim, async ({ id }) => {
      await helperAskClaim(ctx, id)
      return done('', ASKED)
    }),
    'confirm-payment': form('The payment was not confirmed', confirmForm, async (input) => {
      if (input.isAsked) {
        await helperAskClaim(ctx, input.id)
        return done('', ASKED)
      }
      const confirmed = await helperConfirm(ctx, input, input)
      return told(actFor(ctx, 'payments'), confirmed, 'Payment confirmed')
    }),
  }
}

const ASKED = 'The administrator was asked'

/** Leaves a sale to the administrators. */
async function asked(ctx: HelperCtx, right: 'create' | 'renew', order: AskedOrder) {
  await helperAskSale(ctx, right, order)
  return done(right === 'renew' ? order.username : '', ASKED)
}

/** Returns what a renewal of a customer sells. Throws NOT_FOUND, and BAD_INPUT without a plan. */
async function orderOf(ctx: HelperCtx, name: string): Promise<Omit<AskedOrder, 'paid'>> {
  const found = await findCustomer(ctx, name)
  if (!found) throw new AppError('NOT_FOUND', 'No customer has this number.')
  const { username, plan } = found
  if (plan === null) throw new AppError('BAD_INPUT', `${username} has no plan.`)
  return { username, plan }
}

type Told = { user: ManagedUser; password: string | null }

/** Shows what to tell a customer after a sale: nothing, if the account cannot be used. */
async function told(admin: AdminCtx, { user, password }: Told, title: string) {
  const description = storedText(user, admin.settings.timeZone)
  const isTold = storedState(user) === 'ok'
  const { to, toast } = done(user.username, title, isTold)
  const success = { to, toast: { ...toast, description } }
  if (!isTold) return success
  const kind = password === null ? 'renewed' : 'quick'
  const headers = await handOn(admin, { kind, ...toHandOn(user), password, bearerToken: null })
  return { ...success, headers }
}

const done = (name: string, title: string, hasCredentials = false) => ({
  to: paths.helperOf(name) + (hasCredentials ? '&dialog=credentials' : ''),
  toast: { kind: 'success', title } as const,
})
