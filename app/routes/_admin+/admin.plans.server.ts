import { changePlan } from '~/domain/administration/change-business.server'
import { PLANS_FAILED } from '~/domain/administration/failure-titles'
import { onePlan, planInput } from '~/domain/administration/schemas'
import type { AdminCtx } from '~/domain/context'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'

/** Returns the form handlers of the plans page by intent. Each leads back to it. */
export const planForms = (ctx: AdminCtx): Record<keyof typeof PLANS_FAILED, FormHandler> => ({
  plan: form(PLANS_FAILED.plan, planInput, async (plan) => {
    await changePlan(ctx, plan.name, plan)
    return done(`${plan.name} saved`)
  }),
  'plan-default': form(PLANS_FAILED['plan-default'], onePlan, async ({ plan }) => {
    await changePlan(ctx, plan, null)
    return done(`${plan} is as at first`)
  }),
})

const done = (title: string) => ({
  to: paths.admin.plans,
  toast: { kind: 'success', title } as const,
})
