import { getInputProps, type FieldMetadata, type SubmissionResult } from '@conform-to/react'
import { Link, useActionData } from '@remix-run/react'
import { planFields } from '~/domain/administration/shown'
import { breakEvenText, losesMoney, type BreakEven } from '~/domain/payments/break-even'
import { FIGURE_NAMES, PLAN_FIGURES, type PlanNumberName } from '~/domain/plans/numbers'
import { countsAs } from '~/domain/quota/rules'
import { absentIn, routeInWords, routesOf } from '~/domain/route'
import type { Plan, PlanName } from '~/domain/plans/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Badge } from '~/components/ui/badge'
import { Card } from '~/components/ui/card'
import { Field, SelectField, TextAreaField } from '~/components/ui/field'
import { CheckboxField } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { useShownForm } from '~/components/ui/use-shown-form'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'

type Fields = Record<PlanNumberName | 'support' | 'extras' | 'route' | 'devices', string | number> &
  Record<'popular' | 'isOffered', boolean>

/** The providers that are set up: their names, the kind of the first one, and where their videos differ. */
type Providers = { names: readonly string[]; first: string; notes: readonly string[] }

type Props = {
  plan: Plan
  isChanged: boolean
  breakEven: BreakEven | null
  providers: Providers
  /** How many accounts with the plan have other providers. */
  others: number
}

/** One plan as it is sold. */
export function PlanPanel({ plan, isChanged, breakEven, providers, others }: Props) {
  const { name } = plan
  const result = useResultOf(name)
  const hasErrors = Object.keys(result.error ?? {}).length > 0
  const [form, fields, before] = useShownForm<Fields>('plan', {
    id: `plan-${name}`,
    lastResult: result,
    shown: planFields(plan),
  })
  return (
    <Card title={name}>
      {!plan.isOffered && <Badge tone="warn">Not offered</Badge>}
      {breakEven && (
        <div className="mb-4 space-y-1.5">
          {losesMoney(breakEven) && (
            <p className="flex flex-wrap items-center gap-x-2 text-sm">
              <Badge tone="warn">Loses money</Badge>
              <Link to={paths.admin.setup} className={textLinkClass}>
                Meant so? Mark it in Set-up
              </Link>
            </p>
          )}
          <p className="text-sm tabular-nums text-soft">{breakEvenText(name, breakEven)}</p>
        </div>
      )}
      <p className="tabular-nums">
        {figure(plan.rupees)} PKR or {figure(plan.dollars)} USD a month,{' '}
        {[`${plural(plan.videosPerDay, 'video')} a day`, countsAs(plan.clipUnits)]
          .filter((part) => part !== '')
          .join(', ')}
      </p>
      <details open={hasErrors || undefined}>
        <summary className="fold-summary">Change {name}</summary>
        <ActionForm {...form} intent="plan" preventScrollReset className="space-y-4">
          <div className="grid grid-cols-2 gap-3 tiny:grid-cols-1 sm:grid-cols-3 [&_label]:flex [&_label]:min-h-10 [&_label]:items-end">
            {FIGURE_NAMES.map((one) => (
              <Field
                key={one}
                field={fields[one]}
                label={PLAN_FIGURES[one].title}
                inputMode="numeric"
                required
              />
            ))}
          </div>
          <Field field={fields.support} label="Support" hint="For example: Priority" required />
          <TextAreaField
            field={fields.extras}
            label="More lines on the card"
            hint="One line each."
            rows={2}
          />
          <Field
            field={fields.devices}
            label="Devices at once"
            inputMode="numeric"
            hint="Empty: no limit. It applies to everybody with the plan, at their next sign-in, which signs out the oldest."
          />
          <RouteField field={fields.route} stored={plan.route} {...providers} />
          <CheckboxField {...getInputProps(fields.popular, { type: 'checkbox' })} label="Popular" />
          <CheckboxField
            {...getInputProps(fields.isOffered, { type: 'checkbox' })}
            label="Offered"
            hint="Buyers see it on the pricing page."
          />
          <SubmitButton intent="plan" pending="Saving…">
            {`Save ${name}`}
          </SubmitButton>
          <HiddenFields fields={{ plan: name, ...before }} />
        </ActionForm>
      </details>
      {others > 0 && (
        <ActionForm intent="plan-route" preventScrollReset className="mt-3">
          <HiddenFields fields={{ plan: name }} />
          <SubmitButton intent="plan-route" look="plain">
            {`Give its providers and units to ${plural(others, 'account')} that ${others === 1 ? 'has' : 'have'} others`}
          </SubmitButton>
        </ActionForm>
      )}
      {isChanged && (
        <ActionForm intent="plan-default" preventScrollReset className="mt-3">
          <HiddenFields fields={{ plan: name }} />
          <SubmitButton intent="plan-default" look="plain">
            {`Reset ${name} to its defaults`}
          </SubmitButton>
        </ActionForm>
      )}
    </Card>
  )
}

type RouteProps = Providers & { field: FieldMetadata; stored: string }

/** From which provider the plan's videos come. With one provider there is nothing to choose. */
function RouteField({ field, stored, names, first, notes }: RouteProps) {
  const missing = absentIn(stored, names)
  const routes = [...new Set([stored, ...routesOf(names)])]
  if (routes.length === 1) return <input {...getInputProps(field, { type: 'hidden' })} />
  const options = routes.map((value) => ({ value, label: routeInWords(value, first) }))
  return (
    <SelectField
      field={field}
      label="Provider"
      options={options}
      hint={
        missing.length > 0
          ? `${missing.join(' and ')} is not set up: the other one gets the orders, or ${first}.`
          : `A stand-in gets new orders while the provider takes none. Videos with a picture wait if it takes no pictures. ${notes.join(' ')}`
      }
    />
  )
}

const NO_RESULT: SubmissionResult = {}

/** The result of the last form, if it was that of this plan. */
function useResultOf(name: PlanName): SubmissionResult {
  const result = useActionData<{ result?: SubmissionResult }>()?.result
  return result?.initialValue?.plan === name ? result : NO_RESULT
}
