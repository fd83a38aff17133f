import type { ReactNode } from 'react'
import { lineClass } from './field-frame'
import { Icon } from './icon'

type Props = {
  label: string
  defaultValue: string
  /** Default: search. */
  name?: string
  placeholder?: string
  /** For a name that occurs twice on a page. */
  id?: string
  maxLength?: number
  /** Lower on wide screens, with a label only for screen readers. */
  isDense?: boolean
  /** A link that clears it, at the end of the box, which keeps its size. */
  clear?: ReactNode
}

/** The search box of a list. Part of a `FilterForm`, which submits it while the user types. */
export function SearchField({ label, isDense = false, id = 'search', clear, ...input }: Props) {
  return (
    <div className={isDense ? '' : 'space-y-1.5'}>
      <label htmlFor={id} className={isDense ? 'sr-only' : 'block text-sm font-medium'}>
        {label}
      </label>
      <div className="relative">
        <Icon
          name="search"
          className="pointer-events-none absolute left-3 top-1/2 size-4 -translate-y-1/2 text-soft"
        />
        <input
          id={id}
          type="search"
          name="search"
          autoComplete="off"
          enterKeyHint="search"
          className={`${lineClass} !pl-9 ${clear ? '!pr-11' : ''} ${isDense ? 'md:!h-9 md:!py-1.5 md:!text-sm' : ''}`}
          {...input}
        />
        {clear}
      </div>
    </div>
  )
}
