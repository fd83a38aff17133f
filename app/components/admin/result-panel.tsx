import type { FetcherWithComponents } from '@remix-run/react'
import type { ReactNode } from 'react'
import { FormIdentity } from '../ui/action-form'
import { ActionToast } from '../ui/toasts'
import { Card } from '../ui/card'
import { TextAreaField } from '../ui/field'
import type { ToastMessage } from '../ui/toasts'
import { useActionForm } from '../ui/use-action-form'

type Props = {
  title: string
  /**
   * Sends the form without leaving the page. Without scripts the form is posted to `action`, a
   * page.
   */
  fetcher: Pick<FetcherWithComponents<unknown>, 'Form'>
  intent: string
  failed: string
  action: string
  field: { label: string; hint: string; rows: number; text: string }
  buttons: ReactNode
  /** More fields, between the box and the buttons. */
  more?: ReactNode
  encType?: 'multipart/form-data'
  toast: ToastMessage | null | undefined
  /** The result, such as a preview. */
  children: ReactNode
}

/** A text box for several lines with a form whose response is a result instead of a new page. */
export function ResultPanel(props: Props) {
  const { title, fetcher, intent, failed, action, field, buttons, more, encType, toast, children } =
    props
  const { text, ...area } = field
  const [form, fields] = useActionForm<{ text: string }>(intent, { defaultValue: { text } })
  return (
    <>
      <Card title={title}>
        <fetcher.Form
          {...form}
          method="post"
          action={action}
          {...(encType && { encType })}
          className="space-y-3"
        >
          <FormIdentity intent={intent} failed={failed} />
          <TextAreaField {...area} field={fields.text} spellCheck={false} autoComplete="off" />
          {more}
          <div className="flex flex-wrap gap-2">{buttons}</div>
        </fetcher.Form>
        {children}
      </Card>
      <ActionToast toast={toast ?? undefined} />
    </>
  )
}
