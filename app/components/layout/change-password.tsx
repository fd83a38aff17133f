import type { FieldMetadata, SubmissionResult } from '@conform-to/react'
import { Link, useLocation, useNavigate } from '@remix-run/react'
import { useState } from 'react'
import { passwordChangeProblem, type PasswordChange } from '~/domain/accounts/rules'
import { callApi } from '~/lib/call-api'
import { closedAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { goToSignIn } from '../ui/go-to-sign-in'
import { textLinkClass } from '../ui/text-link'
import { FormToast } from '../ui/toast-body'
import { showToast, type ToastMessage } from '../ui/toasts'
import { useActionForm } from '../ui/use-action-form'

/**
 * The dialog with the old password, the new one and its repetition. Without scripts a failed form
 * leads to the page with the same form. With scripts errors are shown here. Closing the dialog
 * discards what was typed.
 */
export function ChangePasswordDialog() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const back = closedAddress(search)
  const change = async (typed: FormData) => {
    setSending(true)
    const found = await sendChange(typed)
    setSending(false)
    setProblem(found)
    showToast(found?.toast ?? CHANGED)
    if (!found) navigate(back, { replace: true, preventScrollReset: true })
  }
  const [form, fields] = useActionForm<PasswordChange>('change-password', {
    // The page with the same form may be behind the dialog.
    id: 'change-password-dialog',
    lastResult: problem?.result,
    onSubmit: (event, { formData }) => {
      event.preventDefault()
      if (!isSending) void change(formData)
    },
  })
  return (
    <Dialog title="Change Password" width="narrow">
      <ActionForm
        {...form}
        intent="change-password"
        action={paths.changePassword}
        noValidate
        className="space-y-4"
      >
        {problem && !problem.result.error && <FormToast toast={problem.toast} />}
        <PasswordFields fields={fields} />
        <Button className="w-full" disabled={isSending}>
          {isSending ? 'Changing…' : 'Change Password'}
        </Button>
        <input type="hidden" name="returnTo" value={`${pathname}${back === '?' ? '' : back}`} />
      </ActionForm>
      <SessionsLink />
    </Dialog>
  )
}

/** Link to the list of sessions, which users with a security concern also need. */
export function SessionsLink() {
  return (
    <Link to={paths.sessions} className={`${textLinkClass} text-sm`}>
      Where you are signed in
    </Link>
  )
}

const FIELDS = [
  { name: 'oldPassword', label: 'Old password', autoComplete: 'current-password' },
  {
    name: 'newPassword',
    label: 'New password',
    autoComplete: 'new-password',
    placeholder: 'min 6 characters',
  },
  { name: 'confirmPassword', label: 'Confirm password', autoComplete: 'new-password' },
] as const

/** The three password fields, for the dialog and the page. */
export function PasswordFields({
  fields,
}: {
  fields: Record<keyof PasswordChange, FieldMetadata>
}) {
  return FIELDS.map(({ name, ...field }) => (
    <Field key={name} field={fields[name]} {...field} type="password" aria-required />
  ))
}

const CHANGED = {
  kind: 'success',
  title: 'Password changed',
  description: 'Your password has been updated successfully',
} as const

/** Why the password was not changed. The result contains the field's error, if it is about a field. */
type Problem = { toast: ToastMessage; result: SubmissionResult }

function problemOf(title: string, text: string, field?: keyof PasswordChange): Problem {
  const toast = { kind: 'error', title, description: text } as const
  return { toast, result: { status: 'error', ...(field && { error: { [field]: [text] } }) } }
}

/** Changes the password. Returns the problem if it was not changed, otherwise null. */
async function sendChange(form: FormData): Promise<Problem | null> {
  const typed = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const [oldPassword, newPassword] = [typed('oldPassword'), typed('newPassword')]
  const confirmPassword = typed('confirmPassword')
  const problem = passwordChangeProblem({ oldPassword, newPassword, confirmPassword })
  if (problem) return problemOf(problem.title, problem.text, problem.field)
  const result = await callApi('POST', paths.api.changePassword, { oldPassword, newPassword })
  if (result.ok) return null
  if (result.status === 401) goToSignIn()
  const field = (['oldPassword', 'newPassword'] as const).find((name) => result.fields[name])
  return problemOf('Failed to change password', result.message ?? 'An error occurred', field)
}
