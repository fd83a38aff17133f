import { useNavigation } from '@remix-run/react'
import { useEffect, useRef, type RefObject } from 'react'
import type { FormFailure } from '~/http/forms/forms.server'

type Sending = {
  isSending: boolean
  failure: FormFailure | null
  /** Reads the form again after this hook changed its text. */
  sync: () => void
}

/**
 * Clears the prompt box as soon as the prompt is sent, so that the user can type the next one. If
 * the request is refused or gets no response, the prompt is restored before what has been typed
 * since.
 */
export function useSentText(
  form: RefObject<HTMLFormElement>,
  { isSending, failure, sync }: Sending,
): void {
  const sentText = useNavigation().formData?.get('prompt')
  const sent = useRef<{ text: string; before: FormFailure | null } | null>(null)
  const latest = useRef({ failure, sync, sentText })
  useEffect(() => {
    latest.current = { failure, sync, sentText }
  })
  useEffect(() => {
    const box = form.current?.elements.namedItem('prompt')
    if (!(box instanceof HTMLTextAreaElement)) return
    const { failure, sync, sentText } = latest.current
    if (isSending) {
      // On a slow machine the user may have typed more behind the sent text before this runs. That
      // text is kept.
      const text = typeof sentText === 'string' ? sentText : box.value
      sent.current = { text, before: failure }
      box.value = box.value.startsWith(text) ? box.value.slice(text.length) : ''
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
