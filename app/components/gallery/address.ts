/** What belongs to one visit of an address and not to the list it shows. */
const PASSING = 'dialog on typed ids select choice from scope after before'.split(' ')

/**
 * The query of the same screen with some of its gallery's filters or its page changed. 'all', '' and
 * null take a filter away; a new filter starts at the first page. Never empty: a lone '?' clears the
 * query.
 */
export function galleryAddress(
  search: string,
  changes: Readonly<Record<string, string | number | null>>,
): string {
  const next = new URLSearchParams(search)
  for (const name of [...PASSING, 'page']) next.delete(name)
  for (const [name, value] of Object.entries(changes)) {
    const isOff = value === null || value === '' || value === 'all'
    if (isOff || (name === 'page' && value === 1)) next.delete(name)
    else next.set(name, String(value))
  }
  return `?${next}`
}
