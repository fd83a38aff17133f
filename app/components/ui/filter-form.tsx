import { Form, useSubmit } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Button } from './button'
import { useAddressFields } from './use-address-fields'
import { useHydrated } from './use-hydrated'

type Props = {
  label: string
  /** What the fields hold, by their names, when the list is as the address says. */
  values: Readonly<Record<string, string>>
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
export function FilterForm({ label, values, children, className = '', ...rest }: Props) {
  const { isDense = false, after } = rest
  const submit = useSubmit()
  const { ref, noteChange, noteSent } = useAddressFields(values)
  const isHydrated = useHydrated()
  return (
    <Form
      role="search"
      aria-label={label}
      className={`flex flex-wrap items-end gap-3 ${className}`}
      ref={ref}
      onSubmit={noteSent}
      onChange={(event) => {
        noteChange(event)
        if (!(event.target instanceof HTMLSelectElement)) return
        noteSent()
        submit(event.currentTarget, { preventScrollReset: true })
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
