import type { ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { shouldRevalidate } from '../ui/page-forms'
import { CHANGE_PASSWORD } from './change-password-address'

/** Query parameters that open, close or fill a dialog and change nothing else. */
const OF_DIALOGS = ['dialog', 'on', 'typed', 'ids', 'all', 'except', 'choice', 'scope']

/** Returns whether a navigation only opens, closes or changes a dialog. */
export function isOnlyDialog({
  currentUrl,
  nextUrl,
  formMethod,
}: Pick<ShouldRevalidateFunctionArgs, 'currentUrl' | 'nextUrl' | 'formMethod'>): boolean {
  return (
    formMethod === undefined &&
    currentUrl.pathname === nextUrl.pathname &&
    currentUrl.search !== nextUrl.search &&
    restOf(currentUrl) === restOf(nextUrl)
  )
}

function restOf({ search }: URL): string {
  const rest = new URLSearchParams(search)
  for (const name of OF_DIALOGS) rest.delete(name)
  return rest.toString()
}

/**
 * For the loaders of the document and the frame, whose data does not depend on the open dialog. The
 * password dialog is an exception: it may renew the session, and the form tokens belong to a
 * session.
 */
export function unlessDialog(args: ShouldRevalidateFunctionArgs): boolean {
  if (isOnlyDialog(args)) return args.currentUrl.searchParams.get('dialog') === CHANGE_PASSWORD
  return shouldRevalidate(args)
}
