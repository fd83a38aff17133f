import type { AppLoadContext } from '@remix-run/node'
import { readForm } from './form-data.server'
import { FORM_TOKEN_FIELD, isFormToken } from './form-token.server'

/**
 * Reads the fields of a form whose response is a result (a check, a preview) or a file. A form that
 * was made for another session is out of date and must not be carried out.
 */
export async function readAnsweredForm({
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

/** Returns a text field of a form, or '' if it is missing. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}
