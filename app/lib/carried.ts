/**
 * The fields of a form that waits until its sender has confirmed their identity. Repeated fields
 * are lists.
 */
export type Carried = Record<string, string | string[]>

/**
 * Marks a form that returns to its page without confirmation. The action is not executed, and the
 * page shows the typed values.
 */
export const NOT_CONFIRMED = 'notConfirmed'

/**
 * Marks a form that scripts send: its page keeps what was typed. The values are what is said if no
 * usable response arrives. `scripted-x` has those of the intent x.
 */
export const SCRIPTED = 'scripted'

/**
 * Marks a form that scripts send without leaving the page. The response is its toast instead of a
 * redirect.
 */
export const STAYS = 'stays'

/** Returns whether a field is a mark of the page's scripts, which no handler needs. */
export const isOfScripts = (name: string): boolean =>
  name === STAYS || name === SCRIPTED || name.startsWith(`${SCRIPTED}-`)

/** Fields that belong to the confirmation page, not to the waiting form. */
const OWN = new Set(['ownPassword', 'code', 'recoveryCode', 'formToken', NOT_CONFIRMED])

/** Returns the fields of a form without those of the confirmation. */
export function readCarried(data: FormData): Carried {
  const carried: Carried = {}
  for (const name of new Set(data.keys())) {
    // The user has left the page that kept what was typed.
    if (OWN.has(name) || isOfScripts(name)) continue
    const texts = data.getAll(name).filter((value) => typeof value === 'string')
    carried[name] = texts.length === 1 ? (texts[0] ?? '') : texts
  }
  return carried
}
