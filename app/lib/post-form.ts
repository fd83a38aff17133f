/**
 * Posts a form whose action belongs to no page, such as a preference, without leaving the page.
 * Returns the response, or null if none arrived. Redirects are not followed.
 */
export function postForm(
  form: HTMLFormElement,
  extra: Record<string, string> = {},
): Promise<Response | null> {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string') body.set(name, value)
  for (const [name, value] of Object.entries(extra)) body.set(name, value)
  const headers = { Accept: 'application/json' }
  return fetch(form.action, { method: 'POST', body, headers, redirect: 'manual' }).catch(() => null)
}
