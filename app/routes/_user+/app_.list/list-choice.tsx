import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { lineClass } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'

type ChoiceProps = {
  label: string
  button: string
  intent?: 'read-list' | 'read-sheet'
  name: 'column' | 'encoding' | 'sheet'
  value: string
  /** The values to choose from, with their names. */
  options: readonly [string, string][]
  /** What stays as it is. */
  others?: Record<string, string>
}

/** Chooses how a list is read: its sheet, column or encoding. */
export function Choice({
  intent = 'read-list',
  label,
  button,
  name,
  value,
  options,
  others = {},
}: ChoiceProps) {
  return (
    <ActionForm intent={intent} preventScrollReset className="flex flex-wrap items-end gap-3">
      <label className="min-w-0 grow basis-48 space-y-1.5 text-sm">
        <span className="block text-soft">{label}</span>
        <select key={value} name={name} defaultValue={value} className={lineClass}>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <HiddenFields fields={others} />
      <SubmitButton intent={intent} look="plain">
        {button}
      </SubmitButton>
    </ActionForm>
  )
}
