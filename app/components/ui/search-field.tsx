import { Search } from 'lucide-react'
import { inputClass } from './field'

type Props = {
  label: string
  defaultValue: string
  placeholder?: string
  /** For a name that a page has twice. */
  id?: string
  maxLength?: number
  /** Lower on wide screens, with its label for screen readers only. */
  isDense?: boolean
}

/** The box that a list is searched with; part of a `FilterForm`, which sends it while one types. */
export function SearchField({ label, isDense = false, id = 'search', ...input }: Props) {
  return (
    <div className={isDense ? '' : 'space-y-1.5'}>
      <label htmlFor={id} className={isDense ? 'sr-only' : 'block text-sm font-medium'}>
        {label}
      </label>
      <div className="relative">
        <Search aria-hidden className="absolute left-3 top-1/2 size-4 -translate-y-1/2 text-soft" />
        <input
          id={id}
          type="search"
          name="search"
          autoComplete="off"
          enterKeyHint="search"
          className={`${inputClass} h-[2.875rem] !pl-9 ${isDense ? 'md:!h-9 md:!py-1.5 md:!text-sm' : ''}`}
          {...input}
        />
      </div>
    </div>
  )
}
