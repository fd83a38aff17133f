import { createHash } from 'node:crypto'
import { asObject, Refusal, type Exchange, type Incoming, type Reply } from './exchange'
import { clipReply, compact, isJpeg, objectIn, textOf } from './json'
import { clipOf, type Order } from './orders'
import type { Call, Spelling } from './simulation'
import { accountOf, authorise, requireOwner, scriptedError, takeOrder } from './simulation'

// `/v1/videos` in the dialects of five servers. The first part of the path names the dialect.

export const DIALECTS = ['openai', 'sglang', 'vllm', 'fastvideo', 'gateway'] as const
export type Dialect = (typeof DIALECTS)[number]

const PATH =
  /^\/(openai|sglang|vllm|fastvideo|gateway)\/v1\/(models|videos(?:\/([^/]+)(\/content)?)?)$/

export type VideosPath = {
  dialect: Dialect
  what: 'models' | 'videos' | 'video' | 'content'
  id: string | null
}

export function videosPath(pathname: string): VideosPath | null {
  const parts = PATH.exec(pathname)
  if (parts === null) return null
  const dialect = DIALECTS.find((name) => name === parts[1]) ?? 'openai'
  if (parts[2] === 'models') return { dialect, what: 'models', id: null }
  if (parts[3] === undefined) return { dialect, what: 'videos', id: null }
  const id = decodeURIComponent(parts[3])
  return { dialect, what: parts[4] === undefined ? 'video' : 'content', id }
}

const isOwn = (dialect: Dialect) => !['openai', 'gateway'].includes(dialect)
const headersOf = (dialect: Dialect): Record<string, string> =>
  isOwn(dialect)
    ? { server: 'uvicorn' }
    : { 'x-request-id': 'req_simulator', 'openai-processing-ms': '12' }

const say = (dialect: Dialect, status: number, value: unknown): Reply =>
  compact(status, value, headersOf(dialect))

type Words = { message: string; code?: string | null; type?: string; param?: string | null }

const openAiError = (dialect: Dialect, status: number, words: Words): Reply =>
  say(dialect, status, {
    error: {
      message: words.message,
      type: words.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param: words.param ?? null,
      code: words.code ?? null,
    },
  })

const refuse = (dialect: Dialect, status: number, words: Words): Refusal =>
  new Refusal(
    isOwn(dialect)
      ? say(dialect, status, { detail: words.message })
      : openAiError(dialect, status, words),
  )

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Your request was rejected.',
  403: 'You are not allowed to use this.',
  404: 'Not found',
  429: 'Rate limit reached.',
  500: 'The server had an error while processing your request.',
  503: 'The engine is currently overloaded, please try again later.',
}

function spellingOf(dialect: Dialect): Spelling {
  const error = (status: number, words: Words): Reply =>
    isOwn(dialect)
      ? say(dialect, status, status === 401 ? { error: 'Unauthorized' } : { detail: words.message })
      : openAiError(dialect, status, words)
  return {
    unauthorized: (why) =>
      error(401, {
        message:
          why === 'missing' ? "You didn't provide an API key." : 'Incorrect API key provided.',
        code: 'invalid_api_key',
      }),
    forbidden: (reason, message) => error(403, { message: `${message} (${reason})`, code: reason }),
    error: (status, { message, code }) =>
      status === 401
        ? error(401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' })
        : error(status, {
            message: message ?? MESSAGES[status] ?? 'Error',
            code: code === undefined ? null : String(code),
          }),
    quota: () =>
      error(429, { message: 'Rate limit reached for requests.', code: 'rate_limit_exceeded' }),
  }
}

const callOf = (exchange: Exchange, dialect: Dialect): Call => ({
  ...exchange,
  spelling: spellingOf(dialect),
})

const org = (call: Call, token: string) => accountOf(call, token, 'org-simulator')

type Fields = Record<string, unknown>

/** Returns the fields of an order, from JSON or a form. All values of a form are text. */
export async function fieldsIn(incoming: Incoming): Promise<{ fields: Fields; isForm: boolean }> {
  const type = incoming.headers['content-type'] ?? ''
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)) {
    return { fields: objectIn(incoming) ?? {}, isForm: false }
  }
  const form = await new Response(new Uint8Array(incoming.body), {
    headers: { 'content-type': type },
  }).formData()
  return { fields: Object.fromEntries(form.entries()), isForm: true }
}

const FREE = ['guidance_scale', 'num_inference_steps', 'extra_body']
const FRAMES = ['fps', 'num_frames', 'seed', 'negative_prompt', ...FREE]
const KNOWN: Readonly<Record<Dialect, readonly string[]>> = {
  openai: [],
  sglang: FRAMES,
  vllm: ['width', 'height', 'generate_sound', ...FRAMES],
  fastvideo: FRAMES,
  gateway: [
    'duration',
    'resolution',
    'aspect_ratio',
    'generate_audio',
    'seed',
    'negative_prompt',
    'callback_url',
  ],
}
const TAKING_PICTURES: ReadonlySet<Dialect> = new Set<Dialect>(['openai', 'sglang', 'vllm'])
const SIZES = ['720x1280', '1280x720', '1024x1792', '1792x1024']

/** Returns FastAPI's error for an invalid field. */
const badField = (dialect: Dialect, name: string, msg: string): Refusal =>
  new Refusal(say(dialect, 422, { detail: [{ loc: ['body', name], msg, type: 'value_error' }] }))

function checkEncoding(dialect: Dialect, isForm: boolean, hasPicture: boolean): void {
  if (dialect === 'vllm' && !isForm) throw badField(dialect, 'prompt', 'Field required')
  if (dialect === 'sglang' && isForm && !hasPicture) {
    throw refuse(dialect, 400, { message: 'Invalid request body: input_reference is required' })
  }
}

function checkNames(dialect: Dialect, fields: Fields): void {
  const picture = TAKING_PICTURES.has(dialect) ? ['input_reference'] : []
  const known = ['model', 'prompt', 'size', 'seconds', ...picture, ...KNOWN[dialect]]
  const stranger = Object.keys(fields).find((name) => !known.includes(name))
  if (stranger === undefined) return
  if (isOwn(dialect)) throw badField(dialect, stranger, 'Extra inputs are not permitted')
  throw refuse(dialect, 400, {
    message: `Unknown parameter: '${stranger}'.`,
    code: 'unknown_parameter',
    param: stranger,
  })
}

function checkValues(exchange: Exchange, dialect: Dialect, fields: Fields): void {
  const { size, seconds, model, num_frames: frames } = fields
  const served = exchange.simulation.scenario.servedModel
  if (dialect === 'vllm' && model !== served) {
    throw refuse(dialect, 400, {
      message: `Model mismatch: the server serves ${served}, the request names ${String(model)}`,
    })
  }
  if (dialect === 'openai' && !SIZES.includes(String(size))) {
    throw refuse(dialect, 400, { message: `Invalid size: ${String(size)}`, param: 'size' })
  }
  if (!/^\d{2,4}x\d{2,4}$/.test(textOf(size, '720x1280'))) {
    throw badField(dialect, 'size', 'Value error, size must be WIDTHxHEIGHT')
  }
  if (dialect === 'openai' && !['4', '8', '12', '16', '20'].includes(seconds as string)) {
    throw refuse(dialect, 400, {
      message: `Invalid value: ${JSON.stringify(seconds)}`,
      param: 'seconds',
    })
  }
  if (isOwn(dialect) && !/^[1-9]\d*$/.test(textOf(seconds, '4'))) {
    throw badField(dialect, 'seconds', "String should match pattern '^[1-9]\\d*$'")
  }
  if (frames !== undefined && Number(frames) % 4 !== 1) {
    throw badField(dialect, 'num_frames', 'num_frames must be 4n+1')
  }
}

/** Returns the picture of an order, which is a file of its form. */
async function pictureIn(dialect: Dialect, { input_reference: file }: Fields) {
  if (file === undefined) return null
  const bytes = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0)
  const isPicture = file instanceof Blob && file.type === 'image/jpeg' && isJpeg(bytes)
  if (isPicture) return bytes
  throw refuse(dialect, 400, { message: 'Invalid input_reference', param: 'input_reference' })
}

const idOf = (dialect: Dialect) => (number: number) => {
  const hex = createHash('sha256').update(`${dialect} ${number}`).digest('hex')
  if (dialect === 'openai') return `video_${hex.slice(0, 24)}`
  return dialect === 'sglang' ? hex.slice(0, 32) : `video_gen_${hex.slice(0, 32)}`
}

/** `POST /v1/videos`: creates an order. */
export async function submit(exchange: Exchange, dialect: Dialect): Promise<Reply> {
  const { simulation, incoming, action } = exchange
  const call = callOf(exchange, dialect)
  const token = authorise(call)
  const { fields, isForm } = await fieldsIn(incoming)
  checkEncoding(dialect, isForm, fields.input_reference !== undefined)
  checkNames(dialect, fields)
  const { prompt, negative_prompt: negativePrompt } = fields
  if (typeof prompt !== 'string' || prompt === '') {
    throw isOwn(dialect)
      ? badField(dialect, 'prompt', 'Field required')
      : refuse(dialect, 400, { message: "Missing required parameter: 'prompt'.", param: 'prompt' })
  }
  checkValues(exchange, dialect, fields)
  const model = textOf(fields.model, 'sora-2')
  if (simulation.scenario.goneModels.includes(model)) {
    throw refuse(dialect, 404, {
      message: `The model '${model}' does not exist`,
      code: 'model_not_found',
    })
  }
  const size = textOf(fields.size, '720x1280')
  const [width = 720, height = 1280] = size.split('x').map(Number)
  const order = await takeOrder(call, action, {
    prompt,
    negativePrompt: typeof negativePrompt === 'string' ? negativePrompt : null,
    picture: await pictureIn(dialect, fields),
    model,
    width,
    height,
    token,
    dialect,
    id: idOf(dialect),
    seconds: Number(fields.seconds ?? fields.duration ?? 4),
    attemptId: null,
    account: org(call, token),
    folder: null,
  })
  exchange.accepted = true
  exchange.orderId = order.id
  if (dialect !== 'gateway') return say(dialect, 200, jobOf(exchange, order))
  const address = `${simulation.apiUrl}/gateway/v1/videos/${order.id}`
  return say(dialect, 202, { id: order.id, polling_url: address, status: 'pending' })
}

type State = { status: string; progress: number }

function stateOf({ simulation }: Exchange, order: Order): State {
  const now = simulation.clock.now()
  const share = Math.min(1, (now - order.acceptedAt) / (order.readyAt - order.acceptedAt || 1))
  const dialect = order.dialect
  if (order.readyAt > now) {
    if (order.outcome === 'strange-word') return { status: 'warming_up', progress: 0 }
    const progress = Math.floor((order.outcome === 'backwards' ? 1 - share : share) * 100)
    if (dialect === 'sglang') return { status: 'queued', progress }
    if (dialect === 'gateway') return { status: share < 0.2 ? 'pending' : 'processing', progress }
    return { status: share < 0.1 ? 'queued' : 'in_progress', progress }
  }
  if (['filtered', 'audio-filtered', 'op-error', 'failed'].includes(order.outcome)) {
    return { status: 'failed', progress: 100 }
  }
  if (order.outcome === 'cancelled') return { status: 'cancelled', progress: 0 }
  return { status: 'completed', progress: 100 }
}

const seconds = (ms: number) => Math.floor(ms / 1000)

function jobErrorOf({ outcome, action, dialect }: Order): object | null {
  const isFiltered = outcome === 'filtered' || outcome === 'audio-filtered'
  if (isFiltered) {
    const message = action.message ?? 'The request was blocked by our moderation system.'
    return dialect === 'sglang' ? { message } : { code: 'moderation_blocked', message }
  }
  if (outcome !== 'failed' && outcome !== 'op-error') return null
  const message = action.message ?? 'The video could not be generated.'
  if (dialect === 'sglang') return { message }
  if (dialect === 'vllm') return { code: Number(action.code ?? 500), message }
  return { code: String(action.code ?? 'generation_failed'), message }
}

function jobOf(exchange: Exchange, order: Order): Record<string, unknown> {
  const { dialect } = order
  const { status, progress } = stateOf(exchange, order)
  const error = jobErrorOf(order)
  const isDone = order.readyAt <= exchange.simulation.clock.now()
  const job = {
    id: order.id,
    object: 'video',
    model: order.model,
    status,
    progress,
    created_at: seconds(order.acceptedAt),
    size: `${order.width}x${order.height}`,
    seconds: String(order.seconds),
    ...(isDone ? { completed_at: seconds(order.readyAt) } : {}),
  }
  if (dialect === 'openai') {
    return {
      ...job,
      completed_at: isDone ? seconds(order.readyAt) : null,
      expires_at: isDone ? seconds(order.readyAt) + 3_600 : null,
      ...promptOf(exchange, order),
      remixed_from_video_id: null,
      error: isDone ? error : null,
    }
  }
  const prompt = dialect === 'sglang' ? {} : promptOf(exchange, order)
  return { ...job, ...prompt, ...(isDone && error !== null ? { error } : {}) }
}

function promptOf({ simulation }: Exchange, { prompt }: Order): { prompt?: string } {
  switch (simulation.scenario.prompts) {
    case 'as-parsed':
      return { prompt }
    case 'tidied':
      return { prompt: prompt.normalize('NFC').replaceAll(/\s+/g, ' ').trim() }
    case 'cut':
      return { prompt: prompt.slice(0, 40) }
    case 'none':
      return {}
  }
}

function ownOrder(
  exchange: Exchange,
  { dialect, id }: VideosPath,
): { order: Order; token: string } {
  const call = callOf(exchange, dialect)
  const token = authorise(call)
  const order = exchange.simulation.orders.find(id ?? '')
  const isThere = order !== undefined && !order.deleted && order.dialect === dialect
  if (!isThere || order.outcome === 'forgotten') {
    throw refuse(dialect, 404, { message: `Video '${id}' not found` })
  }
  exchange.orderId = order.id
  requireOwner(call, order, org(call, token))
  return { order, token }
}

/** `GET /v1/videos/id`: returns the state of an order. */
export async function poll(exchange: Exchange, path: VideosPath): Promise<Reply> {
  const { simulation, action } = exchange
  const { order, token } = ownOrder(exchange, path)
  await simulation.pause(action.latencyMs ?? simulation.scenario.defaults.pollLatencyMs)
  const error = scriptedError(callOf(exchange, path.dialect), action)
  if (error) return error
  simulation.orders.notePoll(order, token)
  const job = jobOf(exchange, order)
  if (order.readyAt <= simulation.clock.now()) order.reported = true
  // This server returns the error of a failed job as its own status.
  const isFailure = path.dialect === 'vllm' && job.status === 'failed'
  const code = Number(asObject(job.error).code)
  return say(path.dialect, isFailure ? (code >= 400 && code < 600 ? code : 500) : 200, job)
}

/** `GET /v1/videos`: returns the account's orders. */
export function list(exchange: Exchange, dialect: Dialect): Reply {
  const { simulation, incoming, action } = exchange
  const call = callOf(exchange, dialect)
  const token = authorise(call)
  const error = scriptedError(call, action)
  if (error) return error
  const { searchParams } = incoming.url
  const account = org(call, token)
  const own = simulation.orders
    .all()
    .filter((order) => order.dialect === dialect && order.account === account && !order.deleted)
  const sorted = searchParams.get('order') === 'asc' ? own : own.reverse()
  const after = sorted.findIndex(({ id }) => id === searchParams.get('after')) + 1
  const limit = Number(searchParams.get('limit') ?? 20)
  const data = sorted.slice(after, after + limit).map((order) => jobOf(exchange, order))
  return say(dialect, 200, {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: sorted.length > after + limit,
  })
}

/** `GET /v1/videos/id/content`: returns the clip. A gateway redirects to another host. */
export function content(exchange: Exchange, path: VideosPath): Reply {
  const { simulation, action, incoming } = exchange
  const { dialect } = path
  const { order } = ownOrder(exchange, path)
  const error = scriptedError(callOf(exchange, dialect), action)
  if (error) return error
  const variant = incoming.url.searchParams.get('variant') ?? 'video'
  if (variant !== 'video')
    throw refuse(dialect, 400, { message: `Unsupported variant '${variant}'` })
  const { status } = stateOf(exchange, order)
  if (status === 'failed' && isOwn(dialect))
    throw refuse(dialect, 422, { message: 'Generation failed' })
  if (order.outcome === 'empty' || action.fault === 'expired-url') {
    throw refuse(dialect, 404, { message: 'The video has no content' })
  }
  // As much as the file contains so far.
  if (status !== 'completed' && dialect === 'sglang') {
    return clipReply(clipOf(order).subarray(0, 20_000), headersOf(dialect))
  }
  if (status !== 'completed')
    throw refuse(dialect, 404, { message: 'Generation is still in-progress' })
  if (dialect === 'gateway') {
    const location = `${simulation.filesUrl}/clips/${order.id}.mp4`
    return { status: 302, headers: { location, ...headersOf(dialect) }, body: Buffer.alloc(0) }
  }
  const clip = clipOf(order)
  const etag = `"${createHash('md5').update(clip).digest('hex')}"`
  return clipReply(clip, { ...headersOf(dialect), etag, 'accept-ranges': 'bytes' })
}

/** `DELETE /v1/videos/id`. */
export function remove(exchange: Exchange, path: VideosPath): Reply {
  const { order } = ownOrder(exchange, path)
  order.deleted = true
  if (path.dialect === 'sglang') {
    return say('sglang', 200, { ...jobOf(exchange, order), status: 'deleted' })
  }
  return say(path.dialect, 200, { id: order.id, object: 'video.deleted', deleted: true })
}

/** `GET /v1/models`. A gateway has no such list. */
export function models(exchange: Exchange, dialect: Dialect): Reply {
  const call = callOf(exchange, dialect)
  authorise(call)
  const error = scriptedError(call, exchange.action)
  if (error) return error
  if (dialect === 'gateway') throw refuse(dialect, 404, { message: 'Not found' })
  const id = isOwn(dialect) ? exchange.simulation.scenario.servedModel : 'sora-2'
  return say(dialect, 200, {
    object: 'list',
    data: [{ id, object: 'model', owned_by: 'simulator' }],
  })
}
