import { json, type AppLoadContext } from '@remix-run/node'
import { HTTP_STATUS } from '~/domain/errors'
import { readForm } from './form-data.server'
import { FORM_TOKEN_FIELD, isFormToken } from './form-token.server'

/**
 * Reads the fields of a form whose response is a result (a check, a preview), not a redirect.
 * Throws a 403 for a form that was not made for this session.
 */
export async function readAnsweredForm({
  request,
  context,
}: {
  request: Request
  context: AppLoadContext
}): Promise<FormData> {
  const data = await readForm(request)
  const session = context.visitor?.sessionId ?? ''
  if (!isFormToken(data.get(FORM_TOKEN_FIELD), session)) throw json(null, HTTP_STATUS.FORBIDDEN)
  return data
}

/** Returns a text field of a form, or '' if it is missing. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}
