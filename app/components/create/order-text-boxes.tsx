import { ORDER_TEXTS, TEXT_NAMES, type TextName } from '~/domain/videos/order-fields'
import type { Settings } from '~/domain/videos/requests/drafts'
import { FieldErrors, inputClass } from '../ui/field-frame'
import { LiveCount } from './live-count'

/** Messages of a failed form, by field. */
type Errors = Partial<Record<string, string[] | null>> | null | undefined

type Props = { initial: Settings; typed: Settings; errors: Errors }

/** The boxes of the optional texts of an order. Each is folded until the user opens it. */
export function OrderTextBoxes({ initial, typed, errors }: Props) {
  return TEXT_NAMES.map((name) => (
    <OrderTextBox
      key={name}
      name={name}
      defaultValue={initial[name]}
      typed={typed[name]}
      errors={errors?.[name] ?? []}
    />
  ))
}

type BoxProps = { name: TextName; defaultValue: string; typed: string; errors: readonly string[] }

/** The box of one optional text. */
export function OrderTextBox({ name, defaultValue, typed, errors }: BoxProps) {
  const { title, hint, max } = ORDER_TEXTS[name]
  return (
    <details open={defaultValue !== '' || errors.length > 0}>
      <summary className="fold-summary">
        {title}
        <span> (optional)</span>
      </summary>
      <div className="space-y-1.5">
        <div className="flex items-baseline justify-between gap-2 text-sm text-soft">
          <label htmlFor={name}>
            <span className="sr-only">{`${title}: `}</span>
            <span className="inline-block first-letter:uppercase">{hint}</span>
          </label>
          <LiveCount id={`${name}-count`}>
            {typed.length}/{max}
          </LiveCount>
        </div>
        <textarea
          id={name}
          name={name}
          dir="auto"
          rows={2}
          maxLength={max}
          defaultValue={defaultValue}
          aria-invalid={errors.length > 0 || undefined}
          aria-describedby={errors.length > 0 ? `${name}-error ${name}-count` : `${name}-count`}
          className={inputClass}
        />
        <FieldErrors id={`${name}-error`} messages={errors} />
      </div>
    </details>
  )
}
