import { Form, useSubmit } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Button } from './button'
import { useHydrated } from './use-hydrated'

type Props = {
  label: string
  children: ReactNode
  className?: string
  /** The fields are lower on wide screens, and so is the button beside them. */
  isDense?: boolean
  /** What stands after the button: a way back to everything. */
  after?: ReactNode
}

/**
 * Filters of a list, kept in the address. With scripts a choice takes effect at once and typing after
 * Enter; without them there is a button. The first page of the new list is shown.
 */
export function FilterForm({ label, children, className = '', isDense = false, after }: Props) {
  const submit = useSubmit()
  const isHydrated = useHydrated()
  return (
    <Form
      role="search"
      aria-label={label}
      className={`flex flex-wrap items-end gap-3 ${className}`}
      onChange={({ currentTarget, target }) => {
        if (target instanceof HTMLSelectElement) submit(currentTarget, { preventScrollReset: true })
      }}
    >
      {children}
      <Button
        look="plain"
        className={`${isDense ? 'md:min-h-9 md:px-3' : ''} ${isHydrated ? 'sr-only focus:not-sr-only' : ''}`}
      >
        Apply
      </Button>
      {after}
    </Form>
  )
}
