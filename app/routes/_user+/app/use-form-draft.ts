import { useEffect, useRef, useState, type RefObject } from 'react'
import {
  readDraft,
  type BoxName,
  type Draft,
  type DraftKind,
  type DraftText,
} from '~/domain/videos/requests/drafts'
import type * as draftLines from './draft-lines'
import {
  fillForm,
  isSameText,
  isValidCopy,
  readCopy,
  removeCopy,
  writeCopy,
  type DraftCopy,
} from './draft-storage'

/** How lines come together in a box that more than its user writes into. */
export type DraftLines = typeof draftLines

type Options = {
  userId: string
  kind: DraftKind
  textField: BoxName
  /** The server's draft of this form. */
  draft: Draft
  /** The fields as the server rendered them: the draft, or what was typed before a refusal. */
  initial: DraftText
  /** The form as it is being sent. */
  sending: FormData | null
  /** The form that was sent last was refused. */
  isRefused: boolean
  /** Of a box of several lines. A box for one prompt takes no lines. */
  lines: DraftLines | null
}

/**
 * Stores what is typed into a form in the browser, restores it, and applies newer drafts of the
 * server. A newer draft that comes from another tab or device does not replace what is typed here; lines
 * that were added to it are added here too. Returns the current fields and a function to call when they change.
 */
export function useFormDraft(
  form: RefObject<HTMLFormElement>,
  { userId, kind, textField, draft, initial, sending, isRefused, lines }: Options,
): { fields: DraftText; sync: () => void } {
  const [fields, setFields] = useState(initial)
  const seen = useRef<Draft>()
  /** What is being sent, until the response. */
  const sent = useRef<DraftText | null>(null)
  const { version } = draft
  const isSending = sending !== null

  const store = (now: DraftText) => {
    const text = unsettled(sent.current, now)
    const isSent = sent.current !== null
    writeCopy(userId, kind, { ...now, text, version, isSent, base: draft.text })
  }
  const sync = () => {
    if (!form.current) return
    const now = readDraft(new FormData(form.current), textField)
    setFields(now)
    store(now)
  }

  useEffect(() => {
    const element = form.current
    if (!element) return
    const before = seen.current
    seen.current = draft
    const typed = readDraft(new FormData(element), textField)
    const copy = readCopy(userId, kind)
    if (before === undefined) {
      const kept = copy && isSameText(typed, draft) ? keptCopy(copy, draft, lines) : null
      if (kept) fillForm(element, textField, kept)
    } else if (!lines) fillForm(element, textField, sinceSending(typed, draft))
    else if (sent.current) {
      if (!isRefused) fillForm(element, textField, lines.withTypedSince(draft, sent.current, typed))
    } else {
      const next = isSameText(typed, before) ? draft : lines.withAddition(typed, before.text, draft)
      if (next && !isSameText(next, typed)) fillForm(element, textField, next)
    }
    const now = readDraft(new FormData(element), textField)
    setFields(now)
    sent.current = null
    // Also store what was typed in the meantime or before the scripts loaded. Remove a void copy.
    if (!isSameText(now, draft)) store(now)
    else if (!copy || !isOfAnotherTab(copy, typed)) removeCopy(userId, kind)
  }, [version, userId, kind])

  // After the effect above, which is about the form as it was sent.
  useEffect(() => {
    if (isSending === (sent.current !== null)) return
    sent.current = sending && readDraft(sending, textField)
    sync()
  }, [isSending])
  return { fields, sync }
}

/** Returns what a copy contributes to a form that shows the server's draft, or null if it is void. */
function keptCopy(copy: DraftCopy, draft: Draft, lines: DraftLines | null): DraftText | null {
  if (isValidCopy(copy, draft)) return copy
  return copy.isSent ? null : (lines?.withAddition(copy, copy.base, draft) ?? null)
}

/**
 * Returns the text that is not settled yet: a box that was emptied when its text was sent shows only
 * what was typed since. If the user has to sign in first, no response follows.
 */
const unsettled = (sent: DraftText | null, now: DraftText): string =>
  sent === null || now.text.startsWith(sent.text)
    ? now.text
    : [sent.text, now.text].filter(Boolean).join('\n')

/** Tabs of a browser share its copies. Another tab's text is not removed with this tab's. */
const isOfAnotherTab = (copy: DraftCopy, typed: DraftText): boolean =>
  !copy.isSent && !isSameText(copy, typed)

/** The box was emptied when its text was sent, so any text in it is the next prompt. */
const sinceSending = (typed: DraftText, draft: Draft): DraftText =>
  typed.text === '' ? { ...typed, text: draft.text } : typed
