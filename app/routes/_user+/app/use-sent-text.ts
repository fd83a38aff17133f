import { useEffect, useRef, type RefObject } from 'react'
import type { FormResponse } from '~/http/forms/forms.server'

type Sending = {
  isSending: boolean
  failure: FormResponse | null
  /** Reads the form again after this hook changed its text. */
  sync: () => void
}

/**
 * Clears the prompt box when the prompt is sent, before the next event of the page, so that the user can type the next one. If
 * the request is refused or gets no response, the prompt is restored before what has been typed
 * since.
 */
export function useSentText(
  form: RefObject<HTMLFormElement>,
  { isSending, failure, sync }: Sending,
): void {
  const sent = useRef<{ text: string; before: FormResponse | null } | null>(null)
  const latest = useRef({ failure, sync })
  useEffect(() => {
    latest.current = { failure, sync }
  })
  useEffect(() => {
    const box = form.current?.elements.namedItem('prompt')
    if (!(box instanceof HTMLTextAreaElement)) return
    const { failure, sync } = latest.current
    if (isSending) {
      // The form renders this state before the next event, so the box still has what was sent.
      sent.current = { text: box.value, before: failure }
      box.value = ''
      sync()
      return
    }
    const last = sent.current
    sent.current = null
    if (!last || failure === null || failure === last.before) return
    box.value = box.value === '' ? last.text : `${last.text}\n${box.value}`
    sync()
  }, [isSending, form])
}
