import { useLocation } from '@remix-run/react'
import { useEffect, useRef, type FormEvent } from 'react'

/**
 * Lets a form of uncontrolled fields follow the URL. When another list is shown, each field named
 * in `values` is set to the value that produced the list. A field that was changed since the form
 * was last sent keeps its value, so that nothing typed or chosen while a list loads is lost. What was
 * typed or chosen before the scripts were loaded is submitted as soon as they are.
 */
export function useAddressFields(values: Readonly<Record<string, string>>) {
  const ref = useRef<HTMLFormElement>(null)
  const changed = useRef(new Set<string>())
  const { key } = useLocation()
  const shown = useRef(key)
  useEffect(() => {
    const fields = Array.from(ref.current?.elements ?? [])
    if (fields.filter(isField).some(isChanged)) ref.current?.requestSubmit()
  }, [])
  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    for (const [name, value] of Object.entries(values)) {
      if (!changed.current.has(name)) setValue(ref.current?.elements.namedItem(name), value)
    }
  }, [key, values])
  return {
    ref,
    noteChange: ({ target }: FormEvent<HTMLFormElement>) => {
      if (isField(target)) changed.current.add(target.name)
    },
    noteSent: () => changed.current.clear(),
  }
}

const isField = (target: unknown): target is HTMLInputElement | HTMLSelectElement =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

function isChanged(field: HTMLInputElement | HTMLSelectElement): boolean {
  if (field instanceof HTMLInputElement) return field.value !== field.defaultValue
  const options = Array.from(field.options)
  const initial = options.findIndex((option) => option.defaultSelected)
  return field.selectedIndex !== Math.max(initial, 0)
}

function setValue(field: Element | RadioNodeList | null | undefined, value: string): void {
  // Values in the URL are trimmed. A space typed after a word must not be removed.
  if (isField(field) && field.value.trim() !== value.trim()) field.value = value
}
