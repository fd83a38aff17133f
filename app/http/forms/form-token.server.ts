import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AppLoadContext } from '@remix-run/node'
import { webBoot } from '~/boot/web.server'
import { readForm } from './form-data.server'

/** Name of the hidden field in every form of a signed-in page. */
export const FORM_TOKEN_FIELD = 'formToken'

/** Returns a token that proves that a form was made for this session (decision Q-48). */
export function formToken(sessionId: string): string {
  const [secret = ''] = webBoot().env.SESSION_SECRET
  return createHmac('sha256', secret).update(`form:${sessionId}`).digest('base64url').slice(0, 32)
}

/** The message for a form of another session. The page that shows it has a new token. */
export const OUT_OF_DATE = 'This form is out of date. Send it once more.'

export function isFormToken(given: FormDataEntryValue | null, sessionId: string): boolean {
  const expected = Buffer.from(formToken(sessionId))
  const actual = Buffer.from(typeof given === 'string' ? given : '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/**
 * Reads the fields of a form whose response is a result (a check, a preview) or a file. A form that
 * was made for another session is out of date and must not be carried out.
 */
export async function readCheckedForm({
  request,
  context,
}: {
  request: Request
  context: AppLoadContext
}): Promise<{ data: FormData; isOutOfDate: boolean }> {
  const data = await readForm(request)
  const session = context.visitor?.sessionId ?? ''
  return { data, isOutOfDate: !isFormToken(data.get(FORM_TOKEN_FIELD), session) }
}
