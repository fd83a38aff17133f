/** Returns the query of another page of the same list. */
export function pageAddress(search: string, page: number): string {
  const next = new URLSearchParams(search)
  next.set('page', String(page))
  return `?${next}`
}
