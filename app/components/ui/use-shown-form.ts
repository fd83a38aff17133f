import { useActionData, useNavigation } from '@remix-run/react'
import type { SubmissionResult } from '@conform-to/react'
import { useEffect, useRef, useState } from 'react'
import { beforeField } from '~/domain/administration/rules'
import type { ShownFields } from '~/domain/administration/shown'
import { useActionForm } from './use-action-form'

type FormOptions<Fields extends Record<string, unknown>> = NonNullable<
  Parameters<typeof useActionForm<Fields>>[1]
>
type Options<Fields extends Record<string, unknown>> = FormOptions<Fields> & {
  /** The stored values of the fields. */
  shown: ShownFields & FormOptions<Fields>['defaultValue']
}

/**
 * Does the same as `useActionForm` for a form that changes what is stored, and returns as well what
 * the form showed: hidden fields (`HiddenFields`) with which the server finds out what others have
 * changed since (`shown` of `form`). They stay as they are while the form is open, as its fields do.
 * If other values are stored, the form shows them, unless something was typed in it.
 */
export function useShownForm<Fields extends Record<string, unknown>>(
  intent: string,
  { shown, ...options }: Options<Fields>,
) {
  const [form, fields] = useActionForm<Fields>(intent, { defaultValue: shown, ...options })
  const response = useActionData<{ intent?: string; result?: SubmissionResult }>()
  const ours = response?.intent === intent ? response.result : undefined
  const refused = (options.lastResult ?? ours)?.initialValue
  const isRefused = refused !== undefined
  const isSending = useNavigation().formData?.get('intent') === intent
  const wasSent = useRef(false)
  useEffect(() => {
    if (isSending) wasSent.current = true
  }, [isSending])

  const text = JSON.stringify(shown)
  const [before, setBefore] = useState<ShownFields>(shown)
  // A reset renders at once, before the state has changed.
  const shownText = useRef(text)
  useEffect(() => {
    if (isRefused) wasSent.current = false
    const element = document.forms.namedItem(form.id)
    if (isRefused || !element || shownText.current === text) return
    if (!wasSent.current && isTyped(element)) return
    wasSent.current = false
    shownText.current = text
    // Conform answers a reset with the fields as they are stored now.
    element.reset()
    setBefore(shown)
  }, [text, shown, isRefused, form.id])

  const sent = Object.keys(before).map((name) => {
    const value = refused?.[beforeField(name)] ?? before[name] ?? ''
    const texts = [value].flat().filter((one) => typeof one === 'string')
    // A list without ticks is sent as well: the server would not know of it.
    return [beforeField(name), texts.length === 0 ? [''] : texts] as const
  })
  return [form, fields, Object.fromEntries(sent)] as const
}

/** Returns whether something in a form is not as the page showed it. */
const isTyped = (form: HTMLFormElement): boolean =>
  Array.from(form.elements).some((element) => {
    if (element instanceof HTMLSelectElement)
      return Array.from(element.options).some((one) => one.selected !== one.defaultSelected)
    if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue
    if (!(element instanceof HTMLInputElement) || element.type === 'hidden') return false
    return element.value !== element.defaultValue || element.checked !== element.defaultChecked
  })
