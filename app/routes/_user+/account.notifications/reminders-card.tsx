import { getInputProps } from '@conform-to/react'
import { reminderFields } from '~/domain/notifications/reminders'
import type { ReminderWishes } from '~/domain/notifications/types'
import { FEWEST_FOR_NEARLY, NEARLY_USED_PERCENT } from '~/domain/quota/rules'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { Field } from '~/components/ui/field'
import { CheckboxField } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { useShownForm } from '~/components/ui/use-shown-form'

type Fields = Record<keyof ReminderWishes, string>

/** Of what the user is reminded by all channels that are on, and at which hours not. */
export function RemindersCard({ wishes }: { wishes: ReminderWishes }) {
  const timeZone = usePlatformZone()
  const [form, fields, before] = useShownForm<Fields>('reminders', {
    shown: reminderFields(wishes),
  })
  return (
    <Card title="Reminders">
      <p className="mb-4 text-sm text-soft">
        Each is sent once, by everything that is on above. The pages here say the same.
      </p>
      <ActionForm {...form} intent="reminders" preventScrollReset className="space-y-4">
        <div>
          <CheckboxField
            label="My plan ends in 3 days, ends tomorrow or has ended"
            {...getInputProps(fields.planEnd, { type: 'checkbox' })}
          />
          <CheckboxField
            label={`${NEARLY_USED_PERCENT} % of today’s videos are used`}
            hint={`With ${FEWEST_FOR_NEARLY} videos a day or more.`}
            {...getInputProps(fields.nearlyUsed, { type: 'checkbox' })}
          />
        </div>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Field field={fields.quietFrom} label="Quiet from" type="time" hint={`In ${timeZone}`} />
          <Field
            field={fields.quietUntil}
            label="Quiet until"
            type="time"
            hint="Reminders wait until these hours end. The news of a batch does not."
          />
        </div>
        <SubmitButton intent="reminders" pending="Saving…">
          Save reminders
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
    </Card>
  )
}
