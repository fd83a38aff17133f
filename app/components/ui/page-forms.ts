import type { ClientActionFunctionArgs, ShouldRevalidateFunctionArgs } from '@remix-run/react'
import type { FormResponse } from '~/http/forms/forms.server'
import { messageIn, REACHED, REQUEST_FAILED, unanswered } from '~/lib/call-api'
import { SCRIPTED, STAYS } from '~/lib/carried'
import { paths } from '~/lib/paths'
import { goToSignIn } from './go-to-sign-in'
import { released, speaking, tellStayed } from './staying-forms'
import { showToast } from './toasts'

// What a page with forms exports, under the names that Remix expects.

/**
 * Sends a form of a page with scripts. If no response of the product's server arrives (the network is
 * down, or a proxy responded), the page stays as it is, with what was typed, and the form's own words
 * (`failed` of `ActionForm`) report it. A form that stays (`STAYS`) shows the toast of its response
 * here, whatever page is shown by then; the form of an open dialog says itself why it was refused.
 */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const data = await request.clone().formData()
  const intent = textOf(data.get('intent'))
  const stays = data.get(STAYS)
  try {
    const response = await serverAction<FormResponse>()
      .then(ownResponse)
      .catch((error: unknown) => unansweredBy(error, { request, data, intent }))
    if (stays === null) return response
    const isDone = response.result.status === 'success'
    if (response.toast && (isDone || !speaking.has(stays))) showToast(response.toast)
    tellStayed({ intent, isDone })
    if (!('isUnanswered' in response)) dispatchEvent(new Event(REACHED))
    return response
  } catch (error) {
    if (stays === null || !leadsToSignIn(error)) throw error
    leaveToSignIn()
    // The page is being left: nothing in it should go on.
    return await new Promise<never>(() => undefined)
  } finally {
    released(data)
  }
}

/**
 * Reloads no data after a form that got no response: nothing has changed, and a failing reload
 * would replace the page, with what was typed, by an error page. Nor after a form that stays: the
 * page itself requests what has changed (`isLive`).
 */
export function shouldRevalidate({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const result: unknown = actionResult
  const isObject = typeof result === 'object' && result !== null
  const keepsData = isObject && ('isUnanswered' in result || 'isLive' in result)
  return keepsData ? false : defaultShouldRevalidate
}

/** Throws for the text of somebody else's page, such as the network's own, as a lost connection does. */
function ownResponse(response: FormResponse): FormResponse {
  const isText: boolean = typeof response === 'string'
  if (isText) throw new TypeError('This is no answer')
  return response
}

type Sent = { request: Request; data: FormData; intent: string }

/**
 * Returns the result of a form for which no usable response arrived. Rethrows redirects and error
 * pages of the product. Nothing stores what administrators type, so the end of their session
 * does not lead away from the page.
 */
function unansweredBy(error: unknown, { request, data, intent }: Sent) {
  const { pathname } = new URL(request.url)
  const keepsPage = [paths.admin.users, paths.helper].some((area) => pathname.startsWith(area))
  if (error instanceof Response && !(keepsPage && leadsToSignIn(error))) throw error
  const own = data.getAll(`${SCRIPTED}-${intent}`)
  const words = (own.length > 0 ? own : data.getAll(SCRIPTED)).map(textOf)
  const [title = REQUEST_FAILED, reason = 'An error occurred', lost = unanswered()] = words
  // A fetch without a response throws a TypeError. Any other error of its own means that the
  // response was not that of the page's action. Its message is the response's text.
  const description =
    error instanceof Response
      ? 'Your session has ended. Sign in in another tab, then try again here.'
      : error instanceof TypeError
        ? lost
        : ((error instanceof Error ? messageIn(error.message) : null) ?? reason)
  const toast = { kind: 'error', title, description } as const
  return { intent, result: { status: 'error' }, toast, isUnanswered: true } as const
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const leadsToSignIn = (error: unknown): boolean =>
  error instanceof Response && (error.headers.get('Location') ?? '').startsWith(paths.login)

/** As without scripts, an open form itself carries what was typed through sign-in, if it may. */
function leaveToSignIn(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-carried]')
  if (form) form.submit()
  else goToSignIn()
}
