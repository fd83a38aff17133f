import type { Client } from './client'
import { textOf } from './html'

/** Returns the value that the page shows in the field with this id. */
export function valueOf(html: string, id: string): string | undefined {
  const tag = new RegExp(`<(?:input|textarea|select)[^>]*\\bid="${id}"[^>]*>`).exec(html)?.[0]
  return tag && /\bvalue="([^"]*)"/.exec(tag)?.[1]
}

/** Returns a page as a browser without scripts shows it. */
export async function openPage(client: Client, path: string) {
  const response = await client.send('GET', path)
  const html = await response.text()
  return { status: response.status, headers: response.headers, html, text: textOf(html) }
}

type Fields = Record<string, string | readonly string[]>

/** What the form of a new user sends for the plan Starter. */
export const STARTER_FIELDS = {
  role: 'user',
  plan: 'Starter',
  videoLimit: '20',
  speedLimit: '1',
  videoGenerationSpeed: '60',
  expireDays: '30',
}

/**
 * Submits a page's form as a browser without scripts does and follows the redirect. Returns the
 * status and location of the response, and the page that is shown then, including its toast.
 */
export async function sendForm(client: Client, path: string, fields: Fields) {
  const shown = await openPage(client, path)
  const formToken = /name="formToken" value="([^"]+)"/.exec(shown.html)?.[1] ?? ''
  const body = new URLSearchParams({ formToken })
  for (const [name, value] of Object.entries(fields))
    for (const text of [value].flat()) body.append(name, text)
  // A form of an index route is sent to its ?index.
  const address = path === '/admin' || path.startsWith('/admin?') ? indexed(path) : path
  const response = await client.send('POST', address, {
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const location = response.headers.get('location')
  if (response.status !== 303 || location === null) {
    const html = await response.text()
    return { status: response.status, location, html, text: textOf(html) }
  }
  const next = await openPage(client, location)
  return { status: response.status, location, html: next.html, text: next.text }
}

const indexed = (path: string) => `${path}${path.includes('?') ? '&' : '?'}index`

/** Changes a password on its page. */
export const sendPassword = (client: Client, oldPassword: string, newPassword: string) =>
  sendForm(client, '/account/password', {
    intent: 'change-password',
    oldPassword,
    newPassword,
    confirmPassword: newPassword,
  })
