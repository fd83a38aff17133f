import type { IncomingHttpHeaders } from 'node:http'
import type { Order } from './orders'
import type { Operation } from './scenario'

// What each service says, in its own words and places. Read from the services' documents on their own:
// nothing here is shared with the product's profiles, so that a mistake in one shows against the other.

type Json = Record<string, unknown>

/** What a request to a service asks for. `model` is in the address of some orders. */
export type Asked = {
  op: Operation
  id?: string
  model?: string
  what?: string
  query: URLSearchParams
}

export type Fields = {
  model: string
  prompt: unknown
  negativePrompt?: unknown
  ratio: unknown
  seconds: number
  picture?: unknown
  clientId?: string | null
}

/** How far an order is. `message` and `code`: why it failed. */
export type End = {
  is: 'queued' | 'running' | 'strange' | 'done' | 'empty' | 'failed' | 'cancelled'
  isOver: boolean
  clip: string
  share: number
  message?: string
  code?: string
}

type Row = { order: Order; end: End }

type Service = {
  keyWord: 'Bearer' | 'Key'
  asked(method: string, path: string, query: URLSearchParams): Asked | null
  promptIn(body: Json): { prompt?: string | null }
  /** Returns the fields of an order, or the name of one that is wrong. */
  fieldsIn(
    body: Json,
    by: { model?: string | undefined; headers: IncomingHttpHeaders },
  ): Fields | string
  newId(hex: string): string
  acceptedStatus?: number
  accepted(order: Order, base: string): Json
  state(order: Order, end: End, asked: Asked & { base: string }): { status?: number; body: Json }
  error(status: number, words: { message: string; code: string | null }): Json
  list?(rows: Row[], asked: Asked & { now: number }): Json
  /** The answer about an order that is not there, if it is no 404. */
  unknown?(id: string): Json
  knowsClientIds?: true
}

const textAt = (body: Json, name: string) => {
  const value = body[name]
  return { prompt: typeof value === 'string' ? value : null }
}
const stranger = (body: Json, ...known: string[]): string | undefined =>
  Object.keys(body).find((name) => !known.includes(name))
const isWhole = (value: unknown, from: number, to: number): value is number =>
  Number.isInteger(value) && Number(value) >= from && Number(value) <= to
/** The word for each state, in the order of `End`. */
const words =
  (queued: string, running: string, done: string, failed: string, cancelled: string) =>
  ({ is }: End): string =>
    ({ queued, running, strange: 'REHEARSING', done, empty: done, failed, cancelled })[is]

/** new-api and its kin. */
const generations: Service = {
  keyWord: 'Bearer',
  asked(method, path, query) {
    if (method === 'POST' && path === '/v1/video/generations') return { op: 'submit', query }
    const [, id] = /^\/v1\/video\/generations\/([^/]+)$/.exec(path) ?? []
    return method === 'GET' && id !== undefined ? { op: 'poll', id, query } : null
  },
  promptIn: (body) => textAt(body, 'prompt'),
  fieldsIn(body) {
    const { model, prompt, aspect_ratio: ratio, duration } = body
    const unknown = stranger(body, 'model', 'prompt', 'aspect_ratio', 'duration')
    if (unknown !== undefined) return unknown
    if (typeof model !== 'string') return 'model'
    if (!isWhole(duration, 1, 60)) return 'duration'
    return { model, prompt, ratio, seconds: duration }
  },
  newId: (hex) => `task_${hex}`,
  accepted: ({ id }) => ({ task_id: id, status: 'queued' }),
  state: ({ id }, end) => ({
    body: {
      task_id: id,
      status: words('NOT_START', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'CANCELLED')(end),
      progress: `${Math.round(end.share * 100)}%`,
      ...(end.is === 'failed' ? { fail_reason: end.message, code: end.code } : {}),
      ...(end.is === 'done' ? { url: end.clip } : {}),
    },
  }),
  error: (status, { message, code }) => ({
    error: { message, code: code ?? String(status), type: 'new_api_error' },
  }),
}

export const SERVICES = { generations } satisfies Record<string, Service> as {
  readonly generations: Service
}
export type ServiceName = keyof typeof SERVICES
export const SERVICE_NAMES = ['generations'] as const satisfies readonly ServiceName[]
