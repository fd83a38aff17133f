import type { FieldMetadata } from '@conform-to/react'
import { Field } from './field'

type Props = { field: FieldMetadata; label?: string }

/** Asks for the password of the signed-in account. */
export const OwnPasswordField = ({ field, label = 'Your password' }: Props) => (
  <Field field={field} label={label} type="password" autoComplete="current-password" required />
)
