import { readDialog } from '~/lib/dialog-address'

/**
 * Whether an address of the create screen is for writing. Without scripts a page shows progress by
 * loading itself anew, which would take along what is being typed: so the screen either follows the
 * work and has no box to type into, or stands still. Naming a tab or a prompt is for writing, unless
 * the address also names what has just been started. An open dialog stands still as well.
 */
export function isForWriting(search: URLSearchParams): boolean {
  if (readDialog(search).name !== null) return true
  return (search.has('tab') || search.has('prompt')) && !search.has('watch') && !search.has('batch')
}
