import type { Draft, DraftKind, DraftText } from '~/domain/videos/requests/drafts'

// Drafts are also stored in the browser, so that they survive a closed tab: one copy per user and
// form. A copy belongs to a version of the server's draft. It is void once the server has a newer
// version (a file was read into the box, or the batch was started).

const storageKey = (userId: string, kind: DraftKind) => `draft:${userId}:${kind}`

/** Returns the copy of a form's draft, or null if there is no valid one. */
export function readCopy(userId: string, kind: DraftKind): Draft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey(userId, kind)) ?? 'null')
    return isDraft(value) ? value : null
  } catch {
    return null
  }
}

/** Stores a copy. Does nothing in a browser without storage. */
export function writeCopy(userId: string, kind: DraftKind, draft: Draft): void {
  try {
    localStorage.setItem(storageKey(userId, kind), JSON.stringify(draft))
  } catch {
    // Storage is full or forbidden: the user continues without a copy.
  }
}

export function removeCopy(userId: string, kind: DraftKind): void {
  try {
    localStorage.removeItem(storageKey(userId, kind))
  } catch {
    // Without storage there is no copy to remove.
  }
}

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'text' in value &&
    typeof value.text === 'string' &&
    'negativePrompt' in value &&
    typeof value.negativePrompt === 'string' &&
    'aspectRatio' in value &&
    (value.aspectRatio === 'portrait' || value.aspectRatio === 'landscape') &&
    'version' in value &&
    typeof value.version === 'number'
  )
}

/** Returns the current values of a form of the create screen. */
export function readForm(form: HTMLFormElement, textField: string): DraftText {
  const data = new FormData(form)
  const read = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
  return {
    text: read(textField),
    negativePrompt: read('negativePrompt'),
    aspectRatio: read('aspectRatio') === 'landscape' ? 'landscape' : 'portrait',
  }
}

/** Returns whether two drafts have the same values in all fields. */
export const isSameText = (a: DraftText, b: DraftText): boolean =>
  a.text === b.text && a.negativePrompt === b.negativePrompt && a.aspectRatio === b.aspectRatio

/** Writes a draft into the form's fields. */
export function fillForm(form: HTMLFormElement, textField: string, draft: DraftText): void {
  const texts = { [textField]: draft.text, negativePrompt: draft.negativePrompt }
  for (const field of form.elements) {
    if (field instanceof HTMLTextAreaElement) field.value = texts[field.name] ?? field.value
    if (field instanceof HTMLInputElement && field.name === 'aspectRatio') {
      field.checked = field.value === draft.aspectRatio
    }
  }
}
