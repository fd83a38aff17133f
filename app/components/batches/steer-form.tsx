import { ActionForm, HiddenFields } from '../ui/action-form'
import { Icon } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'

type Props = { batchId: string; isPaused: boolean; className?: string }

/** Pauses a running batch, or resumes a paused one. */
export function SteerForm({ batchId, isPaused, className = '' }: Props) {
  const intent = isPaused ? 'resume-batch' : 'pause-batch'
  return (
    <ActionForm intent={intent} preventScrollReset className={className}>
      <HiddenFields fields={{ on: batchId }} />
      <SubmitButton intent={intent} look={isPaused ? 'primary' : 'plain'} className="w-full">
        <Icon name={isPaused ? 'square-play' : 'circle-pause'} className="size-4" />
        {isPaused ? 'Resume' : 'Pause'}
      </SubmitButton>
    </ActionForm>
  )
}
