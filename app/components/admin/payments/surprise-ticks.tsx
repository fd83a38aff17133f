import { getInputProps, type FieldMetadata } from '@conform-to/react'
import { SURPRISES, type Surprise, type SurpriseName } from '~/domain/administration/outcome'
import { SEEN, type Ticks } from '~/domain/administration/ticks'
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
export function SurpriseTicks({ fields, surprises, instead }: Props) {
  const said = SURPRISES.flatMap((name) => {
    const known = surprises.filter((one) => one.name === name)
    if (known.length > 0) return known
    return (fields[SEEN[name]].errors ?? []).map((text) => ({ name, text }))
  })
  const propsOf = (name: keyof Ticks) => getInputProps(fields[name], { type: 'checkbox' })
  const [above] = fields.isAsked.errors ?? []
  return (
    <>
      <Surprises said={said} instead={instead} propsOf={propsOf} />
      {above !== undefined && (
        <div className="rounded border border-warn px-3 py-2 text-sm">
          <p className="text-warn [overflow-wrap:anywhere]">{above}</p>
          <CheckboxField {...propsOf('isAsked')} label="Ask the administrator" />
        </div>
      )}
    </>
  )
}

type ListProps = {
  said: readonly Surprise[]
  instead?: Props['instead'] | undefined
  /** Returns the props of the checkbox of this name. */
  propsOf: (name: keyof Ticks) => { name: string; defaultChecked?: boolean | undefined }
}

/** What surprises, with its ticks, in a form of any kind. */
export function Surprises({ said, instead = {}, propsOf }: ListProps) {
  const names = SURPRISES.filter((name) => said.some((one) => one.name === name))
  if (names.length === 0) return null
  return (
    <ul className="space-y-2">
      {names.map((name) => (
        <li key={name} className="rounded border border-warn px-3 py-2 text-sm">
          {textsOf(said, name).map((text) => (
            <p key={text} className="text-warn [overflow-wrap:anywhere]">
              {text}
            </p>
          ))}
          {name === 'disabled' && instead.disabled && (
            <CheckboxField {...propsOf('isEnabled')} label="Enable the account" />
          )}
          {name === 'trash' && instead.trash && (
            <CheckboxField {...propsOf('isRestored')} label="Restore that account and renew it" />
          )}
          <CheckboxField {...propsOf(SEEN[name])} label={LABELS[name]} />
        </li>
      ))}
    </ul>
  )
}

const textsOf = (said: readonly Surprise[], name: SurpriseName): string[] => [
  ...new Set(said.flatMap((one) => (one.name === name ? [one.text] : []))),
]

const LABELS: Record<SurpriseName, string> = {
  role: 'That is right',
  trash: 'Create a second account all the same',
  disabled: 'It stays disabled',
  expired: 'That is right',
  plan: 'That is right',
  days: 'That is right',
  price: 'Take this amount all the same',
  reward: 'That is right',
}
