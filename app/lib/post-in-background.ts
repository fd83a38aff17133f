/**
 * Sends a form whose effect the page has already shown, such as a remembered choice. What comes of it
 * does not matter here: the choice is merely not remembered.
 */
export function postInBackground(form: HTMLFormElement, extra: Record<string, string> = {}): void {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string') body.set(name, value)
  for (const [name, value] of Object.entries(extra)) body.set(name, value)
  // The answer is a redirect to a whole page, which nobody needs.
  fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => undefined)
}
