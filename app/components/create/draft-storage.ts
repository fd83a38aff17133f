import type { Draft, DraftKind, DraftText } from '~/domain/videos/requests/drafts'

// What was typed survives a closed tab in the browser itself, one copy a user and form. A copy belongs
// to a version of the server's draft: once the server has a newer one (a file was read in, the batch
// was started), the copy is void.

const storageKey = (userId: string, kind: DraftKind) => `draft:${userId}:${kind}`

/** The copy of this form, or null when there is none or it is void. */
export function readCopy(userId: string, kind: DraftKind): Draft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey(userId, kind)) ?? 'null')
    return isDraft(value) ? value : null
  } catch {
    return null
  }
}

/** Keeps a copy; a browser without storage keeps none. */
export function writeCopy(userId: string, kind: DraftKind, draft: Draft): void {
  try {
    localStorage.setItem(storageKey(userId, kind), JSON.stringify(draft))
  } catch {
    // Full or forbidden: typing goes on without a copy.
  }
}

export function removeCopy(userId: string, kind: DraftKind): void {
  try {
    localStorage.removeItem(storageKey(userId, kind))
  } catch {
    // There is none to remove.
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

/** What stands in a form of the create screen now. */
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

/** Whether two texts of a form are the same in all its fields. */
export const isSameText = (a: DraftText, b: DraftText): boolean =>
  a.text === b.text && a.negativePrompt === b.negativePrompt && a.aspectRatio === b.aspectRatio

/** Puts a draft into the form's fields. */
export function fillForm(form: HTMLFormElement, textField: string, draft: DraftText): void {
  const texts = { [textField]: draft.text, negativePrompt: draft.negativePrompt }
  for (const field of form.elements) {
    if (field instanceof HTMLTextAreaElement) field.value = texts[field.name] ?? field.value
    if (field instanceof HTMLInputElement && field.name === 'aspectRatio') {
      field.checked = field.value === draft.aspectRatio
    }
  }
}
