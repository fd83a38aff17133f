import { redirect, type TypedResponse } from '@remix-run/node'
import { isAppError } from '~/domain/errors'
import { paths } from '~/lib/paths'

/** Temporary Redirect: the client posts the same form again to the new URL (RFC 9110 §15.4.8). */
const WITH_THE_FORM = 307

/**
 * Redirects a posted form to the page that asks for the password and then sends the form on. Works
 * for browsers and for the product's scripts.
 */
export function confirmFirst({ url }: Request): TypedResponse<never> {
  const { pathname, search } = new URL(url)
  return redirect(paths.admin.confirm(pathname + search), WITH_THE_FORM)
}

/** The toast for a form that was sent back without the password. */
export const NOTHING_DONE = {
  kind: 'info',
  title: 'Cancelled',
  description: 'Nothing was changed.',
} as const

/**
 * Sends the form on to its original URL: either with `NOT_CONFIRMED`, or with the proof and the
 * headers that set the renewed session cookie.
 */
export function sendOn(wanted: string, headers = new Headers()): TypedResponse<never> {
  const { pathname, searchParams } = new URL(wanted, 'http://own')
  // `?index` makes Remix send a post to the index route. Other routes ignore it.
  searchParams.set('index', '')
  return redirect(`${pathname}?${searchParams}`, { status: WITH_THE_FORM, headers })
}

/**
 * Runs a form's action. If it needs the password, redirects the form to the page that asks for it.
 */
export async function orConfirmFirst<Data>(
  request: Request,
  respond: () => Promise<Data>,
): Promise<Data> {
  try {
    return await respond()
  } catch (error) {
    if (isAppError(error) && error.code === 'PASSWORD_NEEDED') throw confirmFirst(request)
    throw error
  }
}
