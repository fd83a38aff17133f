import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Draft, DraftKind, DraftText } from '~/domain/videos/requests/drafts'
import { fillForm, isSameText, readCopy, readForm, removeCopy, writeCopy } from './draft-storage'

type Options = {
  userId: string
  kind: DraftKind
  textField: 'prompt' | 'promptLines'
  /** What the server has for this form. */
  draft: Draft
  /** What the server put into the fields: the draft, or what was typed before a refusal. */
  initial: DraftText
}

/**
 * Keeps what is typed into a form in the browser, brings it back, and takes over what the server put
 * in its place. Answers the fields as they stand and what to call when they change.
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
    // What was typed meanwhile, or before the scripts came, is kept as well; a void copy goes.
    if (isSameText(now, draft)) removeCopy(userId, kind)
    else writeCopy(userId, kind, { ...now, version })
  }, [version, userId, kind])
  return { fields, sync }
}

/** The box was emptied when its text was sent: what is in it now is the next one. */
const sinceSending = (typed: DraftText, draft: Draft): DraftText =>
  typed.text === '' ? { ...typed, text: draft.text } : typed
