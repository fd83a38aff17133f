import { useLocation } from '@remix-run/react'
import { useEffect, useRef, type FocusEvent, type FormEvent } from 'react'

/**
 * Lets a form of uncontrolled fields follow the URL. When another list is shown, each field named
 * in `values` is set to the value that produced the list, with two exceptions. The focused field is
 * never written, and follows when the focus leaves it. A field that was typed or chosen in belongs to
 * the user until a list for exactly its content is shown: an answer to an earlier content, however
 * late, writes nothing. What was typed or chosen before the scripts were loaded is submitted as soon
 * as they are.
 */
export function useAddressFields(values: Readonly<Record<string, string>>) {
  const ref = useRef<HTMLFormElement>(null)
  const changed = useRef(new Set<string>())
  const { key, search } = useLocation()
  const shown = useRef(key)
  const follow = (field: Field, value: string | undefined) => {
    const isFree = !changed.current.has(field.name) && field !== document.activeElement
    if (value !== undefined && isFree) setValue(field, value)
  }
  useEffect(() => {
    if (fieldsOf(ref.current).some(isChanged)) ref.current?.requestSubmit()
  }, [])
  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    const address = new URLSearchParams(search)
    for (const field of fieldsOf(ref.current)) {
      if ((address.get(field.name) ?? '') === field.value) changed.current.delete(field.name)
      follow(field, values[field.name])
    }
  })
  return {
    ref,
    noteChange: ({ target }: FormEvent<HTMLFormElement>) => {
      if (isField(target)) changed.current.add(target.name)
    },
    /** For the form's blur events, which come before the focus is elsewhere. */
    noteLeft: ({ target }: FocusEvent<HTMLFormElement>) => {
      if (isField(target)) follow(target, values[target.name])
    },
  }
}

type Field = HTMLInputElement | HTMLSelectElement

const isField = (target: unknown): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

const fieldsOf = (form: HTMLFormElement | null): Field[] =>
  Array.from(form?.elements ?? []).filter(isField)

function isChanged(field: Field): boolean {
  if (field instanceof HTMLInputElement) return field.value !== field.defaultValue
  const options = Array.from(field.options)
  const initial = options.findIndex((option) => option.defaultSelected)
  return field.selectedIndex !== Math.max(initial, 0)
}

function setValue(field: Field, value: string): void {
  // Values in the URL are trimmed. A space typed after a word must not be removed.
  if (field.value.trim() !== value.trim()) field.value = value
}
