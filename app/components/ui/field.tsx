import {
  getInputProps,
  getSelectProps,
  getTextareaProps,
  type FieldMetadata,
} from '@conform-to/react'
import type { ComponentProps, ReactNode } from 'react'
import { PRICED } from '~/domain/payments/money'
import { CURRENCY_NAMES } from '~/lib/currencies'
import { FieldFrame, inputClass, lineClass, Options } from './field-frame'

type Shared = {
  /** The field's metadata from `useActionForm`. */
  field: FieldMetadata
  label: string
  hint?: ReactNode
}

type InputType = Exclude<ReturnType<typeof getInputProps>['type'], 'checkbox' | 'radio'>
type FieldProps = Omit<ComponentProps<'input'>, 'type'> & Shared & { type?: InputType }

/** A labelled input. Screen readers read its errors and hint with it. */
export function Field({ field, label, hint, type = 'text', ...rest }: FieldProps) {
  return (
    <FieldFrame {...frameProps({ field, label, hint })}>
      <input
        className={lineClass}
        {...getInputProps(field, { type, ...described(field, hint) })}
        {...rest}
      />
    </FieldFrame>
  )
}

type TextAreaProps = ComponentProps<'textarea'> & Shared

/** The same for a text of several lines. */
export function TextAreaField({ field, label, hint, ...rest }: TextAreaProps) {
  return (
    <FieldFrame {...frameProps({ field, label, hint })}>
      <textarea
        rows={4}
        className={inputClass}
        {...getTextareaProps(field, described(field, hint))}
        {...rest}
      />
    </FieldFrame>
  )
}

type SelectProps = ComponentProps<'select'> & Shared & ComponentProps<typeof Options>

/** The same for a choice from a list: the browser's own select, which works everywhere. */
export function SelectField({ field, label, hint, options, others, ...rest }: SelectProps) {
  return (
    <FieldFrame {...frameProps({ field, label, hint })}>
      <select className={lineClass} {...getSelectProps(field, described(field, hint))} {...rest}>
        <Options options={options} others={others} />
      </select>
    </FieldFrame>
  )
}

/** A choice of a currency: first the chosen one and those in which plans have a price, then the others. */
export function CurrencyField({ field }: Pick<Shared, 'field'>) {
  const known = [field.initialValue, ...PRICED]
  const [first, others] = [true, false].map((isKnown) =>
    CURRENCY_NAMES.filter((name) => known.includes(name) === isKnown)
      .sort((a, b) => known.indexOf(a) - known.indexOf(b))
      .map((name) => ({ value: name, label: name })),
  )
  return <SelectField field={field} label="Currency" options={first ?? []} others={others} />
}

function frameProps({ field, label, hint }: Shared) {
  const { id, errors, errorId, descriptionId: hintId } = field
  return { id, label, hint, hintId, errors, errorId }
}

function described({ descriptionId }: FieldMetadata, hint: ReactNode) {
  return hint ? { ariaDescribedBy: descriptionId } : {}
}
