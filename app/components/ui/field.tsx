import {
  useEffect,
  useRef,
  useState,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'

export const inputClass =
  'block w-full rounded border border-edge bg-surface px-3 py-2.5 text-base text-ink placeholder:text-soft ' +
  'aria-[invalid=true]:border-bad'

type Shared = {
  name: string
  label: string
  errors?: readonly string[] | null | undefined
  hint?: ReactNode
  /** For a name that occurs twice on a page. */
  id?: string
}

type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> & Shared

/** A labelled input. Screen readers read its hint and errors with it. */
export function Field(props: FieldProps) {
  const { labelled, described, rest } = parts(props)
  return (
    <Labelled {...labelled}>
      <input className={`${inputClass} h-[2.875rem]`} {...described} {...rest} />
    </Labelled>
  )
}

type TextAreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'> &
  Shared & { boxRef?: Ref<HTMLTextAreaElement> }

/** The same for a text of several lines. */
export function TextAreaField({ boxRef, ...props }: TextAreaProps) {
  const { labelled, described, rest } = parts(props)
  return (
    <Labelled {...labelled}>
      <textarea ref={boxRef} rows={4} className={inputClass} {...described} {...rest} />
    </Labelled>
  )
}

type Option = { value: string; label: string }
type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'> &
  Shared & { options: readonly Option[] }

/** The same for a choice from a list: the browser's own select, which works everywhere. */
export function SelectField({ options, ...props }: SelectProps) {
  const { labelled, described, rest } = parts(props)
  return (
    <Labelled {...labelled}>
      <select className={`${inputClass} h-[2.875rem] pr-8`} {...described} {...rest}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'id'> & {
  label: ReactNode
  hint?: string
}

/** A checkbox with its label, as one target of 44 px. */
export function CheckboxField({ label, hint, className = '', ...input }: CheckboxProps) {
  return (
    <label className={`flex min-h-11 cursor-pointer items-center gap-3 text-sm ${className}`}>
      <input type="checkbox" className="size-5 shrink-0" {...input} />
      <span>
        {label}
        {hint && <span className="block text-soft">{hint}</span>}
      </span>
    </label>
  )
}

type LabelledProps = Omit<Shared, 'name' | 'id'> & { id: string; children: ReactNode }

function Labelled({ id, label, errors, hint, children }: LabelledProps) {
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      <FieldErrors id={`${id}-error`} messages={errors ?? []} />
    </div>
  )
}

/** Splits the props of a field into those of its frame, those that tie the two, and the rest. */
function parts<Props extends Shared>(props: Props) {
  const { name, label, errors, hint, id = name, ...rest } = props
  const isInvalid = (errors?.length ?? 0) > 0
  const by = [hint && `${id}-hint`, isInvalid && `${id}-error`].filter(Boolean).join(' ')
  const described = {
    id,
    name,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': by || undefined,
  }
  return { labelled: { id, label, errors, hint }, described, rest }
}

/**
 * Returns the text of a box, including what was typed before the scripts loaded
 * (app/entry.client.tsx keeps it), and `box`, the props for a box that starts with `first`.
 */
export function useTyped(first: string) {
  const [typed, setTyped] = useState(first)
  const boxRef = useRef<HTMLTextAreaElement>(null)
  const read = () => setTyped((before) => boxRef.current?.value ?? before)
  useEffect(read, [])
  return { typed, box: { boxRef, defaultValue: first, onChange: read } }
}

/** The errors of a field. Several errors are a list. */
export function FieldErrors({ id, messages }: { id: string; messages: readonly string[] }) {
  if (messages.length === 0) return null
  const [first, ...others] = messages
  if (others.length === 0) {
    return (
      <p id={id} className="text-sm text-bad">
        {first}
      </p>
    )
  }
  return (
    <ul id={id} className="list-disc space-y-0.5 pl-5 text-sm text-bad">
      {messages.map((message, index) => (
        <li key={`${index}:${message}`}>{message}</li>
      ))}
    </ul>
  )
}
