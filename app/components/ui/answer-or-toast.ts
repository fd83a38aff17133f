import type { ToastMessage } from './toasts'

/** What a form got that no answer of ours came back for. */
export type Unanswered = {
  intent: string
  result: { status: 'error' }
  toast: ToastMessage
  isUnanswered: true
}

type Sending<Answer> = {
  send: () => Promise<Answer>
  /** The words for a form of this intent; `isAway` when nothing answered at all. */
  wordsOf: (intent: string, isAway: boolean) => Pick<ToastMessage, 'title' | 'description'>
}

/**
 * Sends a form to the server. Where no answer of ours comes back (the network is away, something in
 * between answers), the page stays as it is, with what was typed, and a toast says so.
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
    // A redirect, or a page of ours that says what is wrong.
    if (error instanceof Response) throw error
    // A fetch without an answer is a TypeError; anything else is an answer that is not ours.
    const toast = { kind: 'error', ...wordsOf(intent, error instanceof TypeError) } as const
    return { intent, result: { status: 'error' }, toast, isUnanswered: true }
  }
}
