import { Link, useLocation } from '@remix-run/react'
import type { ManagedUser } from '~/domain/administration/types'
import { dialogAddress } from '~/lib/dialog-address'
import type { input } from 'zod'
import type { passwordAndCode } from '~/domain/accounts/schemas'
import { ActionForm } from '../../ui/action-form'
import { OwnCodeFields } from '../../ui/code-fields'
import { Dialog, DialogButtons } from '../../ui/dialog'
import { OwnPasswordField } from '../../ui/own-password-field'
import { SubmitButton } from '../../ui/submit-button'
import { textLinkClass } from '../../ui/text-link'
import { useActionForm } from '../../ui/use-action-form'

export const SECOND_FACTOR = 'second-factor'
const INTENT = 'second-factor-off'

/** The link from the form that edits a user. */
export function SecondFactorLink({ id }: { id: string }) {
  const { search } = useLocation()
  return (
    <p className="mt-4 border-t border-line pt-2 text-sm">
      Two-step sign-in is on.{' '}
      <Link
        to={dialogAddress(search, SECOND_FACTOR, id)}
        preventScrollReset
        className={textLinkClass}
      >
        The device is lost: switch it off
      </Link>
    </p>
  )
}

/**
 * For a user who has lost the device. Asks for the administrator's password, so that access to an
 * open browser is not enough.
 */
export function SecondFactorDialog({ user }: { user: ManagedUser }) {
  const [form, fields] = useActionForm<input<typeof passwordAndCode>>(INTENT)
  return (
    <Dialog title={`Switch off two-step sign-in for ${user.username}?`} width="narrow">
      <ActionForm {...form} intent={INTENT} preventScrollReset className="space-y-4">
        <p className="text-sm text-soft">
          Make sure that the request really comes from this person. The account is signed out
          everywhere, and its password alone is enough from then on.
        </p>
        <OwnPasswordField field={fields.password} label="Your own password" />
        <OwnCodeFields fields={fields} />
        <input type="hidden" name="id" value={user.id} />
        <DialogButtons>
          <SubmitButton intent={INTENT} look="danger">
            Switch off
          </SubmitButton>
        </DialogButtons>
      </ActionForm>
    </Dialog>
  )
}
