import type { ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { readDialog } from '~/lib/dialog-address'

/** Dialogs that show what the page has already, or ask for the rest themselves. */
const OWN_DATA = ['preview', 'edit', 'delete-selected', 'retry-all']

/**
 * For `shouldRevalidate`: opening or closing a gallery's dialog loads nothing anew, so that it is
 * there at once.
 */
export function isOnlyGalleryDialog(args: ShouldRevalidateFunctionArgs): boolean {
  const { currentUrl, nextUrl, formMethod } = args
  if (formMethod !== undefined || currentUrl.pathname !== nextUrl.pathname) return false
  const dialogs = [currentUrl, nextUrl].map((url) => readDialog(url.searchParams).name)
  const isOurs = dialogs.every((name) => name === null || OWN_DATA.includes(name))
  return isOurs && dialogs[0] !== dialogs[1] && restOf(currentUrl) === restOf(nextUrl)
}

/** The query without its dialog and the ticks that came with it. */
function restOf({ search }: URL): string {
  const rest = new URLSearchParams(search)
  for (const name of ['dialog', 'on', 'ids', 'choice', 'scope']) rest.delete(name)
  return rest.toString()
}
