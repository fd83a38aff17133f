import { costFields } from '~/domain/administration/shown'
import type { VideoCost } from '~/domain/business/types'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { Card } from '../../ui/card'
import { Field, SelectField } from '../../ui/field'
import { SubmitButton } from '../../ui/submit-button'
import { useShownForm } from '../../ui/use-shown-form'
import { CURRENCY_OPTIONS } from '../payments/paid-fields'

/** What one video costs the operator. */
export function VideoCostPanel({ cost }: { cost: VideoCost | null }) {
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
          <SelectField field={fields.currency} label="Currency" options={CURRENCY_OPTIONS} />
        </div>
        <SubmitButton intent="video-cost" pending="Saving…">
          Save cost
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
    </Card>
  )
}
