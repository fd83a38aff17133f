import { Link, useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import type { input } from 'zod'
import type { editWaitingForm } from '~/domain/batches/schemas'
import type { BatchSummary, WaitingPrompt } from '~/domain/batches/types'
import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Badge } from '../ui/badge'
import { Button, ButtonLink } from '../ui/button'
import { TextAreaField } from '../ui/field'
import { Icon } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { useActionForm } from '../ui/use-action-form'
import { SteerForm } from './steer-form'
import { CarriedNote } from './waiting-notes'

/** Query parameter with the id of the prompt that is being edited. */
export const EDIT_PROMPT = 'edit'

type Props = { batch: BatchSummary; prompts: readonly WaitingPrompt[] }

/** The prompts of a running batch that have not been sent, and what can still be done with them. */
export function WaitingPrompts({ batch, prompts }: Props) {
  const { id, isPaused, carried, inLine } = batch
  const [search] = useSearchParams()
  const edited = search.get(EDIT_PROMPT)
  if (prompts.length === 0 && edited === null) return null
  return (
    <section id="waiting" aria-labelledby="waiting-title" className="space-y-4">
      <h2 id="waiting-title" className="text-lg font-semibold">
        Not sent yet <span className="tabular-nums text-soft">{figure(prompts.length)}</span>
      </h2>
      {prompts.length > 0 && (
        <>
          <p className="text-sm text-soft">
            {isPaused
              ? 'This batch is paused: nothing is sent until you resume it.'
              : 'They are sent in this order. A prompt can be changed until its round starts.'}
          </p>
          {carried && (
            <p className="text-sm tabular-nums">
              <CarriedNote carried={carried} isPaused={isPaused} />
            </p>
          )}
          {/* What is done with a whole batch in line stands above. */}
          {!inLine && (
            <div className="flex flex-wrap gap-2">
              <SteerForm batchId={id} isPaused={isPaused} />
              <ActionForm intent="stop-after-round">
                <HiddenFields fields={{ on: id }} />
                <SubmitButton intent="stop-after-round" look="warning">
                  Cancel these {plural(prompts.length, 'prompt')}
                </SubmitButton>
              </ActionForm>
            </div>
          )}
        </>
      )}
      {edited !== null && (
        <EditPrompt
          key={edited}
          batchId={id}
          videoId={edited}
          prompt={prompts.find((row) => row.id === edited)?.prompt ?? ''}
        />
      )}
      <ol className="divide-y divide-line border-y border-line">
        {prompts.map((row, index) => (
          <Row
            key={row.id}
            batchId={id}
            row={row}
            isInLine={inLine !== null}
            isFirst={index === 0}
            isLast={index === prompts.length - 1}
          />
        ))}
      </ol>
    </section>
  )
}

type RowProps = {
  batchId: string
  row: WaitingPrompt
  isInLine: boolean
  isFirst: boolean
  isLast: boolean
}

function Row({
  batchId,
  row: { id, place, name, prompt, isCarried },
  isInLine,
  isFirst,
  isLast,
}: RowProps) {
  const of = `prompt ${place}`
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2">
      <span className="min-w-6 pt-2.5 text-right text-sm tabular-nums text-soft">{place}</span>
      <div className="min-w-48 flex-1 break-words pt-2 tiny:min-w-0">
        {name && (
          <p dir="auto" className="font-semibold">
            {name}
          </p>
        )}
        <p dir="auto" className="line-clamp-3">
          {prompt}
        </p>
      </div>
      {isCarried && !isInLine && (
        <span className="pt-2.5">
          <Badge>Later day</Badge>
        </span>
      )}
      <div className="flex gap-1">
        <ActionForm intent="move-prompt" preventScrollReset className="flex gap-1">
          <HiddenFields fields={{ on: batchId, videoId: id }} />
          <MoveButton to="earlier" label={`Send ${of} earlier`} disabled={isFirst} />
          <MoveButton to="later" label={`Send ${of} later`} disabled={isLast} />
        </ActionForm>
        <ButtonLink
          look="quiet"
          to={`?${EDIT_PROMPT}=${id}#waiting`}
          aria-label={`Edit ${of}`}
          preventScrollReset
        >
          <Icon name="pencil" className="size-4" />
        </ButtonLink>
        <ActionForm intent="remove-prompt" preventScrollReset>
          <HiddenFields fields={{ on: batchId, videoId: id }} />
          <Button look="quiet" aria-label={`Remove ${of}`}>
            <Icon name="x" className="size-4" />
          </Button>
        </ActionForm>
      </div>
    </li>
  )
}

type MoveProps = { to: 'earlier' | 'later'; label: string; disabled: boolean }

const MoveButton = ({ to, label, disabled }: MoveProps) => (
  <Button look="quiet" name="to" value={to} aria-label={label} disabled={disabled}>
    <Icon name="chevron-down" className={to === 'earlier' ? 'size-4 rotate-180' : 'size-4'} />
  </Button>
)

type EditProps = { batchId: string; videoId: string; prompt: string }

/** Keeps what is typed when the prompt is sent meanwhile. */
function EditPrompt({ batchId, videoId, prompt: known }: EditProps) {
  const [first] = useState(known)
  const [form, { prompt }] = useActionForm<input<typeof editWaitingForm>>('edit-prompt', {
    defaultValue: { prompt: first },
  })
  return (
    <ActionForm
      {...form}
      intent="edit-prompt"
      className="space-y-3 rounded-lg border border-edge p-4"
    >
      <TextAreaField
        field={prompt}
        dir="auto"
        label="Prompt"
        rows={4}
        maxLength={VIDEO_LIMITS.promptCharacters}
      />
      <HiddenFields fields={{ on: batchId, videoId }} />
      <div className="flex flex-wrap gap-2">
        <SubmitButton intent="edit-prompt">Save</SubmitButton>
        <Link to={paths.batchPage(batchId)} preventScrollReset className="btn">
          Cancel
        </Link>
      </div>
    </ActionForm>
  )
}
