import { z } from 'zod'
import { changePlan, changeVideoCost } from '~/domain/administration/change-business.server'
import { PLANS_FAILED } from '~/lib/failure-titles'
import { onePlan, planInput } from '~/domain/administration/schemas'
import { COST_TOGETHER, costFields, planFields } from '~/domain/administration/shown'
import { getPlans, getVideoCost } from '~/domain/business/settings.server'
import { PLAN_NAMES } from '~/domain/plans/types'
import type { AdminCtx } from '~/domain/context'
import { amountOf, currency } from '~/domain/payments/schemas'
import { optionalText } from '~/lib/fields'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'

/** An empty amount: the cost is not known. */
const costInput = z.object({
  amount: optionalText({ label: 'Cost', max: 30 }),
  currency,
})

/** Returns the form handlers of the plans page by intent. Each leads back to it. */
export const planForms = (ctx: AdminCtx): Record<keyof typeof PLANS_FAILED, FormHandler> => ({
  plan: form(PLANS_FAILED.plan, planInput, {
    shown: async (data) => {
      const name = PLAN_NAMES.find((one) => one === data.get('plan'))
      return name ? { now: planFields((await getPlans(ctx.db))[name]) } : null
    },
    run: async (plan) => {
      await changePlan(ctx, plan.name, plan)
      return done(`${plan.name} saved`)
    },
  }),
  'plan-default': form(PLANS_FAILED['plan-default'], onePlan, async ({ plan }) => {
    await changePlan(ctx, plan, null)
    return done(`${plan} is as at first`)
  }),
  'video-cost': form(PLANS_FAILED['video-cost'], costInput, {
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
