import { useEffect, useRef, type RefObject } from 'react'
import type { input } from 'zod'
import { BATCH_NAME_CHARACTERS } from '~/domain/batches/names'
import type { renameBatchForm } from '~/domain/batches/schemas'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Field } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { useActionForm } from '~/components/ui/use-action-form'

/** Gives a batch a name, in its place. Folded until somebody wants to. */
export function RenameForm({ batchId, name }: { batchId: string; name: string }) {
  const [form, fields] = useActionForm<input<typeof renameBatchForm>>('rename-batch', {
    defaultValue: { name },
  })
  const details = useFoldWhenNamed(name)
  return (
    <details ref={details} open={fields.name.errors !== undefined} className="basis-full">
      <summary className={`${textLinkClass} w-fit cursor-pointer text-sm`}>Rename</summary>
      <ActionForm {...form} intent="rename-batch" className="mt-1 max-w-md space-y-3">
        <Field
          field={fields.name}
          label="Name"
          hint="Leave it empty to name the batch after its time."
          maxLength={BATCH_NAME_CHARACTERS}
          autoComplete="off"
        />
        <SubmitButton intent="rename-batch" look="plain">
          Save the name
        </SubmitButton>
        <HiddenFields fields={{ on: batchId }} />
      </ActionForm>
    </details>
  )
}

/** Folds the form when the batch has a new name, and leaves the focus where it was opened. */
function useFoldWhenNamed(name: string): RefObject<HTMLDetailsElement> {
  const details = useRef<HTMLDetailsElement>(null)
  const shown = useRef(name)
  useEffect(() => {
    const { current } = details
    if (!current || shown.current === name) return
    shown.current = name
    if (!current.open) return
    current.open = false
    current.querySelector('summary')?.focus()
  }, [name])
  return details
}
