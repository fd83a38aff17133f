import { PANELS_FAILED } from '~/lib/failure-titles'
import { REQUEST_FAILED, unanswered } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { sendPageForm, type Unanswered } from '../ui/send-page-form'

type Sending<Data> = {
  send: () => Promise<Data>
  /** Title of a form's failure toast, by its intent. */
  titles: Readonly<Record<string, string>>
}

/**
 * Sends an administrator's form. If no usable response comes, or if the session has ended, keeps the
 * page and reports what failed (§8).
 */
export function sendAdminForm<Data extends object>(
  request: Request,
  { send, titles }: Sending<Data>,
): Promise<Data | Unanswered> {
  return sendPageForm(request, {
    send: () => send().catch(refuseSignIn),
    wordsOf: (intent, error) => ({
      title: titles[intent] ?? REQUEST_FAILED,
      description:
        error instanceof SessionEnded
          ? 'Your session has ended. Sign in in another tab, then try again here.'
          : error instanceof TypeError
            ? unanswered()
            : 'An error occurred',
    }),
  })
}

/** The server redirected the form to the sign-in page. It was not carried out. */
class SessionEnded extends Error {}

/** Nothing stores what administrators type, so the page must not be left. */
function refuseSignIn(error: unknown): never {
  const target = error instanceof Response ? error.headers.get('Location') : null
  throw target?.startsWith(paths.login) ? new SessionEnded() : error
}

/** Does the same for a panel. Without a usable response the result also includes `nothing`. */
export async function sendPanelForm<Data extends object, Nothing extends object>(
  request: Request,
  { send, nothing }: { send: () => Promise<Data>; nothing: Nothing },
): Promise<Data | (Unanswered & Nothing)> {
  const response = await sendAdminForm(request, { send, titles: PANELS_FAILED })
  return isUnanswered(response) ? { ...response, ...nothing } : response
}

const isUnanswered = (response: unknown): response is Unanswered =>
  typeof response === 'object' && response !== null && 'isUnanswered' in response
