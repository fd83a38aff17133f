import { ActionForm } from '~/components/ui/action-form'
import { SubmitButton } from '~/components/ui/submit-button'

/** Goes back to what the environment says. */
export function DefaultForm({ intent }: { intent: string }) {
  return (
    <ActionForm intent={intent} preventScrollReset className="mt-3">
      <SubmitButton intent={intent} look="plain">
        Use the values of the environment
      </SubmitButton>
    </ActionForm>
  )
}
