import { Link, useSubmit } from '@remix-run/react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import {
  ActionForm,
  formDataOf,
  HiddenFields,
  useFormIdentity,
  type Failed,
  type Fields,
} from './action-form'
import { Dialog, DialogButtons } from './dialog'
import { SubmitButton } from './submit-button'
import { useElementId } from './use-element-id'

type Question = Omit<ComponentProps<typeof ActionForm>, 'className'> & {
  title: string
  /** What will happen, and whether it can be undone. */
  text: ReactNode
  /** Additional fields of the form. */
  fields?: Fields
  /** Label of the button: the action, not 'OK'. */
  confirmLabel: string
  /** False for an action that destroys nothing. */
  isDangerous?: boolean
  /** URL after cancelling. Default: the same page without the dialog. */
  cancelTo?: string
  /** What the user has to type first. */
  children?: ReactNode
}

/** Asks for confirmation in a dialog over the page, with a URL of its own (`?dialog=`). */
export function ConfirmDialog(question: Question) {
  const { title, text, fields = {}, confirmLabel, isDangerous = true, cancelTo, ...form } = question
  const textId = useElementId()
  return (
    <Dialog
      title={title}
      role="alertdialog"
      describedBy={textId}
      {...(cancelTo !== undefined && { closeTo: cancelTo })}
    >
      <div id={textId} className="space-y-2 text-sm text-soft">
        {text}
      </div>
      <ActionForm
        {...form}
        preventScrollReset
        className={form.children ? 'mt-4 space-y-4' : 'mt-6'}
      >
        {form.children}
        <HiddenFields fields={fields} />
        <DialogButtons cancelTo={cancelTo}>
          <SubmitButton intent={form.intent} look={isDangerous ? 'danger' : 'primary'}>
            {confirmLabel}
          </SubmitButton>
        </DialogButtons>
      </ActionForm>
    </Dialog>
  )
}

type ConfirmLinkProps = {
  /** URL of the confirmation without scripts. */
  to: string
  question: string
  intent: string
  failed: Failed
  fields?: Fields
  className?: string
  /** Accessible name of a link that shows only an icon. */
  label?: string
  children: ReactNode
}

/**
 * A link to an action that asks for confirmation in the browser's own dialog (specification §5:
 * retry, regenerate, delete). Without scripts it leads to the page's confirmation dialog.
 */
export function ConfirmLink(props: ConfirmLinkProps) {
  const { to, question, intent, failed, fields = {}, className, label, children } = props
  const submit = useSubmit()
  const identity = useFormIdentity(intent, failed)
  const ask = (event: MouseEvent) => {
    event.preventDefault()
    if (!window.confirm(question)) return
    submit(formDataOf({ ...identity, ...fields }), { method: 'post', preventScrollReset: true })
  }
  return (
    <Link to={to} preventScrollReset onClick={ask} className={className} aria-label={label}>
      {children}
    </Link>
  )
}
