import { excerpt } from './text'

/**
 * The result of an API call: its data, or the reason for its failure, in the server's words if it
 * sent any.
 */
export type CallResult<Data> =
  | { ok: true; data: Data; headers: Headers }
  | {
      ok: false
      status: number
      message: string | null
      /** The problems of the request, per field. */
      fields: Readonly<Record<string, unknown>>
      text: string
      isSilent: boolean
    }

/** The longest error text: a proxy may respond with a whole page. */
const MOST_TEXT = 200

/** What failed, if the caller has no better words (specification §8). */
export const REQUEST_FAILED = 'Request failed'

export const NO_CONNECTION = 'You’re offline.'

/** The same for a form with typed text. */
export const NOTHING_SENT = `${NO_CONNECTION} Nothing was sent; your text is kept.`

/** Says why a request got no usable response. */
export const unanswered = (): string =>
  navigator.onLine ? REQUEST_FAILED : `${REQUEST_FAILED}. ${NO_CONNECTION}`

/** The event of `window` after a request that worked. */
export const REACHED = 'reached'

/**
 * Calls the product's JSON API with the session cookie. Never throws. The caller names the type of
 * the response, which is not validated.
 */
export async function callApi<Data>(
  method: 'GET' | 'POST',
  url: string,
  body?: unknown,
): Promise<CallResult<Data>> {
  const isSent = body !== undefined
  try {
    const response = await reach(url, {
      method,
      headers: {
        Accept: 'application/json',
        ...(isSent && { 'Content-Type': 'application/json' }),
      },
      ...(isSent && { body: JSON.stringify(body) }),
    })
    if (!response.ok) return await readFailure(response)
    const typed: { json(): Promise<Data> } = response
    return { ok: true, data: await typed.json(), headers: response.headers }
  } catch {
    const text = unanswered()
    return { ok: false, status: 0, message: text, fields: {}, text, isSilent: true }
  }
}

/** Fetches. If that works, tells the page, so that it ends the message of an earlier failure. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.ok) dispatchEvent(new Event(REACHED))
  return response
}

export type Failure = Extract<CallResult<never>, { ok: false }>

/**
 * Reads why a call failed. `message` is the server's sentence, or null. `text` is the status and
 * the response text, for cases without a friendlier message (specification §7). `isSilent` is true
 * if the response had no text.
 */
export async function readFailure(response: Response): Promise<Failure> {
  const { status, statusText } = response
  const body = await response.text().catch(() => '')
  return {
    ok: false,
    status,
    ...readBody(body),
    isSilent: body === '',
    text: excerpt(`${status}: ${body === '' ? statusText : body}`, MOST_TEXT),
  }
}

/** Returns the message in the text of a failed response, or null. */
export const messageIn = (text: string): string | null => readBody(text).message

function readBody(body: string): Pick<Failure, 'message' | 'fields'> {
  const value = parsed(body)
  // A refused form has the message in its toast.
  const toast = isRecord(value) && isRecord(value.toast) ? value.toast : null
  const error = isRecord(value) ? (value.error ?? toast?.description) : null
  const fields = isRecord(value) ? value.fields : null
  return {
    message: typeof error === 'string' && error !== '' ? error : null,
    fields: isRecord(fields) ? fields : {},
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
