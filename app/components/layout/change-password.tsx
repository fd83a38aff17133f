import type { FieldMetadata } from '@conform-to/react'
import { Link, useLocation } from '@remix-run/react'
import { useEffect } from 'react'
import type { input } from 'zod'
import type { PasswordChange } from '~/domain/accounts/rules'
import type { changePasswordForm } from '~/domain/accounts/schemas'
import { closedAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { OwnCodeFields } from '../ui/code-fields'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { textLinkClass } from '../ui/text-link'
import { FormToast } from '../ui/toasts'
import { useActionForm } from '../ui/use-action-form'
import { useDialogForm } from '../ui/use-dialog-form'

/** The route of the page with the same form. */
const PAGE = 'routes/_user+/account.password'

/**
 * Loads the script of a route to which a form of another page is sent, so that the form can report a
 * lost connection.
 */
function preloadRoute(id: string): void {
  const { imports = [], module } = window.__remixManifest.routes[id] ?? {}
  for (const href of [...imports, ...(module === undefined ? [] : [module])])
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    )
}

/**
 * The dialog with the old password, the new one and its repetition. Without scripts a failed form
 * leads to the page with the same form. With scripts errors are shown here. Closing the dialog
 * discards what was typed.
 */
export function ChangePasswordDialog() {
  const { pathname, search } = useLocation()
  const { stays, isSending, lastResult, message } = useDialogForm()
  useEffect(() => preloadRoute(PAGE), [])
  const back = closedAddress(search)
  const [form, fields] = useActionForm<input<typeof changePasswordForm>>('change-password', {
    // The page with the same form may be behind the dialog.
    id: 'change-password-dialog',
    lastResult,
  })
  return (
    <Dialog title="Change Password" width="narrow">
      <ActionForm
        {...form}
        intent="change-password"
        failed="Failed to change password"
        action={paths.changePassword}
        stays={stays}
        noValidate
        className="space-y-4"
      >
        {message && <FormToast toast={message} />}
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
      Devices
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

/** The three password fields, and the code of two-step sign-in, for the dialog and the page. */
export function PasswordFields({
  fields,
}: {
  fields: Record<keyof PasswordChange | 'code' | 'recoveryCode', FieldMetadata>
}) {
  return (
    <>
      {FIELDS.map(({ name, ...field }) => (
        <Field key={name} field={fields[name]} {...field} type="password" aria-required />
      ))}
      <OwnCodeFields fields={fields} />
    </>
  )
}
