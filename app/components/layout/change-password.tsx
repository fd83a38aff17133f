import { useLocation, useNavigate } from '@remix-run/react'
import { useState, type FormEvent } from 'react'
import { passwordChangeProblem } from '~/domain/accounts/rules'
import { callApi } from '~/lib/call-api'
import { closedAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { showToast } from '../ui/toasts'

type FieldErrors = Record<string, string[] | null | undefined>

/**
 * Old, new and once more. A plain form leads to the page of the same name when something is wrong;
 * scripts say so here. What was typed is gone with the dialog.
 */
export function ChangePasswordDialog() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [isSending, setSending] = useState(false)
  const back = closedAddress(search)
  const change = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    setSending(true)
    if (await sendChange(new FormData(event.currentTarget))) {
      navigate(back, { replace: true, preventScrollReset: true })
    }
    setSending(false)
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
        <input type="hidden" name="returnTo" value={`${pathname}${back === '?' ? '' : back}`} />
        <PasswordFields />
        <Button className="w-full" disabled={isSending}>
          {isSending ? 'Changing…' : 'Change Password'}
        </Button>
      </ActionForm>
    </Dialog>
  )
}

/** The three fields, for the dialog and the page. */
export function PasswordFields({ errors }: { errors?: FieldErrors | null | undefined }) {
  return (
    <>
      <Field
        name="oldPassword"
        label="Old password"
        type="password"
        autoComplete="current-password"
        errors={errors?.oldPassword}
        aria-required
      />
      <Field
        name="newPassword"
        label="New password"
        type="password"
        placeholder="min 6 characters"
        autoComplete="new-password"
        errors={errors?.newPassword}
        aria-required
      />
      <Field
        name="confirmPassword"
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        errors={errors?.confirmPassword}
        aria-required
      />
    </>
  )
}

/** Changes the password and shows the toast of what came of it; true when it was changed. */
async function sendChange(form: FormData): Promise<boolean> {
  const typed = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const [oldPassword, newPassword] = [typed('oldPassword'), typed('newPassword')]
  const confirmPassword = typed('confirmPassword')
  const problem = passwordChangeProblem({ oldPassword, newPassword, confirmPassword })
  if (problem) {
    showToast({ kind: 'error', title: problem.title, description: problem.text })
    return false
  }
  const result = await callApi('POST', paths.api.changePassword, { oldPassword, newPassword })
  if (!result.ok) {
    const description = result.message ?? 'An error occurred'
    showToast({ kind: 'error', title: 'Failed to change password', description })
    return false
  }
  showToast({
    kind: 'success',
    title: 'Password changed',
    description: 'Your password has been updated successfully',
  })
  return true
}
