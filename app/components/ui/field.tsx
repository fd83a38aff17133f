import type { InputHTMLAttributes } from 'react'

export const inputClass =
  'block w-full rounded border border-edge bg-surface px-3 py-2.5 text-base text-ink placeholder:text-soft ' +
  'aria-[invalid=true]:border-bad'

type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> & {
  name: string
  label: string
  errors?: readonly string[] | null | undefined
  hint?: string
}

/** A labelled input whose hint and errors are read out with it. */
export function Field({ name, label, errors, hint, ...input }: FieldProps) {
  const messages = errors ?? []
  const described = [hint && `${name}-hint`, messages.length > 0 && `${name}-error`].filter(Boolean)
  return (
    <div className="space-y-1.5">
      <label htmlFor={name} className="block text-sm font-medium">
        {label}
      </label>
      <input
        id={name}
        name={name}
        className={inputClass}
        aria-invalid={messages.length > 0 || undefined}
        aria-describedby={described.join(' ') || undefined}
        {...input}
      />
      {hint && (
        <p id={`${name}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      <FieldErrors id={`${name}-error`} messages={messages} />
    </div>
  )
}

export function FieldErrors({ id, messages }: { id: string; messages: readonly string[] }) {
  if (messages.length === 0) return null
  return (
    <p id={id} className="text-sm text-bad">
      {messages.join('. ')}
    </p>
  )
}
