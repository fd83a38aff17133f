import { useSearchParams } from '@remix-run/react'
import type { ReactNode } from 'react'
import { LIBRARY_PROMPT_CHARACTERS } from '~/domain/prompts/limits'
import type { PromptView } from '~/domain/prompts/types'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { excerpt } from '~/lib/text'
import { ActionForm } from '../ui/action-form'
import { ConfirmDialog } from '../ui/confirm'
import { Dialog } from '../ui/dialog'
import { TextAreaField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { useActionForm } from '../ui/use-action-form'
import { useHydrated } from '../ui/use-hydrated'

/** The dialog that the URL of the library asks for, if any. */
export function PromptDialogs({ prompts }: { prompts: readonly PromptView[] }) {
  const [search] = useSearchParams()
  const { name, on } = readDialog(search)
  const about = prompts.find(({ id }) => id === on)
  if (name === 'add') return <AddDialog />
  if (name === 'import') return <ImportDialog />
  if (name === 'edit' && about) return <EditDialog prompt={about} />
  if (name === 'delete' && about) return <DeleteDialog prompt={about} />
  const selected = search.getAll('promptIds').filter((id) => prompts.some((row) => row.id === id))
  if (name === 'delete-selected' && selected.length > 0) return <DeleteSelected ids={selected} />
  return null
}

function AddDialog() {
  return (
    <Dialog title="Add Prompt">
      <TextForm intent="create" name="text" label="Prompt">
        Create
      </TextForm>
    </Dialog>
  )
}

function ImportDialog() {
  return (
    <Dialog title="Bulk Import">
      <TextForm intent="import" name="prompts" label="Prompts, one per line">
        Import
      </TextForm>
    </Dialog>
  )
}

function EditDialog({ prompt }: { prompt: PromptView }) {
  return (
    <Dialog title="Edit Prompt">
      <TextForm
        intent="update"
        name="text"
        label="Prompt"
        initial={prompt.text}
        extra={<input type="hidden" name="promptId" value={prompt.id} />}
      >
        Save
      </TextForm>
    </Dialog>
  )
}

type TextFields = Partial<Record<'text' | 'prompts', string>>
type TextFormProps = {
  intent: string
  name: 'text' | 'prompts'
  label: string
  initial?: string
  extra?: ReactNode
  children: ReactNode
}

/** A text field and a button that is disabled while the text is blank. */
function TextForm({ intent, name, label, initial = '', extra, children }: TextFormProps) {
  const defaultValue = { [name]: initial }
  const [form, { [name]: field }] = useActionForm<TextFields>(intent, { defaultValue })
  const isHydrated = useHydrated()
  return (
    <ActionForm {...form} intent={intent} preventScrollReset className="space-y-4">
      {extra}
      <TextAreaField
        field={field}
        label={label}
        rows={name === 'prompts' ? 10 : 4}
        maxLength={name === 'text' ? LIBRARY_PROMPT_CHARACTERS : undefined}
        required
      />
      <SubmitButton
        intent={intent}
        pending="Saving…"
        disabled={isHydrated && !field.value?.trim()}
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
