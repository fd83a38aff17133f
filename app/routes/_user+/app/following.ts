import { readDialog } from '~/lib/dialog-address'

/**
 * Returns whether a URL of the create screen is for writing. Without scripts a page shows progress
 * by reloading itself, which would discard what the user is typing. So the screen either follows
 * the work and has no box to type into, or does not reload. A URL with a tab or with something to
 * fill in is for writing, unless it also names work that has just been started. A page with an open dialog does
 * not reload either.
 */
export function isForWriting(search: URLSearchParams): boolean {
  if (readDialog(search).name !== null) return true
  const isWriting = ['tab', 'prompt', 'daily', 'like'].some((name) => search.has(name))
  const tab = search.get('tab')
  // A batch that was stopped from another tab is shown there beside what the user is writing.
  const showsBatch = search.has('batch') && (tab === null || tab === 'bulk')
  return isWriting && !search.has('watch') && !showsBatch
}
