import { useSearchParams } from '@remix-run/react'
import type { ReactNode } from 'react'
import { LIBRARY_PROMPT_CHARACTERS } from '~/domain/prompts/limits'
import type { PromptView } from '~/domain/prompts/types'
import type { FormFailure } from '~/http/forms/forms.server'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { excerpt, plural } from '~/lib/text'
import { ActionForm } from '../ui/action-form'
import { ConfirmDialog } from '../ui/confirm'
import { Dialog } from '../ui/dialog'
import { TextAreaField, useTyped } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { typedText } from '../ui/typed-text'
import { useHydrated } from '../ui/use-hydrated'

type Props = { prompts: readonly PromptView[]; failure: FormFailure | null }

/** The dialog that the URL of the library asks for, if any. */
export function PromptDialogs({ prompts, failure }: Props) {
  const [search] = useSearchParams()
  const { name, on } = readDialog(search)
  const about = prompts.find(({ id }) => id === on)
  if (name === 'add') return <AddDialog failure={failure} />
  if (name === 'import') return <ImportDialog failure={failure} />
  if (name === 'edit' && about) return <EditDialog prompt={about} failure={failure} />
  if (name === 'delete' && about) return <DeleteDialog prompt={about} />
  const selected = search.getAll('promptIds').filter((id) => prompts.some((row) => row.id === id))
  if (name === 'delete-selected' && selected.length > 0) return <DeleteSelected ids={selected} />
  return null
}

function AddDialog({ failure }: { failure: FormFailure | null }) {
  return (
    <Dialog title="Add Prompt">
      <TextForm intent="create" field="text" label="Prompt" failure={failure} initial="">
        Create
      </TextForm>
    </Dialog>
  )
}

function ImportDialog({ failure }: { failure: FormFailure | null }) {
  return (
    <Dialog title="Bulk Import">
      <TextForm
        intent="import"
        field="prompts"
        label="Prompts, one per line"
        failure={failure}
        initial=""
      >
        Import
      </TextForm>
    </Dialog>
  )
}

function EditDialog({ prompt, failure }: { prompt: PromptView; failure: FormFailure | null }) {
  return (
    <Dialog title="Edit Prompt">
      <TextForm
        intent="update"
        field="text"
        label="Prompt"
        failure={failure}
        initial={prompt.text}
        extra={<input type="hidden" name="promptId" value={prompt.id} />}
      >
        Save
      </TextForm>
    </Dialog>
  )
}

type TextFormProps = {
  intent: string
  field: 'text' | 'prompts'
  label: string
  initial: string
  failure: FormFailure | null
  extra?: ReactNode
  children: ReactNode
}

/** A text field and a button that is disabled while the text is blank. */
function TextForm({ intent, field, label, initial, failure, extra, children }: TextFormProps) {
  const mine = failure?.intent === intent ? failure.result : undefined
  const first = mine ? typedText(mine, field) : initial
  const { typed, box } = useTyped(first)
  const isHydrated = useHydrated()
  return (
    <ActionForm intent={intent} preventScrollReset className="space-y-4">
      {extra}
      <TextAreaField
        name={field}
        label={label}
        rows={field === 'prompts' ? 10 : 4}
        maxLength={field === 'text' ? LIBRARY_PROMPT_CHARACTERS : undefined}
        {...box}
        errors={mine?.error?.[field]}
        required
      />
      <SubmitButton
        intent={intent}
        pending="Saving…"
        disabled={isHydrated && typed.trim() === ''}
        className="w-full"
      >
        {children}
      </SubmitButton>
    </ActionForm>
  )
}

function DeleteDialog({ prompt }: { prompt: PromptView }) {
  return (
    <ConfirmDialog
      title="Delete this prompt?"
      text={<p>{excerpt(prompt.text, 200)}</p>}
      intent="delete"
      fields={{ promptId: prompt.id }}
      confirmLabel="Delete"
    />
  )
}

function DeleteSelected({ ids }: { ids: readonly string[] }) {
  return (
    <ConfirmDialog
      title={`Delete ${plural(ids.length, 'prompt')}?`}
      text={
        <p>
          They cannot be brought back. If the current prompt is among them, the next in turn takes
          over.
        </p>
      }
      intent="delete-selected"
      fields={{ promptIds: ids }}
      confirmLabel={`Delete ${plural(ids.length, 'prompt')}`}
      cancelTo={paths.admin.prompts}
    />
  )
}
