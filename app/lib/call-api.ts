import { excerpt } from './text'

/** What a call of ours came to: its answer, or why there is none, in the server's words if it had any. */
export type CallResult<Answer> =
  | { ok: true; data: Answer; headers: Headers }
  | {
      ok: false
      status: number
      message: string | null
      /** What is wrong with what was sent, field by field. */
      fields: Readonly<Record<string, unknown>>
      text: string
      isSilent: boolean
    }

/** A failure's text may be a whole page that somebody in between has sent. */
const MOST_TEXT = 200

/** Shown when no answer came at all (specification §8). */
export const REQUEST_FAILED = 'Request failed'

/**
 * Calls the product's JSON interface with the session's cookie. Never throws. The caller says what
 * the answer is; it is not checked again.
 */
export function callApi<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: unknown,
): Promise<CallResult<Answer>> {
  return send(url, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  })
}

/** Posts an order that is carried out once, however often it arrives under this key. */
export function orderByApi<Answer>(
  url: string,
  body: unknown,
  key: string,
): Promise<CallResult<Answer>> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  return send(url, { method: 'POST', body: JSON.stringify(body), headers })
}

type Sent = { method: string; body?: string; headers?: Record<string, string> }

async function send<Answer>(url: string, init: Sent): Promise<CallResult<Answer>> {
  try {
    const headers = { Accept: 'application/json', ...init.headers }
    const response = await fetch(url, { ...init, headers })
    if (!response.ok) return await readFailure(response)
    const answer: { json(): Promise<Answer> } = response
    return { ok: true, data: await answer.json(), headers: response.headers }
  } catch {
    return UNANSWERED
  }
}

export type Failure = Extract<CallResult<never>, { ok: false }>

/** No answer came. */
export const UNANSWERED = {
  ok: false,
  status: 0,
  message: REQUEST_FAILED,
  fields: {},
  text: REQUEST_FAILED,
  isSilent: true,
} as const satisfies Failure

/**
 * Why a call was refused. `message` is the server's sentence, null when it had none; `text` is the
 * status and what was answered, for where nothing friendlier is known (specification §7); `isSilent`
 * when nothing was.
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

function readBody(body: string): Pick<Failure, 'message' | 'fields'> {
  const value = parsed(body)
  const error = isRecord(value) ? value.error : null
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
