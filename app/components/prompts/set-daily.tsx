import type { ReactNode } from 'react'
import { ActionForm } from '../ui/action-form'
import { SubmitButton } from '../ui/submit-button'

/** Makes a prompt the daily prompt. */
export function SetDaily({ promptId, children }: { promptId: string; children: ReactNode }) {
  return (
    <ActionForm intent="set-daily" preventScrollReset>
      <input type="hidden" name="promptId" value={promptId} />
      <SubmitButton
        intent="set-daily"
        look="quiet"
        aria-label="Set Daily"
        data-tooltip="Set Daily"
        className="!px-2.5"
      >
        {children}
      </SubmitButton>
    </ActionForm>
  )
}
