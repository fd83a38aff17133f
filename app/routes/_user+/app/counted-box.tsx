import type { ReactNode, TextareaHTMLAttributes } from 'react'
import { inputClass } from '~/components/ui/field-frame'
import { LiveCount } from '~/components/create/live-count'

type Props = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  name: string
  label: string
  count: ReactNode
  isInvalid: boolean
}

/** A box for prompts with its label and a count of what is typed. Hints and errors are `children`. */
export function CountedBox(props: Props) {
  const { name, label, count, isInvalid, className = '', children, ...area } = props
  return (
    <div className="counted-box">
      <div className="counted-head">
        <label htmlFor={name} className="text-sm font-medium">
          {label}
        </label>
        <LiveCount id={`${name}-count`}>{count}</LiveCount>
      </div>
      <textarea
        id={name}
        name={name}
        dir="auto"
        aria-invalid={isInvalid || undefined}
        className={`${inputClass} ${className}`}
        {...area}
      />
      {children}
    </div>
  )
}
