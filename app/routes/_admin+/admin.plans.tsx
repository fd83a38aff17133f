import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react'
import { sendAdminForm } from '~/components/admin/send-admin-form'
import { PageHeader } from '~/components/admin/page-header'
import { PlanPanel } from '~/components/admin/settings/plan-panel'
import { VideoCostPanel } from '~/components/admin/settings/video-cost-panel'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { ActionToast } from '~/components/ui/action-toast'
import { PLANS_FAILED } from '~/lib/failure-titles'
import { getPlans, getVideoCost } from '~/domain/business/settings.server'
import { DEFAULT_PLANS } from '~/domain/plans/catalogue'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { pageMeta } from '~/lib/title'
import { planForms } from './admin.plans.server'

export const meta: MetaFunction = () => pageMeta('Plans')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db } = requireAdmin({ request, context }).ctx
  const [plans, cost] = await Promise.all([getPlans(db), getVideoCost(db)])
  const inOrder = Object.values(plans).sort((a, b) => a.place - b.place)
  return json({
    plans: inOrder.map((plan) => ({ plan, isChanged: plan !== DEFAULT_PLANS[plan.name] })),
    cost,
  })
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, planForms(requireAdmin(args).ctx))
}

/** Submits a form with scripts. If no response comes, keeps the page and what was typed. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const send = () => serverAction<typeof action>()
  return sendAdminForm(request, { send, titles: PLANS_FAILED })
}

export { unlessUnanswered as shouldRevalidate }

/** What is sold, and for how much. */
export default function PlansPage() {
  const { plans, cost } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Plans"
        note="Changes apply to what is sold from now on. Accounts and running batches keep what they have."
      />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        {plans.map((one) => (
          <PlanPanel key={one.plan.name} {...one} />
        ))}
        <VideoCostPanel cost={cost} />
      </div>
    </div>
  )
}
