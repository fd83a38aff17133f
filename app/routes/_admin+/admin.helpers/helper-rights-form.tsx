import { getCollectionProps } from '@conform-to/react'
import { useActionData } from '@remix-run/react'
import { rightsFields } from '~/domain/administration/shown'
import type { Helper } from '~/domain/administration/types'
import { RIGHTS, type Right } from '~/domain/context'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { CurrencyField, Field } from '~/components/ui/field'
import { CheckboxField } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'

const LABELS: Readonly<Record<Right, string>> = {
  create: 'Create customers with a plan',
  renew: 'Renew customers',
  passwords: 'Give customers new passwords',
  payments: 'Confirm payments',
  regenerate: 'Regenerate failed videos',
  prompts: 'Change the daily prompts',
  codes: 'Make prepaid codes',
}

const labelOf = (value: string | undefined) => {
  const right = RIGHTS.find((one) => one === value)
  return right === undefined ? '' : LABELS[right]
}

type Fields = {
  regeneratePerDay: string
  confirmUpTo: string
  codesUpTo: string
  confirmCurrency: string
  rights: string[]
}

/** What one editor may do. */
export function HelperRightsForm({ helper }: { helper: Helper }) {
  const { id, username } = helper
  // Each helper has a form with the same intent, so only the one that was sent shows its result.
  const sent = useActionData<{ intent?: string; result?: { initialValue?: { id?: unknown } } }>()
  const isSent = sent?.result?.initialValue?.id === id
  const [form, fields, before] = useShownForm<Fields>('rights', {
    id: `rights-${id}`,
    ...(!isSent && { lastResult: NO_RESULT }),
    shown: rightsFields(helper),
  })
  const boxes = getCollectionProps(fields.rights, { type: 'checkbox', options: [...RIGHTS] })
  return (
    <Card title={username}>
      <ActionForm {...form} intent="rights" preventScrollReset className="space-y-4">
        <HiddenFields fields={{ id }} />
        <fieldset>
          <legend className="sr-only">Rights of {username}</legend>
          {boxes.map(({ key, ...box }) => (
            <CheckboxField key={key} label={labelOf(box.value)} {...box} />
          ))}
        </fieldset>
        <Field
          field={fields.regeneratePerDay}
          label="Videos to regenerate a day"
          inputMode="numeric"
          required
        />
        <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-3 tiny:grid-cols-1">
          <Field
            field={fields.confirmUpTo}
            label="Confirm payments up to"
            inputMode="numeric"
            required
          />
          <CurrencyField field={fields.confirmCurrency} />
        </div>
        <Field
          field={fields.codesUpTo}
          label="Prepaid codes a day up to, in the same currency"
          inputMode="numeric"
          required
        />
        <SubmitButton intent="rights" pending="Saving…">
          Save rights
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
    </Card>
  )
}

const NO_RESULT = {}
