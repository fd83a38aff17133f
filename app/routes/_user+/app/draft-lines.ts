import type { Draft, DraftText } from '~/domain/videos/requests/drafts'

/**
 * Returns what was typed with the lines that the server has added to its draft meanwhile, such as the prompts
 * of a batch that are used again: both stay. Null if the server's text is another one. `base`: the text of
 * the draft that was typed over.
 */
export function withAddition(
  typed: DraftText,
  base: string | null,
  draft: Draft,
): DraftText | null {
  const isInDraft = typed.text.trim() !== '' && linesAdded(typed.text, draft.text) !== null
  if (isInDraft) return { ...typed, text: draft.text }
  const added = base === null ? null : linesAdded(base, draft.text)
  return added === null ? null : { ...typed, text: withLines(typed.text, added) }
}

/** Returns the server's draft with what was typed after the form was sent. */
export function withTypedSince(draft: Draft, sent: DraftText, typed: DraftText): DraftText {
  // Only pictures were added.
  if (draft.text.trim() === sent.text.trim()) return typed
  const since = linesAdded(sent.text, typed.text)
  // A text that was changed meanwhile stays where nothing else is left of it.
  return { ...draft, text: withLines(draft.text, since ?? (draft.text === '' ? typed.text : '')) }
}

/** Returns the lines that a text has after those of `before`: '' if none, null if it is another text. */
function linesAdded(before: string, now: string): string | null {
  const start = before.trimEnd()
  if (start === '') return now
  if (now.trimEnd() === start) return ''
  return now.startsWith(`${start}\n`) ? now.slice(start.length + 1) : null
}

const withLines = (text: string, lines: string): string =>
  [text.trimEnd(), lines].filter((part) => part !== '').join('\n')
