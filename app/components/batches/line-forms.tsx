import type { InLine } from '~/domain/batches/types'
import { ActionForm, HiddenFields } from '../ui/action-form'
import type { ButtonLook } from '../ui/button'
import { Icon } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'

type Props = { batchId: string; inLine: InLine }

/** What can be done with a batch in line. Its prompts are cancelled with it, and can be put back. */
export const LineForms = ({ batchId, inLine: { place } }: Props) => (
  <div className="flex flex-wrap gap-2">
    {place > 1 && (
      <LineForm intent="move-up" batchId={batchId} look="plain">
        <Icon name="chevron-down" className="size-4 rotate-180" />
        Move up in line
      </LineForm>
    )}
    <LineForm intent="leave-line" batchId={batchId} look="warning">
      Cancel this batch
    </LineForm>
  </div>
)

type FormProps = {
  intent: string
  batchId: string
  look: ButtonLook
  children: React.ReactNode
}

const LineForm = ({ intent, batchId, look, children }: FormProps) => (
  <ActionForm intent={intent} preventScrollReset>
    <HiddenFields fields={{ on: batchId }} />
    <SubmitButton intent={intent} look={look}>
      {children}
    </SubmitButton>
  </ActionForm>
)
