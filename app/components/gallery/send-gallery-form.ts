import { unanswered } from '~/lib/call-api'
import { sendPageForm, isSuccess } from '../ui/send-page-form'
import { goToSignIn } from '../ui/go-to-sign-in'
import type { ToastMessage } from '../ui/toasts'
import { failureOf } from './action-texts'
import { isIntent } from './actions'

type Words = Pick<ToastMessage, 'title' | 'description'>

/** Returns the toast of an action for which the server gave no reason. Null for other forms. */
function wordsOf(intent: string, error: unknown): Words | null {
  if (!isIntent(intent)) return null
  const [title, description] = failureOf(intent)
  return { title, description: error instanceof TypeError ? unanswered() : description }
}

type Sending<Answer> = {
  send: () => Promise<Answer>
  /** Returns the texts for the page's other forms. */
  otherWords?: (intent: string, error: unknown) => Words
}

/**
 * Sends a form of a page with a gallery. If no response comes, keeps the page and what the user
 * typed.
 */
export async function sendGalleryForm<Answer extends object>(
  request: Request,
  { send, otherWords }: Sending<Answer>,
) {
  const answer = await sendPageForm(request, {
    send,
    wordsOf: (intent, error) =>
      wordsOf(intent, error) ?? otherWords?.(intent, error) ?? { title: unanswered() },
    leaveToSignIn,
  })
  return live(answer)
}

/** Marks the success of a form that stays: the gallery itself requests what has changed. */
export const live = <Answer extends object>(answer: Answer) =>
  isSuccess(answer) ? { ...answer, isLive: true } : answer

/** As without scripts, the form itself carries an edited prompt through sign-in. */
function leaveToSignIn(intent: string): void {
  const form = intent === 'edit' ? document.forms.namedItem(intent) : null
  if (form) form.submit()
  else goToSignIn()
}
