/** The fields of a form that waits while its sender proves who they are; a repeated field is a list. */
export type Carried = Record<string, string | string[]>

/**
 * With this field a form comes back to its page without the proof: nothing is carried out, and the page
 * shows what was typed.
 */
export const NOT_CONFIRMED = 'notConfirmed'

/** Fields that are the page's own and not the waiting form's. */
const OWN = new Set([
  ...['ownPassword', 'code', 'recoveryCode', 'formToken', NOT_CONFIRMED],
  // Said by a page that keeps what was typed; it has been left.
  'scripted',
])

/** What a form carries besides the proof. */
export function readCarried(data: FormData): Carried {
  const carried: Carried = {}
  for (const name of new Set(data.keys())) {
    if (OWN.has(name)) continue
    const texts = data.getAll(name).filter((value) => typeof value === 'string')
    carried[name] = texts.length === 1 ? (texts[0] ?? '') : texts
  }
  return carried
}
