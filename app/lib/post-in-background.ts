/**
 * Sends a form whose effect the page already shows, such as a stored preference. Failures are
 * ignored: the preference is then simply not stored.
 */
export function postInBackground(form: HTMLFormElement, extra: Record<string, string> = {}): void {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string') body.set(name, value)
  for (const [name, value] of Object.entries(extra)) body.set(name, value)
  // The response is a redirect to a whole page, which is not needed.
  fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => undefined)
}
