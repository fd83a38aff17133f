import type { FormFailure } from '~/http/forms.server'

/** What the specification says where an answer brings no words of its own, by intent. */
const FALLBACKS: Record<string, readonly [title: string, description: string]> = {
  generate: ['Generation failed', 'Failed to start video generation'],
  'stop-batch': ['Cancel Failed', 'Failed to cancel batch'],
}
const BULK = ['Bulk Generation Failed', 'Failed to start bulk generation'] as const

/** What a form got that no answer of ours came back for. */
type Unanswered = FormFailure & { isUnanswered: true }

/**
 * Sends a form to the server. Where no answer of ours comes back (the network is away, something in
 * between answers), the page stays as it is, with what was typed, and a toast says so.
 */
export async function answerOrToast(
  request: Request,
  send: () => Promise<FormFailure>,
): Promise<FormFailure | Unanswered> {
  const data = await request.clone().formData()
  const named = data.get('intent')
  const intent = typeof named === 'string' ? named : ''
  try {
    return await send()
  } catch (error) {
    // A redirect, or a page of ours that says what is wrong.
    if (error instanceof Response) throw error
    const [title, description] = FALLBACKS[intent] ?? BULK
    const toast = { kind: 'error', title, description } as const
    return { intent, result: { status: 'error' }, toast, isUnanswered: true }
  }
}
