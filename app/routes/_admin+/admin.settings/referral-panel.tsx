import { referralFields } from '~/domain/administration/shown'
import type { Referral } from '~/domain/business/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { Field, SelectField } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'

const UNITS = [
  { value: 'days', label: 'days of the plan' },
  { value: 'videos', label: 'videos on that day' },
]

/** What customers get for inviting others. */
export function ReferralPanel({ referral }: { referral: Referral | null }) {
  const [form, fields, before] = useShownForm<{ unit: string; amount: string; perMonth: string }>(
    'referral',
    { shown: referralFields(referral) },
  )
  return (
    <Card title="Referral">
      <p className="mb-4 text-sm text-soft">
        {referral
          ? 'On: customers have an invite link on their Usage page. '
          : 'Off. While it is on, customers have an invite link on their Usage page. '}
        When the first payment of somebody invited is confirmed, of whatever amount, both get what
        is set at that moment; accounts without a plan or an end get no days. The book of payments
        shows what it costs.
      </p>
      <ActionForm {...form} intent="referral" preventScrollReset className="space-y-4">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
          <Field field={fields.amount} label="Reward" inputMode="numeric" required />
          <SelectField field={fields.unit} label="Unit" options={UNITS} />
        </div>
        <Field
          field={fields.perMonth}
          label="Most rewards a month"
          hint="For each inviter. Those who are invited always get theirs."
          inputMode="numeric"
          required
        />
        <SubmitButton intent="referral" pending="Saving…">
          {referral ? 'Save' : 'Switch on'}
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
      {referral && (
        <ActionForm intent="end-referral" preventScrollReset className="mt-3">
          <SubmitButton intent="end-referral" look="plain">
            Switch off
          </SubmitButton>
        </ActionForm>
      )}
    </Card>
  )
}
