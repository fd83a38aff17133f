import type { SubmissionResult } from '@conform-to/react'
import type { ComponentProps } from 'react'
import { figure } from '~/lib/figures'
import { ConfirmDialog } from './confirm'
import { Field } from './field'
import { FormToast } from './toasts'
import type { ToastMessage } from './toasts'
import { useActionForm } from './use-action-form'

type Props = Omit<ComponentProps<typeof ConfirmDialog>, 'children'> & {
  count: number
  /** The result of a form whose page stays. */
  lastResult?: SubmissionResult | undefined
  /** Why it was refused. */
  message?: ToastMessage | undefined
}

/**
 * The confirmation of an action on thousands, for which one click is not enough: the administrator
 * types the number (decision Q-21). The form sends it as `typed`, beside `expected`.
 */
export function CountDialog({ count, fields, lastResult, message, ...question }: Props) {
  const [form, { typed }] = useActionForm<{ typed: string }>(question.intent, { lastResult })
  return (
    <ConfirmDialog {...form} {...question} fields={{ ...fields, expected: String(count) }}>
      {message && <FormToast toast={message} />}
      <Field
        field={typed}
        label={`Type ${figure(count)} to continue`}
        inputMode="numeric"
        autoComplete="off"
      />
    </ConfirmDialog>
  )
}
