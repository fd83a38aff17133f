import { Form, useSubmit } from '@remix-run/react'
import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import { Button } from './button'
import { useAddressFields } from './use-address-fields'
import { useHydrated } from './use-hydrated'

/** A list is searched this long after the last key. */
const TYPING_PAUSE_MS = 250

type Props = {
  label: string
  /** What the fields hold, by their names, when the list is as the address says. */
  values: Readonly<Record<string, string>>
  children: ReactNode
  className?: string
  /** The fields are lower on wide screens, and so is the button beside them. */
  isDense?: boolean
  /** The words of the button: 'Search' where that is all the form does. */
  button?: 'Apply' | 'Search'
  /** Follows the button: a way back to the whole list. */
  after?: ReactNode
}

/**
 * Filters of a list, kept in the address. With scripts a choice takes effect at once and typing after
 * a short pause; without them there is a button. The first page of the new list is shown; the focus
 * and the place in the page stay. What was typed replaces the history's entry, or every pause would
 * be one more step back.
 */
export function FilterForm({ label, values, children, className = '', ...rest }: Props) {
  const { isDense = false, button = 'Apply', after } = rest
  const { ref, noteChange, noteSent } = useAddressFields(values)
  const send = useSend(noteSent)
  const isHydrated = useHydrated()
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    noteChange(event)
    if (event.target instanceof HTMLSelectElement) send.now(event.currentTarget)
    else send.soon(event.currentTarget)
  }
  return (
    <Form
      role="search"
      aria-label={label}
      className={`flex flex-wrap items-end gap-3 ${className}`}
      ref={ref}
      replace
      preventScrollReset
      onSubmit={send.note}
      onChange={onChange}
    >
      {children}
      <Button
        look="plain"
        className={`${isDense ? 'md:min-h-9 md:px-3' : ''} ${isHydrated ? 'sr-only focus:not-sr-only' : ''}`}
      >
        {button}
      </Button>
      {after}
    </Form>
  )
}

/** Sends the form at once or after a pause in the typing; `note` tells that it was sent otherwise. */
function useSend(noteSent: () => void) {
  const submit = useSubmit()
  const timer = useRef<number>()
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const note = () => {
    window.clearTimeout(timer.current)
    noteSent()
  }
  const now = (form: HTMLFormElement, replace = false) => {
    note()
    submit(form, { replace, preventScrollReset: true })
  }
  const soon = (form: HTMLFormElement) => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => now(form, true), TYPING_PAUSE_MS)
  }
  return { now, soon, note }
}
