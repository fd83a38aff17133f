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
import { countOtherRoutes, getPlans, getVideoCosts } from '~/domain/business/settings.server'
import { choicesOf } from '~/domain/providers.server'
import { getBreakEvens } from '~/domain/payments/break-even.server'
import { costAt, costsText } from '~/domain/payments/break-even'
import { amountText, moneyText, PRICED } from '~/domain/payments/money'
import { DEFAULT_PLANS } from '~/domain/plans/catalogue'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { pageMeta } from '~/lib/title'
import { offersText, otherNames, planForms, readTriedCost, type TriedCost } from './route.server'
import { costField, costFields } from '~/domain/administration/shown'
import type { VideoCosts } from '~/domain/business/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { CurrencyField, Field } from '~/components/ui/field'
import { lineClass } from '~/components/ui/field-frame'
import { textLinkClass } from '~/components/ui/text-link'
import { buttonClass } from '~/components/ui/button'
import { paths } from '~/lib/paths'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'

export const meta: MetaFunction = () => pageMeta('Plans')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const [plans, costs, others] = await Promise.all([
    getPlans(ctx.db),
    getVideoCosts(ctx.db),
    countOtherRoutes(ctx.db),
  ])
  const inOrder = Object.values(plans).sort((a, b) => a.place - b.place)
  const tried = readTriedCost(new URL(request.url).searchParams)
  const asked = tried.cost && { ...tried.cost, others: {} }
  const breakEvens = await getBreakEvens(ctx, plans, asked ?? costs)
  const choices = choicesOf(ctx)
  return json({
    plans: inOrder.map((plan) => ({
      plan,
      isChanged: plan !== DEFAULT_PLANS[plan.name],
      breakEven: breakEvens[plan.name] ?? null,
      others: others[plan.name] ?? 0,
    })),
    providers: {
      names: choices.map(({ name }) => name),
      first: ctx.provider.kind,
      notes: [offersText(ctx), costsText(costs, choices)].flat().filter((note) => note !== null),
    },
    costs,
    others: otherNames(ctx),
    tried,
  })
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, planForms(requireAdmin(args).ctx))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** What is sold, and for how much. */
export default function PlansPage() {
  const { plans, providers, costs, others, tried } = useLoaderData<typeof loader>()
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
        <VideoCostPanel costs={costs} first={providers.first} others={others} tried={tried} />
      </div>
    </div>
  )
}

type CostFields = Record<'amount' | 'currency' | `amount-${string}`, string>
type CostProps = {
  costs: VideoCosts | null
  /** What the first provider is called, and the names of the others. */
  first: string
  others: string[]
  tried: TriedCost
}

/** What one video costs the operator. */
function VideoCostPanel({ costs, first, others, tried }: CostProps) {
  const [form, fields, before] = useShownForm<CostFields>('video-cost', {
    shown: costFields(costs, others),
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
            label={others.length === 0 ? 'Cost' : `Cost at ${first}`}
            inputMode="decimal"
            autoComplete="off"
            hint="Empty: not known."
          />
          <CurrencyField field={fields.currency} />
          {others.map((name) => {
            const field = fields[costField(name)]
            return (
              field && (
                <Field
                  key={name}
                  field={field}
                  label={`Cost at ${name}`}
                  inputMode="decimal"
                  autoComplete="off"
                  hint={`Empty: as at ${first}.`}
                />
              )
            )
          })}
        </div>
        <SubmitButton intent="video-cost" pending="Saving…">
          Save cost
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
      <TryCostForm tried={tried} costs={costs} others={others} />
    </Card>
  )
}

/** Shows the plans beside another provider's price. Nothing is stored. */
function TryCostForm({ tried, costs, others }: Pick<CostProps, 'tried' | 'costs' | 'others'>) {
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
          defaultValue={tried.cost?.currency ?? costs?.currency ?? 'USD'}
          aria-label="Currency of the other cost"
          className={`${lineClass} max-w-28`}
        >
          {PRICED.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button className={buttonClass('plain')}>Show</button>
        {costs &&
          others.map((name) => (
            <Link
              key={name}
              to={`${paths.admin.plans}?amount=${amountText(costAt(costs, name))}&currency=${costs.currency}`}
              preventScrollReset
              className={textLinkClass}
            >
              {`All at ${name}, ${moneyText(costAt(costs, name))}`}
            </Link>
          ))}
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
