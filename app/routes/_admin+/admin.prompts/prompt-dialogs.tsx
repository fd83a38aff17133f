import { useSearchParams } from '@remix-run/react'
import { LIBRARY_PROMPT_CHARACTERS } from '~/domain/prompts/limits'
import type { PromptView } from '~/domain/prompts/types'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { excerpt } from '~/lib/text'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { ConfirmDialog } from '~/components/ui/confirm'
import { Dialog } from '~/components/ui/dialog'
import { TextAreaField } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'
import { useHydrated } from '~/components/ui/use-hydrated'

/** The dialog that the URL of the library asks for, if any. */
export function PromptDialogs({ prompts }: { prompts: readonly PromptView[] }) {
  const [search] = useSearchParams()
  const { name, on } = readDialog(search)
  const about = prompts.find(({ id }) => id === on)
  if (name === 'add') return <TextDialog {...ADD} />
  if (name === 'import') return <TextDialog {...IMPORT} />
  if (name === 'edit') return about ? <TextDialog {...EDIT} prompt={about} /> : MISSING
  if (name === 'delete') return about ? <DeleteDialog prompt={about} /> : MISSING
  const selected = search.getAll('promptIds').filter((id) => prompts.some((row) => row.id === id))
  if (name !== 'delete-selected') return null
  return selected.length > 0 ? <DeleteSelected ids={selected} /> : NONE_TICKED
}

/** For a URL whose prompt has been deleted in the meantime. */
const MISSING = (
  <Dialog title="This prompt does not exist" width="narrow">
    <p className="text-sm text-soft">It has been deleted, or never existed.</p>
  </Dialog>
)

/** Without scripts the button is enabled before anything is ticked. */
const NONE_TICKED = (
  <Dialog title="Nothing to delete" width="narrow">
    <p className="text-sm text-soft">Tick the prompts first.</p>
  </Dialog>
)

type TextFields = Partial<Record<'text' | 'prompts', string>>
type TextDialogProps = {
  title: string
  intent: string
  failed: string
  name: 'text' | 'prompts'
  label: string
  button: string
  /** The prompt to edit. */
  prompt?: PromptView
}

const PROMPT = { name: 'text', label: 'Prompt' } as const
const ADD = {
  ...PROMPT,
  title: 'Add Prompt',
  intent: 'create',
  failed: 'Failed to create prompt',
  button: 'Create',
} as const
const EDIT = {
  ...PROMPT,
  title: 'Edit Prompt',
  intent: 'update',
  failed: 'Failed to update prompt',
  button: 'Save',
} as const
const IMPORT = {
  name: 'prompts',
  label: 'Prompts, one per line',
  title: 'Bulk Import',
  intent: 'import',
  failed: 'Failed to import prompts',
  button: 'Import',
} as const

/** A text field and a button that is disabled while the text is blank. */
function TextDialog({ title, intent, failed, name, label, button, prompt }: TextDialogProps) {
  const [form, { [name]: field }, before] = useShownForm<TextFields>(intent, {
    shown: { [name]: prompt?.text ?? '' },
  })
  const isHydrated = useHydrated()
  return (
    <Dialog title={title}>
      <ActionForm
        {...form}
        intent={intent}
        failed={failed}
        preventScrollReset
        className="space-y-4"
      >
        {prompt && <input type="hidden" name="promptId" value={prompt.id} />}
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
          {button}
        </SubmitButton>
        {prompt && <HiddenFields fields={before} />}
      </ActionForm>
    </Dialog>
  )
}

function DeleteDialog({ prompt }: { prompt: PromptView }) {
  return (
    <ConfirmDialog
      title="Delete this prompt?"
      text={<p>{excerpt(prompt.text, 200)}</p>}
      intent="delete"
      failed="Failed to delete prompt"
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
          They cannot be restored. If the current prompt is among them, the next in turn takes over.
        </p>
      }
      intent="delete-selected"
      failed="Failed to delete prompts"
      fields={{ promptIds: ids }}
      confirmLabel={`Delete ${plural(ids.length, 'prompt')}`}
      cancelTo={paths.admin.prompts}
    />
  )
}
