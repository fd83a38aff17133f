// A dialog is part of the address (`?dialog=edit&on=42`), so that it opens, closes and reopens
// after a failed form without scripts.

const NAME = 'dialog'
const SUBJECT = 'on'
const TYPED = 'typed'

/** In the state of an entry of the browser's history: the address from which it was opened. */
export const CAME_FROM = 'cameFrom'

/** Returns the dialog that an address opens, and the id of its subject. */
export function readDialog(search: URLSearchParams): { name: string | null; on: string | null } {
  return { name: search.get(NAME), on: search.get(SUBJECT) }
}

/**
 * Returns the address with a request to refill its dialog with what was typed before the session
 * ended.
 */
export function typedAddress(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://own')
  searchParams.set(TYPED, 'yes')
  return `${pathname}?${searchParams}`
}

/** Returns whether an address requests that. */
export const bringsTyped = (search: URLSearchParams): boolean => search.has(TYPED)

/** Returns the query that opens a dialog on the same page. `on` is the id of its subject. */
export function dialogAddress(search: string, name: string, on?: string): string {
  const next = withoutDialog(search)
  next.set(NAME, name)
  if (on !== undefined) next.set(SUBJECT, on)
  return `?${next}`
}

/**
 * Returns the query of the same page without its dialog. Never empty: a lone '?' clears the query.
 */
export function closedAddress(search: string): string {
  return `?${withoutDialog(search)}`
}

function withoutDialog(search: string): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of [NAME, SUBJECT, TYPED]) next.delete(name)
  return next
}
