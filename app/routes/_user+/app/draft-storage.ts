import { eachText, TEXT_NAMES } from '~/domain/videos/order-fields'
import type { Draft, DraftKind, DraftText } from '~/domain/videos/requests/drafts'

// Drafts are also stored in the browser, so that they survive a closed tab: one copy per user and
// form. A copy belongs to a version of the server's draft.

/**
 * A copy in the browser. `isSent`: its form was sent, and no response has come yet. `base`: the text of the
 * server's draft that it was typed over; null if an earlier release stored the copy.
 */
export type DraftCopy = Draft & { isSent: boolean; base: string | null }

/**
 * Returns whether a copy is what the user typed last. Once the server has a newer version, a copy
 * that was sent is void: its batch has started, or a file was added to it. A copy that was not sent
 * stays valid: the newer version comes from another tab or device. It gives way only to a text.
 */
export const isValidCopy = (copy: DraftCopy, draft: Draft): boolean =>
  copy.version === draft.version || (!copy.isSent && draft.text === '')

const storageKey = (userId: string, kind: DraftKind) => `draft:${userId}:${kind}`

/** Returns the copy of a form's draft, or null if there is none. */
export function readCopy(userId: string, kind: DraftKind): DraftCopy | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey(userId, kind)) ?? 'null')
    return copyIn(value)
  } catch {
    return null
  }
}

/** Stores a copy. Does nothing in a browser without storage. */
export function writeCopy(userId: string, kind: DraftKind, copy: DraftCopy): void {
  try {
    localStorage.setItem(storageKey(userId, kind), JSON.stringify(copy))
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

/** Reads a stored copy. A copy of an earlier release may lack a field of today's form. */
function copyIn(value: unknown): DraftCopy | null {
  if (typeof value !== 'object' || value === null) return null
  const fields = new Map<string, unknown>(Object.entries(value))
  const textOf = (name: string) => {
    const text = fields.get(name)
    return typeof text === 'string' ? text : ''
  }
  const version = fields.get('version')
  const aspectRatio = fields.get('aspectRatio')
  const isRatio = aspectRatio === 'portrait' || aspectRatio === 'landscape'
  if (typeof fields.get('text') !== 'string' || typeof version !== 'number' || !isRatio) return null
  const isSent = fields.get('isSent') === true
  const base = fields.has('base') ? textOf('base') : null
  return { text: textOf('text'), ...eachText(textOf), aspectRatio, version, isSent, base }
}

/** Returns whether two drafts have the same values in all fields. */
export const isSameText = (a: DraftText, b: DraftText): boolean =>
  a.text === b.text &&
  a.aspectRatio === b.aspectRatio &&
  TEXT_NAMES.every((name) => a[name] === b[name])

/** Writes a draft into the form's fields. */
export function fillForm(form: HTMLFormElement, textField: string, draft: DraftText): void {
  const texts = new Map([
    [textField, draft.text],
    ...TEXT_NAMES.map((name) => [name, draft[name]] as const),
  ])
  for (const field of form.elements) {
    if (field instanceof HTMLTextAreaElement) field.value = texts.get(field.name) ?? field.value
    if (field instanceof HTMLInputElement && field.name === 'aspectRatio') {
      field.checked = field.value === draft.aspectRatio
    }
  }
}
