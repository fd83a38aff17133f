import { Form, useSubmit, type FormProps } from '@remix-run/react'
import type { FormEvent, KeyboardEvent, ReactNode, RefObject } from 'react'
import { NOTHING_SENT } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import type { Failed } from '../ui/action-form'

/** The words of a failure on a screen that keeps what was typed (specification §8). */
export const failedHere = (title: string, reason: string): Failed => [
  title,
  reason,
  `${reason}. ${NOTHING_SENT}`,
]

export const GENERATION_FAILED = failedHere('Generation failed', 'Failed to start video generation')
export const BULK_FAILED = failedHere('Bulk Generation Failed', 'Failed to start bulk generation')
export const CANCEL_FAILED = failedHere('Cancel Failed', 'Failed to cancel batch')

type Props = Pick<FormProps, 'encType'> & {
  tab: Parameters<typeof paths.create>[0]
  form: RefObject<HTMLFormElement>
  formKey: string
  /** Where it is sent. Default: the tab. */
  action?: string | undefined
  /** Called after every change. */
  sync: () => void
  children: ReactNode
}

/**
 * The form of a tab of the create screen. The keyboard shortcut sends it. The press itself shows that
 * it is being sent: before the next event the page has been rendered in that state, and its effects
 * have run.
 */
export function CreateForm({
  tab,
  form,
  formKey,
  action = paths.create(tab),
  sync,
  children,
  ...rest
}: Props) {
  const submit = useSubmit()
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Without `flushSync` React may render the state later, or on a busy machine not at all before
    // the response. The text that is sent would stay in its box meanwhile.
    submit(pressedButton(event) ?? event.currentTarget, {
      preventScrollReset: true,
      flushSync: true,
    })
  }
  return (
    <Form
      method="post"
      ref={form}
      action={action}
      onInput={sync}
      onKeyDown={sendByKeys}
      onSubmit={send}
      className="composer-form"
      {...rest}
    >
      {children}
      <input type="hidden" name="formKey" value={formKey} />
    </Form>
  )
}

/** The button that sent the form: its name and value are sent as well. */
function pressedButton({ nativeEvent }: FormEvent): HTMLButtonElement | null {
  const by = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null
  return by instanceof HTMLButtonElement ? by : null
}

/** Control or Command with Enter presses the form's button, from any field of the form. */
function sendByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLButtonElement>('button[data-submit]')?.click()
}
