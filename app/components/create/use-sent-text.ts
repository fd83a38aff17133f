import { useNavigation } from '@remix-run/react'
import { useEffect, useRef, type RefObject } from 'react'
import type { FormFailure } from '~/http/forms/forms.server'

type Sending = {
  isSending: boolean
  failure: FormFailure | null
  /** Reads the form again after its text was changed here. */
  sync: () => void
}

/**
 * The prompt leaves its box the moment it is sent, so that the next one can be typed at once. Where it
 * was refused or got no answer it is back, before what has been typed since.
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
      // What was typed since it was sent, on a slow machine, stands behind it and stays.
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
