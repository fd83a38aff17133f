import { ActionForm, HiddenFields } from '../ui/action-form'
import { Icon } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'

type Steered = { batchId: string; isPaused: boolean }

type FormProps = Steered & { id?: string; className?: string }

/** Pauses a running batch, or resumes a paused one. With an id its button is a `SteerButton` elsewhere. */
export function SteerForm({ batchId, isPaused, ...rest }: FormProps) {
  const failed = isPaused
    ? (['Batch not resumed', 'Failed to resume batch'] as const)
    : (['Batch not paused', 'Failed to pause batch'] as const)
  return (
    <ActionForm intent={intentOf(isPaused)} failed={failed} preventScrollReset {...rest}>
      <HiddenFields fields={{ on: batchId }} />
      {rest.id === undefined && <SteerButton isPaused={isPaused} className="w-full" />}
    </ActionForm>
  )
}

type ButtonProps = Pick<Steered, 'isPaused'> & { form?: string; className?: string }

/** Submits a `SteerForm`, by its id if it stands outside. */
export const SteerButton = ({ isPaused, ...rest }: ButtonProps) => (
  <SubmitButton intent={intentOf(isPaused)} look={isPaused ? 'primary' : 'plain'} {...rest}>
    <Icon name={isPaused ? 'square-play' : 'circle-pause'} className="size-4" />
    {isPaused ? 'Resume' : 'Pause'}
  </SubmitButton>
)

const intentOf = (isPaused: boolean) => (isPaused ? 'resume-batch' : 'pause-batch')
