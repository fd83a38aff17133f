import type { ToastMessage } from './toasts'

/** The result of a form for which no response of the product's server arrived. */
export type Unanswered = {
  intent: string
  result: { status: 'error' }
  toast: ToastMessage
  isUnanswered: true
}

type Sending<Answer> = {
  send: () => Promise<Answer>
  /** Returns the texts for a form with this intent. A TypeError: no response arrived at all. */
  wordsOf: (intent: string, error: unknown) => Pick<ToastMessage, 'title' | 'description'>
}

/**
 * Sends a form to the server. If no response of the product's server arrives (the network is down,
 * or a proxy responded), the page stays as it is, with what was typed, and a toast reports the
 * failure.
 */
export async function answerOrToast<Answer>(
  request: Request,
  { send, wordsOf }: Sending<Answer>,
): Promise<Answer | Unanswered> {
  const data = await request.clone().formData()
  const named = data.get('intent')
  const intent = typeof named === 'string' ? named : ''
  try {
    return await send()
  } catch (error) {
    // A redirect, or an error page of the product.
    if (error instanceof Response) throw error
    // A fetch without a response throws a TypeError. Any other error of its own means that the
    // response was not the product's.
    const toast = { kind: 'error', ...wordsOf(intent, error) } as const
    return { intent, result: { status: 'error' }, toast, isUnanswered: true }
  }
}
