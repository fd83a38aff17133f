import type { IncomingHttpHeaders } from 'node:http'
import { asObject } from './exchange'
import { textOf } from './json'
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
  endPicture?: unknown
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

export type Service = {
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
  /** What it says to a request to end an order, and when it ends; null: it does not. Absent: it has none. */
  ends?(order: Order, end: End): { afterMs: number | null; status: number; body: Json }
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

/** aimlapi and its kin: the order is asked for by a query. */
const generationsV2: Service = {
  ...generations,
  asked(method, path, query) {
    if (path !== '/v2/video/generations') return null
    const id = query.get('generation_id')
    if (method === 'POST') return { op: 'submit', query }
    return id === null ? null : { op: 'poll', id, query }
  },
  newId: (hex) => `${hex}:kling-video`,
  accepted: ({ id }) => ({ id, status: 'queued' }),
  state: ({ id }, end) => ({
    body: {
      id,
      status: words('queued', 'generating', 'completed', 'error', 'cancelled')(end),
      ...(end.is === 'failed' ? { error: { message: end.message, name: end.code } } : {}),
      ...(end.is === 'done' ? { video: { url: end.clip } } : {}),
    },
  }),
  error: (status, { message, code }) => ({
    error: { message, code: code ?? String(status) },
    statusCode: status,
  }),
}

const FAL_FIELDS = ['prompt', 'negative_prompt', 'aspect_ratio', 'resolution', 'duration']
const NOT_FOR_FAL = { detail: 'Request is still in progress' }

/** fal's queue, with an endpoint of Veo. Its history shows what has ended. */
const fal: Service = {
  keyWord: 'Key',
  asked(method, path, query) {
    if (path === '/v1/models/requests/by-endpoint') {
      const model = query.get('endpoint_id') ?? ''
      return { op: 'list', model, query }
    }
    const [, id, state] =
      /^\/[\w.-]+\/[\w.-]+\/requests\/([^/]+)(\/status|\/cancel)?$/.exec(path) ?? []
    if (state === '/cancel') return method === 'PUT' && id ? { op: 'delete', id, query } : null
    if (method === 'GET' && id !== undefined) return { op: state ? 'poll' : 'object', id, query }
    return method === 'POST' ? { op: 'submit', model: path.slice(1), query } : null
  },
  promptIn: (body) => textAt(body, 'prompt'),
  fieldsIn(body, { model = '', headers }) {
    if (headers['x-fal-no-retry'] !== '1') return 'header x-fal-no-retry'
    if (headers['x-app-fal-disable-fallback'] !== 'true') return 'header x-app-fal-disable-fallback'
    const { prompt, negative_prompt, aspect_ratio: ratio, duration, image_url: picture } = body
    const isForPictures = model.endsWith('/image-to-video')
    const pictures = isForPictures ? ['image_url'] : []
    const unknown = stranger(body, ...FAL_FIELDS, 'generate_audio', ...pictures)
    if (unknown !== undefined) return unknown
    if (isForPictures && picture === undefined) return 'image_url'
    if (body.resolution !== '720p') return 'resolution'
    if (!['undefined', 'boolean'].includes(typeof body.generate_audio)) return 'generate_audio'
    const [, seconds] = /^(\d+)s$/.exec(typeof duration === 'string' ? duration : '') ?? []
    if (seconds === undefined) return 'duration'
    return {
      model,
      prompt,
      negativePrompt: negative_prompt,
      ratio,
      seconds: Number(seconds),
      picture,
    }
  },
  newId: (hex) => `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4000-8000-${hex.slice(4)}`,
  accepted({ id, model }, base) {
    const request = `${base}/${model.split('/').slice(0, 2).join('/')}/requests/${id}`
    return {
      request_id: id,
      response_url: request,
      status_url: `${request}/status`,
      cancel_url: `${request}/cancel`,
      queue_position: 0,
    }
  },
  state({ id }, end, { op, base }) {
    const failed = { error: end.message, error_type: end.code }
    if (op === 'poll') {
      const status = words('IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'COMPLETED', 'COMPLETED')(end)
      const place = end.is === 'queued' ? { queue_position: 3 } : {}
      const address = `${base}/fal-ai/veo3.1/requests/${id}`
      const more = end.is === 'failed' ? failed : place
      const body = { status, request_id: id, response_url: address, ...more }
      return { status: end.isOver ? 200 : 202, body }
    }
    if (!end.isOver) return { status: 400, body: NOT_FOR_FAL }
    if (end.is === 'cancelled') return { status: 499, body: { detail: 'Request was cancelled' } }
    if (end.is === 'failed') return { status: 422, body: { detail: [{ msg: end.message }] } }
    const video = { url: end.clip, content_type: 'video/mp4', file_name: 'output.mp4' }
    return { body: end.is === 'empty' ? {} : { video } }
  },
  ends: (_order, { isOver }) =>
    isOver
      ? { afterMs: null, status: 400, body: { status: 'ALREADY_COMPLETED' } }
      : { afterMs: 300, status: 202, body: { status: 'CANCELLATION_REQUESTED' } },
  error: (_status, { message, code }) => ({
    detail: message,
    ...(code === null ? {} : { error_type: code }),
  }),
  list(rows, { model, query }) {
    const start = Date.parse(query.get('start') ?? '')
    const ended = rows.filter(
      ({ order, end }) => end.isOver && order.model === model && order.acceptedAt >= start,
    )
    const items = ended.map(({ order }) => ({
      request_id: order.id,
      endpoint_id: model,
      sent_at: new Date(order.acceptedAt).toISOString(),
      ended_at: new Date(order.readyAt).toISOString(),
      status_code: 200,
      json_input: {
        prompt: order.prompt,
        aspect_ratio: ratioOf(order),
        duration: `${order.seconds}s`,
      },
    }))
    return { items: items.slice(0, Number(query.get('limit') ?? 50)) }
  },
}

const ratioOf = ({ width, height }: Order) => (width < height ? '9:16' : '16:9')

/** Replicate. Predictions are deleted an hour after their end. */
const replicate: Service = {
  keyWord: 'Bearer',
  asked(method, path, query) {
    const [, model] = /^\/v1\/models\/([\w.-]+\/[\w.-]+)\/predictions$/.exec(path) ?? []
    if (method === 'POST' && model !== undefined) return { op: 'submit', model, query }
    const [, id, ending] = /^\/v1\/predictions\/([^/]+)(\/cancel)?$/.exec(path) ?? []
    if (id && ending) return method === 'POST' ? { op: 'delete', id, query } : null
    if (method !== 'GET') return null
    if (path === '/v1/predictions') return { op: 'list', query }
    return id === undefined ? null : { op: 'poll', id, query }
  },
  promptIn: ({ input }) => textAt(asObject(input), 'prompt'),
  fieldsIn(body, { model = '' }) {
    const input = asObject(body.input)
    const unknown = stranger(body, 'input') ?? stranger(input, 'prompt', 'aspect_ratio', 'duration')
    if (unknown !== undefined) return unknown
    const { prompt, aspect_ratio: ratio, duration } = input
    if (!isWhole(duration, 1, 60)) return 'duration'
    return { model, prompt, ratio, seconds: duration }
  },
  newId: (hex) => hex,
  acceptedStatus: 201,
  accepted: ({ id, model }, base) => ({
    id,
    model,
    status: 'starting',
    urls: { get: `${base}/v1/predictions/${id}`, cancel: `${base}/v1/predictions/${id}/cancel` },
  }),
  state: (order, end) => ({ body: predictionOf(order, end) }),
  ends: (order, end) => ({
    afterMs: end.isOver ? null : 0,
    status: 200,
    body: predictionOf(order, end.isOver ? end : { ...end, is: 'cancelled' }),
  }),
  error: (status, { message, code }) => ({
    title: code ?? 'Error',
    detail: message,
    status,
  }),
  list: (rows) => ({
    results: rows.toReversed().map(({ order, end }) => predictionOf(order, end)),
    previous: null,
    next: null,
  }),
}

const predictionOf = (order: Order, end: End): Json => ({
  id: order.id,
  model: order.model,
  status: words('starting', 'processing', 'succeeded', 'failed', 'canceled')(end),
  created_at: new Date(order.acceptedAt).toISOString(),
  input: { prompt: order.prompt, aspect_ratio: ratioOf(order), duration: order.seconds },
  output: end.is === 'done' ? end.clip : null,
  error: end.is === 'failed' ? end.message : null,
})

/** Kling. Whatever goes wrong has a code that is not 0. */
const kling: Service = {
  keyWord: 'Bearer',
  knowsClientIds: true,
  asked(method, path, query) {
    if (path === '/v1/videos/text2video') {
      return method === 'POST' ? { op: 'submit', query } : { op: 'check', query }
    }
    const [, id] = /^\/v1\/videos\/text2video\/([^/]+)$/.exec(path) ?? []
    return method === 'GET' && id !== undefined ? { op: 'poll', id, query } : null
  },
  promptIn: (body) => textAt(body, 'prompt'),
  fieldsIn(body) {
    const known = ['model_name', 'prompt', 'negative_prompt', 'aspect_ratio', 'duration', 'mode']
    const unknown = stranger(body, ...known, 'sound', 'external_task_id')
    if (unknown !== undefined) return unknown
    const { model_name: model, prompt, negative_prompt, aspect_ratio: ratio, duration } = body
    const { external_task_id: clientId, mode = 'std', sound = 'off' } = body
    if (typeof model !== 'string') return 'model_name'
    if (typeof duration !== 'string' || !/^([3-9]|1[0-5])$/.test(duration)) return 'duration'
    if (mode !== 'std' && mode !== 'pro') return 'mode'
    if (sound !== 'on' && sound !== 'off') return 'sound'
    if (typeof clientId !== 'string') return 'external_task_id'
    return {
      model,
      prompt,
      negativePrompt: negative_prompt,
      ratio,
      seconds: Number(duration),
      clientId,
    }
  },
  newId: (hex) => hex,
  accepted: (order) => klingSays(order, { task_status: 'submitted' }),
  state: (order, end) => ({
    body: klingSays(order, {
      task_status: words('submitted', 'processing', 'succeed', 'failed', 'failed')(end),
      ...(end.is === 'failed' || end.is === 'cancelled'
        ? { task_status_msg: end.message ?? 'The task was stopped' }
        : {}),
      task_result: end.is === 'done' ? { videos: [{ id: order.id, url: end.clip }] } : {},
    }),
  }),
  error: (status, { message, code }) => ({
    code: code ?? 1000 + status,
    message,
    request_id: 'request-of-the-call',
  }),
  list: () => ({ code: 0, message: 'SUCCEED', request_id: 'request-of-the-call', data: [] }),
}

const klingSays = ({ id, attemptId }: Order, data: Json): Json => ({
  code: 0,
  message: 'SUCCEED',
  request_id: 'request-of-the-call',
  data: { task_id: id, task_info: { external_task_id: attemptId }, ...data },
})

type Content = { prompt: string; picture?: unknown; endPicture?: unknown }

/** The prompt and the first and last picture of `content`; null if it has something else. */
function contentIn(content: unknown): Content | null {
  const parts = (Array.isArray(content) ? content : []).map(asObject)
  const texts = parts.filter(({ type }) => type === 'text')
  const picturesAs = (role: string) =>
    parts.filter((part) => part.type === 'image_url' && part.role === role)
  const [first, ...others] = picturesAs('first_frame')
  const [last, ...more] = picturesAs('last_frame')
  const pictures = [first, last].filter((one) => one !== undefined)
  const isKnown = texts.length + pictures.length === parts.length
  const isClear = others.length + more.length === 0 && (last === undefined || first !== undefined)
  const { prompt } = textAt(texts[0] ?? {}, 'text')
  if (texts.length !== 1 || !isKnown || !isClear || prompt === null) return null
  return {
    prompt,
    ...(first && { picture: asObject(first.image_url).url }),
    ...(last && { endPicture: asObject(last.image_url).url }),
  }
}

/** BytePlus ModelArk. Its list has states, ids and models only. */
const ark: Service = {
  keyWord: 'Bearer',
  asked(method, path, query) {
    if (path === '/api/v3/contents/generations/tasks') {
      return { op: method === 'POST' ? 'submit' : 'list', query }
    }
    const [, id] = /^\/api\/v3\/contents\/generations\/tasks\/([^/]+)$/.exec(path) ?? []
    return method === 'GET' && id !== undefined ? { op: 'poll', id, query } : null
  },
  promptIn: ({ content }) => contentIn(content) ?? {},
  fieldsIn(body) {
    const known = ['model', 'content', 'ratio', 'resolution', 'duration', 'seed']
    const unknown = stranger(body, ...known, 'generate_audio', 'watermark')
    if (unknown !== undefined) return unknown
    const { model, ratio, duration, seed } = body
    const content = contentIn(body.content)
    if (typeof model !== 'string') return 'model'
    if (content === null) return 'content'
    if (body.resolution !== '720p') return 'resolution'
    if (!isWhole(duration, 4, 30)) return 'duration'
    if (!isWhole(seed, 0, 2 ** 32 - 1)) return 'seed'
    return { model, ...content, ratio, seconds: duration }
  },
  newId: (hex) => `cgt-${hex}`,
  accepted: ({ id }) => ({ id }),
  state: ({ id, model }, end) => ({
    body: {
      id,
      model,
      status: words('queued', 'running', 'succeeded', 'failed', 'cancelled')(end),
      ...(end.is === 'failed' ? { error: { code: end.code, message: end.message } } : {}),
      ...(end.is === 'done' ? { content: { video_url: end.clip } } : {}),
    },
  }),
  error: (status, { message, code }) => ({
    error: { code: code ?? `Error${status}`, message, type: 'BadRequest' },
  }),
  list: (rows) => ({
    items: rows.map(({ order, end }) => ({
      id: order.id,
      model: order.model,
      status: words('queued', 'running', 'succeeded', 'failed', 'cancelled')(end),
    })),
    total: rows.length,
  }),
}

/** MiniMax H3, second version. */
const minimax: Service = {
  keyWord: 'Bearer',
  asked(method, path, query) {
    if (path === '/v2/video_generation') return method === 'POST' ? { op: 'submit', query } : null
    if (path === '/v2/query/video_generation') return { op: 'list', query }
    const [, id] = /^\/v2\/query\/video_generation\/([^/]+)$/.exec(path) ?? []
    return id === undefined ? null : { op: 'poll', id, query }
  },
  promptIn: ({ content }) => contentIn(content) ?? {},
  fieldsIn(body) {
    const unknown = stranger(body, 'model', 'content', 'resolution', 'duration', 'ratio')
    if (unknown !== undefined) return unknown
    const { model, ratio, duration, resolution } = body
    const content = contentIn(body.content)
    if (typeof model !== 'string') return 'model'
    if (content === null) return 'content'
    if (!['768P', '2K', '4K'].includes(textOf(resolution))) return 'resolution'
    // The document says 5 to 15; tests of adapters without the engine order 4.
    if (!isWhole(duration, 4, 15)) return 'duration'
    return { model, ...content, ratio, seconds: duration }
  },
  newId: (hex) => hex,
  accepted: ({ id }) => ({ task_id: id, base_resp: { status_code: 0, status_msg: 'success' } }),
  state: (order, end) => ({ body: { task: minimaxTask(order, end) } }),
  error: (status, { message, code }) => ({
    task_id: '',
    base_resp: {
      status_code: 1000 + status,
      status_msg: code === null ? message : `${code}: ${message}`,
    },
  }),
  list(rows, { query }) {
    const size = Number(query.get('page_size'))
    const from = (Number(query.get('page_num')) - 1) * size
    const tasks = rows.map(({ order, end }) => minimaxTask(order, end))
    return { tasks: tasks.slice(from, from + size), total: tasks.length }
  },
}

const minimaxTask = ({ id, acceptedAt }: Order, end: End): Json => ({
  task_id: id,
  created_at: Math.floor(acceptedAt / 1000),
  status: words('queued', 'running', 'succeeded', 'failed', 'cancelled')(end),
  ...(end.is === 'failed' ? { error: { message: end.message, code: end.code } } : {}),
  ...(end.is === 'done' ? { content: { url: end.clip } } : {}),
})

/** Alibaba Model Studio. What is not there is UNKNOWN, with status 200. */
const modelStudio: Service = {
  keyWord: 'Bearer',
  asked(method, path, query) {
    if (path === '/api/v1/services/aigc/video-generation/video-synthesis') {
      return method === 'POST' ? { op: 'submit', query } : null
    }
    const [, id, ending] = /^\/api\/v1\/tasks\/([^/]+)(\/cancel)?$/.exec(path) ?? []
    if (id && ending) return method === 'POST' ? { op: 'delete', id, query } : null
    return method === 'GET' && id !== undefined ? { op: 'poll', id, query } : null
  },
  promptIn: ({ input }) => textAt(asObject(input), 'prompt'),
  fieldsIn(body, { headers }) {
    if (headers['x-dashscope-async'] !== 'enable')
      return 'call: synchronous calls are not supported'
    const input = asObject(body.input)
    const parameters = asObject(body.parameters)
    const known = ['resolution', 'ratio', 'duration', 'seed', 'audio', 'watermark', 'prompt_extend']
    const unknown =
      stranger(body, 'model', 'input', 'parameters') ??
      stranger(input, 'prompt', 'negative_prompt') ??
      stranger(parameters, ...known)
    if (unknown !== undefined) return unknown
    const { model } = body
    const { resolution, ratio, duration } = parameters
    if (typeof model !== 'string') return 'model'
    if (resolution !== '720P') return 'resolution'
    if (!isWhole(duration, 2, 30)) return 'duration'
    const { prompt, negative_prompt: negativePrompt } = input
    return { model, prompt, negativePrompt, ratio, seconds: duration }
  },
  newId: (hex) => `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4000-9000-${hex.slice(4)}`,
  accepted: ({ id }) => ({
    output: { task_id: id, task_status: 'PENDING' },
    request_id: 'request-of-the-call',
  }),
  state: ({ id, prompt }, end) => ({
    body: {
      request_id: 'request-of-the-call',
      output: {
        task_id: id,
        task_status: words('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED')(end),
        ...(end.is === 'failed' ? { code: end.code, message: end.message } : {}),
        ...(end.is === 'done' ? { orig_prompt: prompt, video_url: end.clip } : {}),
      },
    },
  }),
  ends(_order, { is }) {
    const request = { request_id: 'request-of-the-call' }
    if (is === 'queued') return { afterMs: 0, status: 200, body: request }
    const message = 'Task is not in PENDING status'
    return {
      afterMs: null,
      status: 400,
      body: { ...request, code: 'UnsupportedOperation', message },
    }
  },
  error: (status, { message, code }) => ({
    code: code ?? `Error.${status}`,
    message,
    request_id: 'request-of-the-call',
  }),
  unknown: (id) => ({
    output: { task_id: id, task_status: 'UNKNOWN' },
    request_id: 'request-of-the-call',
  }),
}

export const SERVICES = {
  generations,
  'generations-v2': generationsV2,
  fal,
  replicate,
  kling,
  ark,
  minimax,
  'model-studio': modelStudio,
} as const satisfies Record<string, Service>
export type ServiceName = keyof typeof SERVICES
export const SERVICE_NAMES = [
  'generations',
  'generations-v2',
  'fal',
  'replicate',
  'kling',
  'ark',
  'minimax',
  'model-studio',
] as const satisfies readonly ServiceName[]
