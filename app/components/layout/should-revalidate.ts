import type { ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { CHANGE_PASSWORD } from './change-password-address'

/**
 * After a form that got no answer nothing is loaded again: nothing has changed, and loading what does
 * not answer either would replace the page, and what was typed, by an error.
 */
export function unlessUnanswered({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const result: unknown = actionResult
  const isUnanswered = typeof result === 'object' && result !== null && 'isUnanswered' in result
  return isUnanswered ? false : defaultShouldRevalidate
}

/** Parts of an address that open, close or fill a dialog and change nothing else. */
const OF_DIALOGS = ['dialog', 'on', 'typed', 'ids', 'choice', 'scope']

/** Whether a navigation opens, closes or changes a dialog and does nothing besides. */
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
 * For loaders that answer the same whatever dialog is open: the document's and the frame's. Behind the
 * one that changes the password the session may be a new one, and forms prove which one they are for.
 */
export function unlessDialog(args: ShouldRevalidateFunctionArgs): boolean {
  if (isOnlyDialog(args)) return args.currentUrl.searchParams.get('dialog') === CHANGE_PASSWORD
  return unlessUnanswered(args)
}
