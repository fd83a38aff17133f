import type { GalleryValue } from './gallery-context'

/**
 * The videos that a button applies to. Part of what the form sends
 * (app/domain/videos/gallery/choice.ts).
 */
export type Choice = 'selected' | 'all' | 'filtered'

/** Returns a choice as a query string for the list call, the archive and the prompts. */
export function queryOf(
  { page, scope }: Pick<GalleryValue, 'page' | 'scope'>,
  choice: Choice,
): URLSearchParams {
  const query = new URLSearchParams({ choice, scope })
  if (choice !== 'filtered') return query
  for (const [name, value] of Object.entries(page.filters)) if (value) query.set(name, value)
  return query
}
