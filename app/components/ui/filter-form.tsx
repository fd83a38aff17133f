import { Form, useSubmit } from '@remix-run/react'
import { useEffect, useRef, type ComponentProps, type FormEvent, type ReactNode } from 'react'
import { Button } from './button'
import { FieldFrame, lineClass, Options } from './field-frame'
import { useAddressFields } from './use-address-fields'
import { useHydrated } from './use-hydrated'

/** Delay between the last key and the search. */
const TYPING_PAUSE_MS = 250

type Props = {
  label: string
  /** The values of the fields, by name, according to the URL. */
  values: Readonly<Record<string, string>>
  children: ReactNode
  className?: string
  /** Makes the fields and the button lower on wide screens. */
  isDense?: boolean
  /** Label of the button: 'Search' if the form only searches. */
  button?: 'Apply' | 'Search'
}

/**
 * The filters of a list, stored in the URL. With scripts a choice applies at once, and typing after
 * a short pause. Without scripts there is a button. The new list starts at its first page; the
 * focus and the scroll position stay. Typing replaces the history entry, because otherwise each
 * pause would add one more step back.
 */
export function FilterForm({ label, values, children, className = '', ...rest }: Props) {
  const { isDense = false, button = 'Apply' } = rest
  const { ref, noteChange, noteLeft } = useAddressFields(values)
  const send = useSend()
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
      className={`flex flex-wrap items-end ${isDense ? 'gap-2' : 'gap-3'} ${className}`}
      ref={ref}
      replace
      preventScrollReset
      onSubmit={send.note}
      onChange={onChange}
      onBlur={noteLeft}
    >
      {children}
      <Button
        look="plain"
        className={`${isDense ? 'px-3 md:min-h-9' : ''} ${isHydrated ? 'sr-only focus:not-sr-only' : ''}`}
      >
        {button}
      </Button>
    </Form>
  )
}

/**
 * Returns functions that submit the form: `now` at once, `soon` after a pause in typing. `note`
 * notes that it was submitted in another way.
 */
function useSend() {
  const submit = useSubmit()
  const timer = useRef<number>()
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const note = () => window.clearTimeout(timer.current)
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

type FieldProps = ComponentProps<'input'> & { name: string; label: string }

/** A labelled input of a `FilterForm`. */
export const FilterField = ({ label, ...input }: FieldProps) => (
  <FieldFrame id={input.name} label={label}>
    <input id={input.name} className={lineClass} {...input} />
  </FieldFrame>
)

type SelectProps = ComponentProps<'select'> &
  ComponentProps<typeof Options> & { name: string; label: string }

/** The same for a choice from a list. */
export const FilterSelect = ({ label, options, ...select }: SelectProps) => (
  <FieldFrame id={select.name} label={label}>
    <select id={select.name} className={lineClass} {...select}>
      <Options options={options} />
    </select>
  </FieldFrame>
)
