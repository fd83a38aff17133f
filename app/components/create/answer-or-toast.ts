import type { FormFailure } from '~/http/forms/forms.server'
import { answerOrToast as answerOrWords } from '../ui/answer-or-toast'

/** What the specification says where an answer brings no words of its own, by intent. */
const FALLBACKS: Record<string, readonly [title: string, description: string]> = {
  generate: ['Generation failed', 'Failed to start video generation'],
  'stop-batch': ['Cancel Failed', 'Failed to cancel batch'],
}
const BULK = ['Bulk Generation Failed', 'Failed to start bulk generation'] as const

/** The create screen's forms: without an answer the page stays, with what was typed. */
export function answerOrToast(request: Request, send: () => Promise<FormFailure>) {
  return answerOrWords(request, {
    send,
    wordsOf: (intent) => {
      const [title, description] = FALLBACKS[intent] ?? BULK
      return { title, description }
    },
  })
}
