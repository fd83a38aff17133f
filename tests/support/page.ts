import { untilAvailable, type Client } from './client'
import { textOf } from './html'

/** Returns the value that the page shows in the field with this id. */
export function valueOf(html: string, id: string): string | undefined {
  const tag = new RegExp(`<(?:input|textarea|select)[^>]*\\bid="${id}"[^>]*>`).exec(html)?.[0]
  return tag && /\bvalue="([^"]*)"/.exec(tag)?.[1]
}

/** Returns a page as a browser without scripts shows it. */
export async function openPage(client: Client, path: string) {
  const response = await untilAvailable(() => client.send('GET', path))
  const html = await response.text()
  return { status: response.status, headers: response.headers, html, text: textOf(html) }
}

/** What the form of a new user sends for the plan Starter. */
export const STARTER_FIELDS = {
  role: 'user',
  plan: 'Starter',
  videoLimit: '20',
  speedLimit: '1',
  videoGenerationSpeed: '60',
  expireDays: '30',
}

/** Returns the token that the forms of a page send, which belongs to the session; '' if there is none. */
export const formTokenIn = (html: string): string =>
  /name="formToken"[^>]*value="([^"]+)"/.exec(html)?.[1] ?? ''

type Value = string | File
type Fields = Record<string, Value | readonly string[]> | readonly (readonly [string, Value])[]
/** `shown`: the page whose token is sent, if another one. */
type Ways = { shown?: string; headers?: Record<string, string> }

/**
 * Submits a page's form as a browser without scripts does, as multipart if it has a file. Returns the response
 * without following a redirect.
 */
export async function submitForm(
  client: Client,
  path: string,
  fields: Fields,
  { shown = path, headers = {} }: Ways = {},
): Promise<Response> {
  const entries: [string, Value][] = [
    ['formToken', formTokenIn((await openPage(client, shown)).html)],
  ]
  for (const [name, value] of isList(fields) ? fields : Object.entries(fields))
    for (const one of [value].flat()) entries.push([name, one])
  // A form of an index route is sent to its ?index.
  const address = path === '/admin' || path.startsWith('/admin?') ? indexed(path) : path
  return untilAvailable(() =>
    client.send('POST', address, {
      body: bodyOf(entries),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    }),
  )
}

const isList = (fields: Fields): fields is readonly (readonly [string, Value])[] =>
  Array.isArray(fields)

function bodyOf(entries: readonly [string, Value][]): URLSearchParams | FormData {
  const hasFile = entries.some(([, value]) => value instanceof File)
  const body = hasFile ? new FormData() : new URLSearchParams()
  // @ts-expect-error -- a file is appended to FormData only
  for (const [name, value] of entries) body.append(name, value)
  return body
}

/**
 * Does the same and follows the redirect. Returns the status and location of the response, and the page that is
 * shown then, including its toast.
 */
export async function sendForm(client: Client, path: string, fields: Fields, ways?: Ways) {
  const response = await submitForm(client, path, fields, ways)
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
