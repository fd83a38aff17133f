import { getInputProps, type FieldMetadata } from '@conform-to/react'
import {
  SEEN,
  SURPRISES,
  type Surprise,
  type SurpriseName,
  type Ticks,
} from '~/domain/administration/outcome'
import { CheckboxField } from '../../ui/field-frame'

type TickFields = { [Name in keyof Ticks]: FieldMetadata }
export type TickValues = Ticks

type Props = {
  fields: TickFields
  /** What is known before the form is sent; the rest its refusal says. */
  surprises: readonly Surprise[]
  /** Ticks that change what surprises, where this form has them. */
  instead?: { disabled?: boolean; trash?: boolean }
}

/** Says what will be so afterwards and surprises, each with the tick that it needs. */
export function SurpriseTicks({ fields, surprises, instead = {} }: Props) {
  const said = SURPRISES.flatMap((name) => {
    const known = surprises.filter((one) => one.name === name).map(({ text }) => text)
    const texts = known.length > 0 ? known : (fields[SEEN[name]].errors ?? [])
    return texts.length === 0 ? [] : [{ name, texts }]
  })
  if (said.length === 0) return null
  return (
    <ul className="space-y-2">
      {said.map(({ name, texts }) => (
        <li key={name} className="rounded border border-warn px-3 py-2 text-sm">
          {[...new Set(texts)].map((text) => (
            <p key={text} className="text-warn [overflow-wrap:anywhere]">
              {text}
            </p>
          ))}
          {name === 'disabled' && instead.disabled && (
            <Tick field={fields.isEnabled} label="Enable the account" />
          )}
          {name === 'trash' && instead.trash && (
            <Tick field={fields.isRestored} label="Restore that account and renew it" />
          )}
          <Tick field={fields[SEEN[name]]} label={LABELS[name]} />
        </li>
      ))}
    </ul>
  )
}

const LABELS: Record<SurpriseName, string> = {
  role: 'That is right',
  trash: 'Create a second account all the same',
  disabled: 'It stays disabled',
  expired: 'That is right',
  plan: 'That is right',
  days: 'That is right',
  price: 'Take this amount all the same',
}

const Tick = ({ field, label }: { field: FieldMetadata; label: string }) => (
  <CheckboxField {...getInputProps(field, { type: 'checkbox' })} label={label} />
)
