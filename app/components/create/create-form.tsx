import { Form, type FormProps } from '@remix-run/react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { paths } from '~/lib/paths'
import { Card } from '../ui/card'

type Props = Pick<FormProps, 'encType'> & {
  tab: Parameters<typeof paths.create>[0]
  form: RefObject<HTMLFormElement>
  formKey: string
  /** Called after every change. */
  sync: () => void
  children: ReactNode
}

/** The form of a tab of the create screen. The keyboard shortcut sends it. */
export function CreateForm({ tab, form, formKey, sync, children, ...rest }: Props) {
  return (
    <Card>
      <Form
        method="post"
        ref={form}
        action={paths.create(tab)}
        onInput={sync}
        onKeyDown={sendByKeys}
        preventScrollReset
        className="flex flex-col gap-4"
        {...rest}
      >
        {children}
        <input type="hidden" name="formKey" value={formKey} />
      </Form>
    </Card>
  )
}

/** Control or Command with Enter presses the form's button, from any field of the form. */
function sendByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLButtonElement>('button[data-submit]')?.click()
}
