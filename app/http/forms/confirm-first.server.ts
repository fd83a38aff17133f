import { redirect, type TypedResponse } from '@remix-run/node'
import { isAppError } from '~/domain/errors'
import { paths } from '~/lib/paths'

/** Nothing but a form: the sender posts it again to where it is led (RFC 9110 §15.4.8). */
const WITH_THE_FORM = 307

/**
 * Leads a posted form to the page that asks for the password and then carries it on, by browsers and by
 * our scripts alike.
 */
export function confirmFirst({ url }: Request): TypedResponse<never> {
  const { pathname, search } = new URL(url)
  return redirect(paths.admin.confirm(pathname + search), WITH_THE_FORM)
}

/** What is said of a form that came back without the password. */
export const NOTHING_DONE = {
  kind: 'info',
  title: 'Cancelled',
  description: 'Nothing was changed.',
} as const

/**
 * Carries the form on, with `NOT_CONFIRMED` or with the proof and the headers of the session's new token,
 * to the address that it was sent to.
 */
export function sendOn(wanted: string, headers = new Headers()): TypedResponse<never> {
  const { pathname, searchParams } = new URL(wanted, 'http://own')
  // The form of an index page is meant for the index; elsewhere it says nothing.
  searchParams.set('index', '')
  return redirect(`${pathname}?${searchParams}`, { status: WITH_THE_FORM, headers })
}

/** Answers a form, or leads it to the page that asks for the password. */
export async function orConfirmFirst<Answer>(
  request: Request,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (isAppError(error) && error.code === 'PASSWORD_NEEDED') throw confirmFirst(request)
    throw error
  }
}
