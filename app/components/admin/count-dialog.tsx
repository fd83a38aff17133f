import type { ComponentProps } from 'react'
import { figure } from '~/lib/figures'
import { ConfirmDialog } from '../ui/confirm'
import { Field } from '../ui/field'
import { useActionForm } from '../ui/use-action-form'

type Props = Omit<ComponentProps<typeof ConfirmDialog>, 'children'> & { count: number }

/**
 * The confirmation of an action on thousands, for which one click is not enough: the administrator
 * types the number (decision Q-21). The form sends it as `typed`, beside `expected`.
 */
export function CountDialog({ count, fields, ...question }: Props) {
  const [form, { typed }] = useActionForm<{ typed: string }>(question.intent)
  return (
    <ConfirmDialog {...form} {...question} fields={{ ...fields, expected: String(count) }}>
      <Field
        field={typed}
        label={`Type ${figure(count)} to continue`}
        inputMode="numeric"
        autoComplete="off"
      />
    </ConfirmDialog>
  )
}
