import { z } from 'zod'
import {
  changePlan,
  changeVideoCost,
  giveRoute,
} from '~/domain/administration/change-business.server'
import { onePlan, planInput } from '~/domain/administration/schemas'
import { COST_TOGETHER, costFields, planFields } from '~/domain/administration/shown'
import { getPlans, getVideoCost } from '~/domain/business/settings.server'
import { PLAN_NAMES } from '~/domain/plans/types'
import type { AdminCtx } from '~/domain/context'
import type { VideoCost } from '~/domain/business/types'
import { PRICED, readAmount } from '~/domain/payments/money'
import { amountOf, currency } from '~/domain/payments/schemas'
import { plainDigits } from '~/lib/digits'
import { optionalText } from '~/lib/fields'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'

/** An empty amount: the cost is not known. */
const costInput = z.object({
  amount: optionalText({ label: 'Cost', max: 30 }),
  currency,
})

/** Returns the form handlers of the plans page by intent. Each leads back to it. */
export const planForms = (ctx: AdminCtx): Record<string, FormHandler> => ({
  plan: form('The plan was not changed', planInput, {
    shown: async (data) => {
      const name = PLAN_NAMES.find((one) => one === data.get('plan'))
      return name ? { now: planFields((await getPlans(ctx.db))[name]) } : null
    },
    run: async (plan) => {
      await changePlan(ctx, plan.name, plan)
      return done(`${plan.name} saved`)
    },
  }),
  'plan-default': form('The plan was not changed', onePlan, async ({ plan }) => {
    await changePlan(ctx, plan, null)
    return done(`${plan} is as at first`)
  }),
  'plan-route': form('The accounts were not changed', onePlan, async ({ plan }) => {
    const count = await giveRoute(ctx, plan)
    return done(count === 0 ? 'All have it already' : `${plural(count, 'account')} changed`)
  }),
  'video-cost': form('The cost was not changed', costInput, {
    shown: async () => ({
      now: costFields(await getVideoCost(ctx.db)),
      together: COST_TOGETHER,
    }),
    run: async ({ amount, currency }) => {
      const cost =
        amount === null ? null : { amount: amountOf('amount', amount, currency), currency }
      await changeVideoCost(ctx, cost)
      return done('Cost saved')
    },
  }),
})

const done = (title: string) => ({
  to: paths.admin.plans,
  toast: { kind: 'success', title } as const,
})

/** A cost that is only looked at: as typed, and what it is if it is an amount. */
export type TriedCost = { amount: string; cost: VideoCost | null }

/** Reads the cost that the page's address asks about. */
export function readTriedCost(search: URLSearchParams): TriedCost {
  const amount = plainDigits(search.get('amount') ?? '').slice(0, 30)
  const currency = PRICED.find((name) => name === search.get('currency')) ?? PRICED[0]
  const minor = readAmount(amount, currency)
  return { amount, cost: minor === null ? null : { amount: minor, currency } }
}
