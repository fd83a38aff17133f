import { ask, type Purpose } from '../http/ask.server'
import {
  acceptanceWithoutResponse,
  isSuccess,
  jsonOf,
  responseError,
  unreadable,
  type HttpResponse,
} from '../http/responses'
import type { ServiceContext } from '../http/service.server'
import { ProviderError } from '../port'
import { errorIn } from '../reading/errors'
import { historyIn, queueIn, readAnswer, type Entry, type Queue } from './answers'
import type { ComfyUiConfig } from './settings.server'

/** What the steps of the adapter need. */
export type Context = ServiceContext & { config: ComfyUiConfig }

/** Nothing but the configured server is ever called, also after a redirect. */
export const policyOf = ({ baseUrl }: ComfyUiConfig) => ({
  configured: [new URL(baseUrl).host],
  documented: [],
})

/** The header for a proxy in front of the server. */
export const keyOf = ({ token }: ComfyUiConfig): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** What no error may contain. */
export const secretsOf = ({ token }: ComfyUiConfig): string[] =>
  token === undefined ? [] : [token]

/** A call's purpose, and when to give it up. */
export type Call = Purpose & { signal: AbortSignal }
type Asking = { path: string; body?: string | Buffer; type?: string }

/** Returns a request with a JSON body. */
export const post = (path: string, value: unknown): Asking => ({
  path,
  body: JSON.stringify(value),
  type: 'application/json',
})

/** Sends one request, a POST if it has a body, and returns the response, with any status. */
export function askRaw(
  { config, wire }: Context,
  call: Call,
  asking: Asking,
): Promise<HttpResponse> {
  const { path, body, type } = asking
  return ask(wire, {
    ...call,
    method: body === undefined ? 'GET' : 'POST',
    url: new URL(`${config.baseUrl}${path}`),
    headers: { ...keyOf(config), ...(type === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
    secrets: secretsOf(config),
  })
}

/** Returns the error of an answer that is not what was asked for. */
export function refusal(
  { config, io }: Context,
  { step }: Call,
  response: HttpResponse,
): ProviderError {
  const isUnreadable = isSuccess(response) && errorIn(jsonOf(response)) === null
  const reading = isUnreadable ? unreadable(step, response) : readAnswer(step, response, io.now())
  return responseError({ step, response, reading, secrets: secretsOf(config) })
}

/**
 * Returns what runs and what waits at the server. Null if that is too long to be read: a queue repeats
 * every workflow.
 */
export async function readQueue(context: Context, call: Call): Promise<Queue | null> {
  const response = await askRaw(context, call, { path: '/queue' })
  if (response.body.is === 'too-large') return null
  const queue = isSuccess(response) ? queueIn(response) : null
  if (queue === null) throw refusal(context, call, response)
  return queue
}

/** Returns the error for an order that may be in a queue that is too long. It becomes shorter. */
export function tooLong({ step }: Call): ProviderError {
  const evidence = { message: 'the queue of the server is too long to be read' }
  return new ProviderError({ kind: 'transient' }, acceptanceWithoutResponse(step, true), evidence)
}

/** Returns the ended orders at a path of the history. */
export async function readHistory(context: Context, call: Call, path: string): Promise<Entry[]> {
  const response = await askRaw(context, call, { path })
  const entries = isSuccess(response) ? historyIn(response) : null
  if (entries === null) throw refusal(context, call, response)
  return entries
}

/** Returns an order if it has ended and the server remembers it. */
export const ended = async (context: Context, call: Call, id: string): Promise<Entry | undefined> =>
  (await readHistory(context, call, `/history/${encodeURIComponent(id)}`)).find(
    (one) => one.id === id,
  )
