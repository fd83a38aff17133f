import { useLocation } from '@remix-run/react'
import type { input } from 'zod'
import { COLLECTION_LIMITS, type CollectionName } from '~/domain/videos/collections'
import type { renameCollectionForm } from '~/domain/videos/schemas'
import { readDialog } from '~/lib/dialog-address'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { ConfirmDialog } from '../ui/confirm'
import { Dialog, DialogButtons } from '../ui/dialog'
import { Field } from '../ui/field'
import { GoneDialog } from '../ui/gone-dialog'
import { SubmitButton } from '../ui/submit-button'
import { useActionForm } from '../ui/use-action-form'

/** Names of the dialogs about one collection. */
export const RENAME = 'rename-collection'
export const DELETE = 'delete-collection'

/** The dialogs that rename and delete one of the collections of a page, opened by the URL. */
export function CollectionDialogs({ collections }: { collections: readonly CollectionName[] }) {
  const { name, on } = readDialog(new URLSearchParams(useLocation().search))
  const collection = collections.find(({ id }) => id === on)
  if (name !== RENAME && name !== DELETE) return null
  if (!collection) return <GoneDialog what="collection" />
  if (name === RENAME) return <RenameDialog collection={collection} />
  return (
    <ConfirmDialog
      title={`Delete “${collection.name}”?`}
      text={<p>Its clips stay in My Videos. Its links end, and cannot be brought back.</p>}
      intent="delete-collection"
      confirmLabel="Delete"
      fields={{ on: collection.id }}
    />
  )
}

function RenameDialog({ collection: { id, name } }: { collection: CollectionName }) {
  const [form, fields] = useActionForm<input<typeof renameCollectionForm>>('rename-collection', {
    defaultValue: { name },
  })
  return (
    <Dialog title="Rename the collection">
      <ActionForm {...form} intent="rename-collection" preventScrollReset className="space-y-4">
        <Field
          field={fields.name}
          label="Name"
          required
          maxLength={COLLECTION_LIMITS.nameCharacters}
          autoComplete="off"
        />
        <HiddenFields fields={{ on: id }} />
        <DialogButtons>
          <SubmitButton intent="rename-collection">Save the name</SubmitButton>
        </DialogButtons>
      </ActionForm>
    </Dialog>
  )
}
