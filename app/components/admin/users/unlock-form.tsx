import { plural } from '~/lib/figures'
import { ActionForm } from '../../ui/action-form'
import { SubmitButton } from '../../ui/submit-button'

/** For a user who is refused after too many wrong passwords or codes. */
export function UnlockForm({ id, failed }: { id: string; failed: number }) {
  return (
    <ActionForm
      intent="unlock"
      preventScrollReset
      className="mt-4 flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3 text-sm"
    >
      <p>
        {plural(failed, 'failed sign-in')} in the last hour. After 10 the user has to wait. A new
        password also unlocks.
      </p>
      <input type="hidden" name="id" value={id} />
      <SubmitButton intent="unlock" look="plain">
        Unlock
      </SubmitButton>
    </ActionForm>
  )
}
