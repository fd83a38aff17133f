import { messageIn, REACHED } from '~/lib/call-api'
import { STAYS } from '~/lib/carried'
import { paths } from '~/lib/paths'
import { goToSignIn } from './go-to-sign-in'
import { released, speaking, tellStayed } from './staying-forms'
import { isToast, showToast, type ToastMessage } from './toasts'

/** The result of a form for which no response of the product's server arrived. */
export type Unanswered = {
  intent: string
  result: { status: 'error' }
  toast: ToastMessage
  isUnanswered: true
}

type Told = Pick<ToastMessage, 'title' | 'description'>

type Sending<Data> = {
  send: () => Promise<Data>
  /**
   * Returns the texts for a form with this intent. A TypeError: no response of the product arrived at
   * all. If the response contains a message, the message replaces the description.
   */
  wordsOf: (intent: string, error: unknown) => Told | Promise<Told>
  /** Leads a form that stays to sign-in. Default: the page is loaded again. */
  leaveToSignIn?: (intent: string) => void
}

/**
 * Sends a form to the server. If no response of the product's server arrives (the network is down,
 * or a proxy responded), the page stays as it is, with what was typed, and a toast reports the
 * failure. A form that stays (`STAYS`) shows the toast of its response here, whatever page is shown
 * by then; the form of an open dialog says itself why it was refused. If the session has ended, it
 * leads to sign-in, and back to this page.
 */
export async function sendPageForm<Data extends object>(
  request: Request,
  { send, wordsOf, leaveToSignIn = goToSignIn }: Sending<Data>,
): Promise<Data | Unanswered> {
  const data = await request.clone().formData()
  const named = data.get('intent')
  const intent = typeof named === 'string' ? named : ''
  const stays = data.has(STAYS)
  try {
    const response = await orUnanswered(send, async (error) => ({
      intent,
      ...(await wordsOf(intent, error)),
    }))
    if (!stays) return response
    const isDone = isSuccess(response)
    if (isDone || !speaking.has(data.get(STAYS)))
      if ('toast' in response && isToast(response.toast)) showToast(response.toast)
    tellStayed({ intent, isDone })
    if (!('isUnanswered' in response)) dispatchEvent(new Event(REACHED))
    return response
  } catch (error) {
    if (!stays || !leadsToSignIn(error)) throw error
    leaveToSignIn(intent)
    // The page is being left: nothing in it should go on.
    return await new Promise<never>(() => undefined)
  } finally {
    released(data)
  }
}

/** Returns whether a form that stays has been carried out. */
export const isSuccess = (response: object): boolean =>
  'result' in response && isObject(response.result) && response.result.status === 'success'

const isObject = (value: unknown): value is { status?: unknown } =>
  typeof value === 'object' && value !== null

const leadsToSignIn = (error: unknown): boolean =>
  error instanceof Response && (error.headers.get('Location') ?? '').startsWith(paths.login)

type Words = Told & { intent: string }

async function orUnanswered<Data extends object>(
  send: () => Promise<Data>,
  wordsOf: (error: unknown) => Promise<Words>,
): Promise<Data | Unanswered> {
  try {
    const response = await send()
    // The text of somebody else's page, such as the network's own.
    const isText: boolean = typeof response === 'string'
    if (isText) throw new TypeError('This is no answer')
    return response
  } catch (error) {
    // A redirect, or an error page of the product.
    if (error instanceof Response) throw error
    // A fetch without a response throws a TypeError. Any other error of its own means that the
    // response was not that of the page's action. Its message is the response's text.
    const { intent, ...words } = await wordsOf(error)
    const said = error instanceof Error ? messageIn(error.message) : null
    const toast = { kind: 'error', ...words, ...(said !== null && { description: said }) } as const
    return { intent, result: { status: 'error' }, toast, isUnanswered: true }
  }
}
