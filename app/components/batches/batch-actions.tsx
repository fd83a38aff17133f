import type { BatchSummary } from '~/domain/batches/types'
import { dialogAddress } from '~/lib/dialog-address'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { ButtonLink } from '../ui/button'
import { DialogLink } from '../ui/dialog-link'
import { Icon } from '../ui/icon'
import type { IconName } from '../ui/icon-names'
import { SubmitButton } from '../ui/submit-button'

/** Name of the dialog that asks before the failed videos of a batch are retried. */
export const RETRY_BATCH = 'retry-batch'

/** The page of a batch with that dialog. */
export const retryAddress = (batchId: string): string =>
  paths.batchPage(batchId) + dialogAddress('', RETRY_BATCH, batchId)

/** Name of the dialog that asks for confirmation before a batch is stopped. */
export const STOP_DIALOG = 'stop-batch'

/** The create screen, following a batch, with that dialog. It leads back to `from`. */
export const stopAddress = (batchId: string, from: string): string => {
  const following = `?${new URLSearchParams({ tab: 'bulk', batch: batchId, from })}`
  return paths.app + dialogAddress(following, STOP_DIALOG)
}

type Props = {
  batch: BatchSummary
  /** Whether the page is about this batch: its ZIP leads, its cancelled prompts have their own row. */
  isApart?: boolean
}

/** What can be done with a batch: its clips, its failed videos and its prompts. */
export function BatchActions({ batch, isApart = false }: Props) {
  const { id, ready, failed, cancelled, totalVideos, gone, status } = batch
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'processing' && (
        <ButtonLink look="plain" to={`${paths.batch(id)}#status`}>
          <Icon name="clapperboard" className="size-4" />
          Watch progress
        </ButtonLink>
      )}
      {ready > 0 && (
        <ButtonLink
          look={isApart && status !== 'processing' ? 'primary' : 'plain'}
          to={paths.batchArchive(id)}
          reloadDocument
        >
          <Icon name="archive" className="size-4" />
          Download as ZIP
        </ButtonLink>
      )}
      {failed > 0 && (
        <DialogLink dialog={RETRY_BATCH} on={id}>
          <Icon name="rotate-cw" className="size-4" />
          Retry {figure(failed)} failed
        </DialogLink>
      )}
      {!isApart && <BackInLine batch={batch} />}
      {cancelled > 0 && !isApart && <PutBack batchId={id} cancelled={cancelled} />}
      {gone < totalVideos && (
        <PromptsForm intent="use-again" batchId={id} icon="list-plus">
          Use these prompts again
        </PromptsForm>
      )}
    </div>
  )
}

/** Brings a batch that left the line back to its place there, with its prompts. */
export function BackInLine({ batch: { id, backInLine, cancelled } }: Pick<Props, 'batch'>) {
  if (backInLine === null || cancelled === 0) return null
  if (backInLine === 'full')
    return (
      <p className="text-sm text-soft">
        The line is full now. When one of its batches has started, this one can come back.
      </p>
    )
  return (
    <PromptsForm intent="undo-batch" batchId={id} icon="rotate-ccw">
      Back in line
    </PromptsForm>
  )
}

type PutBackProps = { batchId: string; cancelled: number }

/** Puts the prompts of a stopped batch that were never sent back into the box, or into a list. */
export const PutBack = ({ batchId, cancelled }: PutBackProps) => (
  <div className="space-y-1">
    <PromptsForm intent="put-back" batchId={batchId} icon="rotate-ccw">
      Put {plural(cancelled, 'prompt')} back
    </PromptsForm>
    <PutBackNote />
  </div>
)

/** Says where prompts that are put back go. */
export const PutBackNote = () => (
  <p className="basis-full text-xs text-soft">
    They go into the box. Prompts with a picture, a name or settings of their own become the list,
    in place of one that is open.
  </p>
)

type FormProps = {
  intent: 'put-back' | 'use-again' | 'undo-batch'
  batchId: string
  icon: IconName
  children: React.ReactNode
}

function PromptsForm({ intent, batchId, icon, children }: FormProps) {
  return (
    <ActionForm intent={intent} action={paths.batchPage(batchId)}>
      <HiddenFields fields={{ on: batchId }} />
      <SubmitButton intent={intent} look="plain">
        <Icon name={icon} className="size-4" />
        {children}
      </SubmitButton>
    </ActionForm>
  )
}
