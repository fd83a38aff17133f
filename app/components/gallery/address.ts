/** Query parameters that belong to one visit, not to the list that the URL shows. */
const PASSING = 'dialog on typed ids select all except choice from scope after before'.split(' ')

/** Changes that remove every filter. A collection is not one of them: its page has no other list. */
export const NO_FILTER = Object.fromEntries(
  'status aspectRatio search words user reason inOrder days first last since starred'
    .split(' ')
    .map((name) => [name, null]),
)

/**
 * Returns the query string of the same screen with changed gallery filters or another page. 'all',
 * '' and null remove a filter. A new filter starts at the first page. Never returns an empty
 * string: a lone '?' clears the query.
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

/** Returns whether two query strings of one screen show different cards. */
export function isOtherPage(one: string, other: string): boolean {
  const [a, b] = [one, other].map((search) => new URLSearchParams(search))
  return ['page', 'limit', ...Object.keys(NO_FILTER)].some((name) => a?.get(name) !== b?.get(name))
}
