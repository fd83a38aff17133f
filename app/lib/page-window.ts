export type PageItem = number | 'gap'

/**
 * Returns the items of a page bar: a window of `size` pages around the current one, the first and
 * the last page, and gaps where numbers are omitted.
 */
export function pageWindow(page: number, totalPages: number, size = 10): PageItem[] {
  const start = Math.max(1, Math.min(page - Math.floor(size / 2), totalPages - size + 1))
  const end = Math.min(totalPages, start + size - 1)
  return withEnds(range(start, end), totalPages)
}

/** Returns the page bar with only the current page and its neighbours (administrators' gallery). */
export function pageNeighbours(page: number, totalPages: number): PageItem[] {
  return withEnds(range(Math.max(1, page - 1), Math.min(totalPages, page + 1)), totalPages)
}

function withEnds(shown: number[], totalPages: number): PageItem[] {
  const [first, last] = [shown[0] ?? 1, shown.at(-1) ?? totalPages]
  const before: PageItem[] = first === 1 ? [] : first === 2 ? [1] : [1, 'gap']
  const after: PageItem[] =
    last === totalPages ? [] : last === totalPages - 1 ? [totalPages] : ['gap', totalPages]
  return [...before, ...shown, ...after]
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
}
