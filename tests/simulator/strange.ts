import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Exchange, Reply } from './exchange'

// Gateways that speak /v1/videos or Runway's protocol in their own way: other words, other places,
// other labels. They are played over the answers of the protocol itself, whatever it says.

/** Where an accepted order's id stands. */
export const ID_PLACES = [
  'id',
  'task_id',
  'request_id',
  'video_id',
  'data',
  'data.id',
  'data[0].id',
  'data.task_id',
  'output.task_id',
  'nowhere',
] as const

export const strangeSchema = z
  .object({
    /** The words for the four states of an order. */
    words: z
      .object({ queued: z.string(), running: z.string(), done: z.string(), failed: z.string() })
      .partial()
      .strict(),
    idAt: z.enum(ID_PLACES),
    /** Ids of 19 digits, as numbers. */
    idAs: z.literal('number'),
    /** ComfyUI as it was: it gives orders ids of its own. */
    ownIds: z.boolean(),
    /** Jobs come as `{code: 0, message: "success", data: job}`. */
    wrapped: z.boolean(),
    /** The content type of clips. */
    label: z.string(),
    /** The encoding of every response, although none was asked for. */
    encoding: z.enum(['gzip', 'deflate', 'deflate-raw', 'br']),
    /** `Retry-After` of every error, as it is; `past` is a date that has passed. */
    retryAfter: z.string(),
    /** Errors come with status 200: as they are, or in `base_resp`. */
    errorsAs200: z.enum(['plain', 'base_resp']),
  })
  .partial()
  .strict()
export type Strange = z.output<typeof strangeSchema>

const STATES: Readonly<Record<string, keyof NonNullable<Strange['words']>>> = {
  queued: 'queued',
  pending: 'queued',
  throttled: 'queued',
  in_progress: 'running',
  processing: 'running',
  running: 'running',
  completed: 'done',
  succeeded: 'done',
  failed: 'failed',
}

/** Returns a number of 19 digits, which JavaScript cannot hold exactly. */
export const longNumber = (n: number): string => String(1_861_000_000_000_000_001n + BigInt(n))

/** Returns the answer in this gateway's way. */
export function strangely(exchange: Exchange, reply: Reply): Reply {
  const { strange } = exchange.simulation.scenario
  const { family, op } = exchange
  if (family !== 'openai' && family !== 'runway') return reply
  if (reply.isClip) {
    if (strange.label === undefined) return reply
    return { ...reply, headers: { ...reply.headers, 'content-type': strange.label } }
  }
  const body = jsonIn(reply)
  if (body === null) return reply
  if (reply.status >= 400) return errorOf(strange, { reply, body })
  if (op !== 'submit' && op !== 'poll' && op !== 'list') return reply
  const isListed = op === 'list' && Array.isArray(body.data)
  const told = isListed
    ? { ...body, data: (body.data as Json[]).map((job) => jobOf({ ...strange, idAt: 'id' }, job)) }
    : jobOf(strange, body)
  const isWrapped = strange.wrapped && op === 'poll'
  return withBody(reply, isWrapped ? { code: 0, message: 'success', data: told } : told)
}

type Json = Record<string, unknown>

function jsonIn({ body }: Reply): Json | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}

/** A number in quotes and marks becomes a bare number: JSON.stringify could not write it exactly. */
const withBody = (reply: Reply, value: unknown): Reply => ({
  ...reply,
  body: Buffer.from(JSON.stringify(value).replaceAll(/"@(\d+)@"/g, '$1')),
})

function jobOf({ words = {}, idAt = 'id', idAs }: Strange, { id, ...job }: Json): Json {
  const text = typeof id === 'string' ? id : ''
  const said = idAs === 'number' && /^\d+$/.test(text) ? `@${text}@` : text
  const state = typeof job.status === 'string' ? STATES[job.status.toLowerCase()] : undefined
  const status = (state && words[state]) ?? job.status
  return placed(idAt, said, { ...job, ...(status === undefined ? {} : { status }) })
}

function placed(place: NonNullable<Strange['idAt']>, id: string, job: Json): Json {
  switch (place) {
    case 'nowhere':
      return job
    case 'data':
      return { ...job, data: id }
    case 'data.id':
      return { code: 200, data: { id, ...job } }
    case 'data[0].id':
      return { data: [{ id, ...job }] }
    case 'data.task_id':
      return { request_id: 'trace-of-the-call', data: { task_id: id, ...job } }
    case 'output.task_id':
      return { request_id: 'trace-of-the-call', output: { task_id: id, ...job } }
    default:
      return { [place]: id, ...job }
  }
}

type Refused = { reply: Reply; body: Json }

function errorOf({ errorsAs200, retryAfter }: Strange, { reply, body }: Refused): Reply {
  const wish =
    retryAfter === 'past' ? new Date(Date.UTC(2026, 0, 1)).toUTCString() : (retryAfter ?? null)
  const headers = { ...reply.headers, ...(wish === null ? {} : { 'retry-after': wish }) }
  if (errorsAs200 === undefined) return { ...reply, headers }
  if (errorsAs200 === 'plain') return { ...reply, headers, status: 200 }
  const error = body.error as Json | string | undefined
  const said = typeof error === 'object' ? error.message : (error ?? body.detail)
  const base = { status_code: 1000 + reply.status, status_msg: said }
  return withBody({ ...reply, headers, status: 200 }, { task_id: '', base_resp: base })
}

const ENCODERS = {
  gzip: gzipSync,
  deflate: deflateSync,
  'deflate-raw': deflateRawSync,
  br: brotliCompressSync,
} as const

/** Returns the answer encoded, or undefined if this server encodes none. */
export function encodedReply(strange: Strange, reply: Reply): Reply | undefined {
  const { encoding } = strange
  if (encoding === undefined || reply.body.length === 0) return undefined
  const { status, headers, body } = reply
  const name = encoding === 'deflate-raw' ? 'deflate' : encoding
  const coded = ENCODERS[encoding](body)
  const length = String(coded.length)
  return {
    status,
    headers: { ...headers, 'content-encoding': name, 'content-length': length },
    body: coded,
  }
}
