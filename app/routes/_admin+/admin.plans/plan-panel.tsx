import { getInputProps, type SubmissionResult } from '@conform-to/react'
import { Link, useActionData } from '@remix-run/react'
import { planFields } from '~/domain/administration/shown'
import { breakEvenText, losesMoney, type BreakEven } from '~/domain/payments/break-even'
import { FIGURE_NAMES, PLAN_FIGURES, type PlanNumberName } from '~/domain/plans/numbers'
import type { Plan, PlanName } from '~/domain/plans/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Badge } from '~/components/ui/badge'
import { Card } from '~/components/ui/card'
import { Field, TextAreaField } from '~/components/ui/field'
import { CheckboxField } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { useShownForm } from '~/components/ui/use-shown-form'
import { paths } from '~/lib/paths'

type Fields = Record<PlanNumberName | 'support' | 'extras', string | number> &
  Record<'popular' | 'isOffered', boolean>

type Props = { plan: Plan; isChanged: boolean; breakEven: BreakEven | null }

/** One plan as it is sold. */
export function PlanPanel({ plan, isChanged, breakEven }: Props) {
  const { name } = plan
  const [form, fields, before] = useShownForm<Fields>('plan', {
    id: `plan-${name}`,
    lastResult: useResultOf(name),
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

const NO_RESULT: SubmissionResult = {}

/** The result of the last form, if it was that of this plan. */
function useResultOf(name: PlanName): SubmissionResult {
  const result = useActionData<{ result?: SubmissionResult }>()?.result
  return result?.initialValue?.plan === name ? result : NO_RESULT
}
