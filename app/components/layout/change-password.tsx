import { Link, useLocation, useNavigate } from '@remix-run/react'
import { useState, type FormEvent } from 'react'
import { passwordChangeProblem, type PasswordChange } from '~/domain/accounts/rules'
import { callApi } from '~/lib/call-api'
import { closedAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { goToSignIn } from '../ui/go-to-sign-in'
import { FormToast } from '../ui/toast-body'
import { showToast } from '../ui/toasts'

type FieldErrors = Record<string, string[] | null | undefined>

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
  const change = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    const form = event.currentTarget
    setSending(true)
    const found = await sendChange(new FormData(form))
    setSending(false)
    setProblem(found)
    showToast(found ? { kind: 'error', title: found.title, description: found.text } : CHANGED)
    if (!found) return navigate(back, { replace: true, preventScrollReset: true })
    const field = found.field && form.elements.namedItem(found.field)
    if (field instanceof HTMLInputElement) field.focus()
  }
  return (
    <Dialog title="Change Password" width="narrow">
      <ActionForm
        intent="change-password"
        action={paths.changePassword}
        noValidate
        onSubmit={(event) => void change(event)}
        className="space-y-4"
      >
        {problem && !problem.field && (
          <FormToast toast={{ kind: 'error', title: problem.title, description: problem.text }} />
        )}
        <PasswordFields errors={problem?.field && { [problem.field]: [problem.text] }} />
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
    <Link
      to={paths.sessions}
      className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
    >
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
export function PasswordFields({ errors }: { errors?: FieldErrors | null | undefined }) {
  return FIELDS.map((field) => (
    <Field
      key={field.name}
      {...field}
      type="password"
      errors={errors?.[field.name]}
      aria-required
    />
  ))
}

const CHANGED = {
  kind: 'success',
  title: 'Password changed',
  description: 'Your password has been updated successfully',
} as const

/** Why the password was not changed, and the field with the error, if any. */
type Problem = { title: string; text: string; field: keyof PasswordChange | null }

/** Changes the password. Returns the problem if it was not changed, otherwise null. */
async function sendChange(form: FormData): Promise<Problem | null> {
  const typed = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const [oldPassword, newPassword] = [typed('oldPassword'), typed('newPassword')]
  const confirmPassword = typed('confirmPassword')
  const problem = passwordChangeProblem({ oldPassword, newPassword, confirmPassword })
  if (problem) return problem
  const result = await callApi('POST', paths.api.changePassword, { oldPassword, newPassword })
  if (result.ok) return null
  if (result.status === 401) goToSignIn()
  const field = (['oldPassword', 'newPassword'] as const).find((name) => result.fields[name])
  const text = result.message ?? 'An error occurred'
  return { title: 'Failed to change password', text, field: field ?? null }
}
