import { Form, useSubmit } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Button } from './button'
import { useHydrated } from './use-hydrated'

type Props = { label: string; children: ReactNode; className?: string }

/**
 * Filters of a list, kept in the address. With scripts a choice takes effect at once and typing after
 * Enter; without them there is a button. The first page of the new list is shown.
 */
export function FilterForm({ label, children, className = '' }: Props) {
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
      <Button look="plain" className={isHydrated ? 'sr-only focus:not-sr-only' : ''}>
        Apply
      </Button>
    </Form>
  )
}
