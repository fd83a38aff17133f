import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Draft, DraftKind, DraftText } from '~/domain/videos/requests/drafts'
import { fillForm, isSameText, readCopy, readForm, removeCopy, writeCopy } from './draft-storage'

type Options = {
  userId: string
  kind: DraftKind
  textField: 'prompt' | 'promptLines'
  /** The server's draft of this form. */
  draft: Draft
  /** The fields as the server rendered them: the draft, or what was typed before a refusal. */
  initial: DraftText
}

/**
 * Stores what is typed into a form in the browser, restores it, and applies newer drafts of the
 * server. Returns the current fields and a function to call when they change.
 */
export function useFormDraft(
  form: RefObject<HTMLFormElement>,
  { userId, kind, textField, draft, initial }: Options,
): { fields: DraftText; sync: () => void } {
  const [fields, setFields] = useState(initial)
  const seen = useRef<number>()
  const { version } = draft

  const sync = () => {
    if (!form.current) return
    const now = readForm(form.current, textField)
    setFields(now)
    writeCopy(userId, kind, { ...now, version: seen.current ?? version })
  }

  useEffect(() => {
    const element = form.current
    if (!element) return
    const isFirst = seen.current === undefined
    seen.current = version
    const typed = readForm(element, textField)
    if (isFirst) {
      const copy = readCopy(userId, kind)
      const isUntouched = isSameText(typed, draft)
      if (copy?.version === version && isUntouched) fillForm(element, textField, copy)
    } else fillForm(element, textField, kind === 'single' ? sinceSending(typed, draft) : draft)
    const now = readForm(element, textField)
    setFields(now)
    // Also store what was typed in the meantime or before the scripts loaded. Remove a void copy.
    if (isSameText(now, draft)) removeCopy(userId, kind)
    else writeCopy(userId, kind, { ...now, version })
  }, [version, userId, kind])
  return { fields, sync }
}

/** The box was emptied when its text was sent, so any text in it is the next prompt. */
const sinceSending = (typed: DraftText, draft: Draft): DraftText =>
  typed.text === '' ? { ...typed, text: draft.text } : typed
