import { getCollectionProps } from '@conform-to/react'
import { useActionData } from '@remix-run/react'
import type { Helper } from '~/domain/administration/types'
import { RIGHTS, type Right } from '~/domain/context'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Card } from '../ui/card'
import { Field } from '../ui/field'
import { CheckboxField } from '../ui/field-frame'
import { SubmitButton } from '../ui/submit-button'
import { useActionForm } from '../ui/use-action-form'

const LABELS: Readonly<Record<Right, string>> = {
  create: 'Create customers with a plan',
  renew: 'Renew customers',
  passwords: 'Give customers new passwords',
  payments: 'Confirm payments',
  regenerate: 'Regenerate failed videos',
  prompts: 'Change the daily prompts',
}

const labelOf = (value: string | undefined) => {
  const right = RIGHTS.find((one) => one === value)
  return right === undefined ? '' : LABELS[right]
}

/** The book of payments does not serve helpers yet: its right would do nothing. */
const OFFERED = RIGHTS.filter((right) => right !== 'payments')

type Fields = { regeneratePerDay: string; rights: string[] }

/** What one editor may do. */
export function HelperRightsForm({ helper }: { helper: Helper }) {
  const { id, username, rights, confirmUpTo, confirmCurrency, regeneratePerDay } = helper
  // Each helper has a form with the same intent, so only the one that was sent shows its result.
  const sent = useActionData<{ intent?: string; result?: { initialValue?: { id?: unknown } } }>()
  const isSent = sent?.result?.initialValue?.id === id
  const [form, fields] = useActionForm<Fields>('rights', {
    id: `rights-${id}`,
    ...(!isSent && { lastResult: NO_RESULT }),
    defaultValue: {
      rights: [...rights],
      regeneratePerDay: `${regeneratePerDay}`,
    },
  })
  const boxes = getCollectionProps(fields.rights, { type: 'checkbox', options: OFFERED })
  return (
    <Card title={username}>
      <ActionForm {...form} intent="rights" preventScrollReset className="space-y-4">
        <HiddenFields
          fields={{
            id,
            confirmUpTo: `${confirmUpTo ?? 0}`,
            confirmCurrency: confirmCurrency ?? '',
          }}
        />
        <fieldset>
          <legend className="sr-only">Rights of {username}</legend>
          {boxes.map(({ key, ...box }) => (
            <CheckboxField key={key} label={labelOf(box.value)} {...box} />
          ))}
        </fieldset>
        <Field
          field={fields.regeneratePerDay}
          label="Videos a day"
          inputMode="numeric"
          hint="How many may be regenerated."
          required
        />
        <SubmitButton intent="rights" pending="Saving…">
          Save rights
        </SubmitButton>
      </ActionForm>
    </Card>
  )
}

const NO_RESULT = {}
