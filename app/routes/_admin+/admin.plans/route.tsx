import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { PageHeader } from '~/components/admin/page-header'
import { PlanPanel } from './plan-panel'
import { ActionToast } from '~/components/ui/toasts'
import { countOtherRoutes, getPlans, getVideoCost } from '~/domain/business/settings.server'
import { namedProviders } from '~/domain/providers.server'
import { getBreakEvens } from '~/domain/payments/break-even.server'
import { moneyText, PRICED } from '~/domain/payments/money'
import { DEFAULT_PLANS } from '~/domain/plans/catalogue'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { pageMeta } from '~/lib/title'
import { planForms, readTriedCost, type TriedCost } from './route.server'
import { costFields } from '~/domain/administration/shown'
import type { VideoCost } from '~/domain/business/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { CurrencyField, Field } from '~/components/ui/field'
import { lineClass } from '~/components/ui/field-frame'
import { textLinkClass } from '~/components/ui/text-link'
import { buttonClass } from '~/components/ui/button'
import type { Currency } from '~/lib/currencies'
import { paths } from '~/lib/paths'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'

export const meta: MetaFunction = () => pageMeta('Plans')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const [plans, cost, others] = await Promise.all([
    getPlans(ctx.db),
    getVideoCost(ctx.db),
    countOtherRoutes(ctx.db),
  ])
  const inOrder = Object.values(plans).sort((a, b) => a.place - b.place)
  const tried = readTriedCost(new URL(request.url).searchParams)
  const breakEvens = await getBreakEvens(ctx, plans, tried.cost ?? cost)
  return json({
    plans: inOrder.map((plan) => ({
      plan,
      isChanged: plan !== DEFAULT_PLANS[plan.name],
      breakEven: breakEvens[plan.name] ?? null,
      others: others[plan.name] ?? 0,
    })),
    providers: { names: [...namedProviders(ctx).keys()], first: ctx.provider.kind },
    cost,
    tried,
  })
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, planForms(requireAdmin(args).ctx))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** What is sold, and for how much. */
export default function PlansPage() {
  const { plans, providers, cost, tried } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title={tried.cost ? `Plans at ${moneyText(tried.cost)} a video` : 'Plans'}
        note="Changes apply to what is sold from now on. Accounts and running batches keep what they have."
      />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        {plans.map((one) => (
          <PlanPanel key={one.plan.name} {...one} providers={providers} />
        ))}
        <VideoCostPanel cost={cost} tried={tried} />
      </div>
    </div>
  )
}

type CostProps = { cost: VideoCost | null; tried: TriedCost }

/** What one video costs the operator. */
function VideoCostPanel({ cost, tried }: CostProps) {
  const [form, fields, before] = useShownForm<Record<'amount' | 'currency', string>>('video-cost', {
    shown: costFields(cost),
  })
  return (
    <Card title="Cost of one video">
      <ActionForm {...form} intent="video-cost" preventScrollReset className="space-y-4">
        <p className="text-sm text-soft">
          What the provider charges you. Only administrators see it: the overview compares it with
          what you receive in the same currency. A token’s own cost per video replaces it.
        </p>
        <div className="grid grid-cols-2 gap-3 tiny:grid-cols-1">
          <Field
            field={fields.amount}
            label="Cost"
            inputMode="decimal"
            autoComplete="off"
            hint="Empty: not known."
          />
          <CurrencyField field={fields.currency} />
        </div>
        <SubmitButton intent="video-cost" pending="Saving…">
          Save cost
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
      <TryCostForm tried={tried} currency={cost?.currency ?? 'USD'} />
    </Card>
  )
}

/** Shows the plans beside another provider's price. Nothing is stored. */
function TryCostForm({ tried, currency }: { tried: TriedCost; currency: Currency }) {
  const isBad = tried.amount !== '' && tried.cost === null
  return (
    <Form preventScrollReset className="mt-6 space-y-3 border-t border-line pt-4">
      <p id="try-cost" className="text-sm text-soft">
        What if a video cost something else? Nothing is saved.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <input
          name="amount"
          defaultValue={tried.amount}
          aria-label="Another cost"
          aria-describedby={isBad ? 'try-cost-problem' : 'try-cost'}
          aria-invalid={isBad}
          inputMode="decimal"
          autoComplete="off"
          className={`${lineClass} max-w-28`}
        />
        <select
          name="currency"
          defaultValue={tried.cost?.currency ?? currency}
          aria-label="Currency of the other cost"
          className={`${lineClass} max-w-28`}
        >
          {PRICED.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button className={buttonClass('plain')}>Show</button>
        {tried.amount !== '' && (
          <Link to={paths.admin.plans} preventScrollReset className={textLinkClass}>
            Your cost again
          </Link>
        )}
      </div>
      {isBad && (
        <p id="try-cost-problem" role="alert" className="text-sm text-bad">
          This is not an amount.
        </p>
      )}
    </Form>
  )
}
