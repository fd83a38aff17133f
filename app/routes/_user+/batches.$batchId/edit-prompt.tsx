import { Link } from '@remix-run/react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { input } from 'zod'
import type { editWaitingForm } from '~/domain/batches/schemas'
import type { WaitingPrompt } from '~/domain/batches/types'
import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { paths } from '~/lib/paths'
import { promptAnchor } from '~/lib/prompt-anchor'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { TextAreaField } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'

/** Query parameter with the id of the prompt that is being edited. */
export const EDIT_PROMPT = 'edit'

type Props = {
  batchId: string
  row: WaitingPrompt
  /** Why it cannot be saved any more. */
  ended: string | undefined
}

/** The text of an unsent prompt, to be changed in its row. Keeps what is typed when it is sent meanwhile. */
export function EditPrompt({ batchId, row: { id: videoId, place, prompt: known }, ended }: Props) {
  const [first] = useState(known)
  const [form, { prompt }] = useActionForm<input<typeof editWaitingForm>>('edit-prompt', {
    defaultValue: { prompt: first },
  })
  const anchor = promptAnchor(place)
  return (
    <ActionForm
      {...form}
      intent="edit-prompt"
      // A refusal leads back to the row, also without scripts.
      action={`?${EDIT_PROMPT}=${videoId}${anchor}`}
      className="space-y-3"
    >
      <TextAreaField
        field={prompt}
        dir="auto"
        label={place > 0 ? `Prompt ${place}` : 'Prompt'}
        rows={4}
        maxLength={VIDEO_LIMITS.promptCharacters}
      />
      <HiddenFields fields={{ on: batchId, videoId }} />
      <div aria-live="polite">{ended && <p className="text-sm text-warn">{ended}</p>}</div>
      <div className="flex flex-wrap gap-2">
        {!ended && <SubmitButton intent="edit-prompt">Save</SubmitButton>}
        <Link to={paths.batchPage(batchId) + anchor} className="btn">
          {ended ? 'Close' : 'Cancel'}
        </Link>
      </div>
    </ActionForm>
  )
}

/** Moves the focus into the editor of a row when it opens, and back to the row's button when it closes. */
export function useEditorFocus(isEdited: boolean): RefObject<HTMLLIElement> {
  const row = useRef<HTMLLIElement>(null)
  const wasEdited = useRef(false)
  useEffect(() => {
    if (wasEdited.current === isEdited) return
    wasEdited.current = isEdited
    const target = row.current?.querySelector<HTMLElement>(isEdited ? 'textarea' : 'summary')
    // The address leads to the row.
    target?.focus({ preventScroll: true })
  }, [isEdited])
  return row
}
