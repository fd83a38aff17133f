import type { InputHTMLAttributes, ReactNode } from 'react'

export const inputClass =
  'block w-full rounded border border-edge bg-surface px-3 py-2.5 text-base text-ink placeholder:text-soft ' +
  'aria-[invalid=true]:border-bad'

/** For a field of one line. Phones and tablets zoom in on a field whose text is below 16 pixels. */
export const lineClass = `${inputClass} h-[2.875rem] [@media(pointer:fine)]:text-sm`

type FrameProps = {
  /** Id of the field. */
  id: string
  label: string
  hint?: ReactNode
  hintId?: string
  errors?: readonly string[] | undefined
  errorId?: string
  children: ReactNode
}

/** The label, hint and errors of the field that is its child. */
export function FieldFrame({ id, label, hint, hintId, errors, errorId, children }: FrameProps) {
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      {children}
      {hint && (
        <p id={hintId} className="text-sm text-soft">
          {hint}
        </p>
      )}
      <FieldErrors id={errorId} messages={errors} />
    </div>
  )
}

type Option = { value: string; label: string }
type OptionsProps = {
  options: readonly Option[]
  /** Those that are seldom chosen. */
  others?: readonly Option[] | undefined
}

/** The options of a select. */
export function Options({ options, others }: OptionsProps) {
  const listed = options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
  if (!others) return listed
  return (
    <>
      {listed}
      <optgroup label="Others">
        <Options options={others} />
      </optgroup>
    </>
  )
}

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
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

/** It may quote a word of any length, which must not widen its field. */
const ERROR = 'text-sm text-bad [overflow-wrap:anywhere]'

type ErrorsProps = { id: string | undefined; messages: readonly string[] | undefined }

/** The errors of a field. Several errors are a list. */
export function FieldErrors({ id, messages = [] }: ErrorsProps) {
  if (messages.length === 0) return null
  const [first, ...others] = messages
  if (others.length === 0) {
    return (
      <p id={id} className={ERROR}>
        {first}
      </p>
    )
  }
  return (
    <ul id={id} className={`list-disc space-y-0.5 pl-5 ${ERROR}`}>
      {messages.map((message, index) => (
        <li key={`${index}:${message}`}>{message}</li>
      ))}
    </ul>
  )
}
