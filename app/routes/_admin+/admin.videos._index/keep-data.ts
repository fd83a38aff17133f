import type { ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { readDialog } from '~/lib/dialog-address'
import { CHANGE_PASSWORD } from '~/components/layout/change-password-address'
import { isOnlyDialog } from '~/components/layout/should-revalidate'
import { isAction } from '~/components/gallery/actions'

/** Dialogs that use the page's data or fetch the rest themselves. */
const hasOwnData = (name: string): boolean =>
  isAction(name) || name === 'preview' || name === CHANGE_PASSWORD

/**
 * For `shouldRevalidate`: opening or closing a gallery's dialog does not reload any data, so that
 * the dialog opens at once.
 */
export function isOnlyGalleryDialog(args: ShouldRevalidateFunctionArgs): boolean {
  const names = [args.currentUrl, args.nextUrl].map((url) => readDialog(url.searchParams).name)
  return isOnlyDialog(args) && names.every((name) => name === null || hasOwnData(name))
}
