import type { FieldMetadata } from '@conform-to/react'
import { COLLECTION_LIMITS, type CollectionName } from '~/domain/videos/collections'
import { Field, SelectField } from '../ui/field'

type Props = {
  into: FieldMetadata
  name: FieldMetadata
  /** The user's collections. Null while they are being read. */
  collections: readonly CollectionName[] | null
}

/** The fields that choose a collection or name a new one. */
export function IntoFields({ into, name, collections }: Props) {
  const hasSome = collections === null || collections.length > 0
  const options = (collections ?? []).map((one) => ({ value: one.id, label: one.name }))
  const first = { value: '', label: collections === null ? 'Loading…' : 'A new collection' }
  return (
    <>
      {hasSome && <SelectField field={into} label="Collection" options={[first, ...options]} />}
      <Field
        field={name}
        label="Name of a new collection"
        hint={hasSome ? 'Leave it empty to use the one that is chosen above.' : undefined}
        maxLength={COLLECTION_LIMITS.nameCharacters}
        autoComplete="off"
      />
    </>
  )
}
