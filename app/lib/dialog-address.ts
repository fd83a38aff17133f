// A dialog is part of an address (`?dialog=edit&on=42`), so that it opens, closes and comes back after
// a failed form without scripts.

const NAME = 'dialog'
const SUBJECT = 'on'
const TYPED = 'typed'

/** Which dialog an address opens, and about what. */
export function readDialog(search: URLSearchParams): { name: string | null; on: string | null } {
  return { name: search.get(NAME), on: search.get(SUBJECT) }
}

/** The same address, its dialog with what was typed into it before a session ended. */
export function typedAddress(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://own')
  searchParams.set(TYPED, 'yes')
  return `${pathname}?${searchParams}`
}

/** Whether an address wants that. */
export const bringsTyped = (search: URLSearchParams): boolean => search.has(TYPED)

/** The query of the same page with a dialog open; `on` is the id of what it is about. */
export function dialogAddress(search: string, name: string, on?: string): string {
  const next = withoutDialog(search)
  next.set(NAME, name)
  if (on !== undefined) next.set(SUBJECT, on)
  return `?${next}`
}

/** The query of the same page without its dialog. Never empty: a lone '?' clears the query. */
export function closedAddress(search: string): string {
  return `?${withoutDialog(search)}`
}

function withoutDialog(search: string): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of [NAME, SUBJECT, TYPED]) next.delete(name)
  return next
}
