import { createHash } from 'node:crypto'
import { Refusal, type Exchange, type Reply } from './exchange'
import { uuidOf } from './google'
import { clipReply, compact, jpegIn, objectIn } from './json'
import { clipOf, type Order } from './orders'
import type { Call, Spelling } from './simulation'
import { accountOf, authorise, requireOwner, scriptedError, takeOrder } from './simulation'

// Runway's tasks, and the signed addresses of its clips.

const VERSION = '2024-11-06'
const TASK = /^\/v1\/tasks\/([^/]+)$/
const CLIP = /^\/clips\/([^/]+)\.mp4$/

export const taskId = (pathname: string) => TASK.exec(pathname)?.[1] ?? null
export const clipId = (pathname: string) => CLIP.exec(pathname)?.[1] ?? null

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Validation of body failed',
  403: 'You do not have permission to do this.',
  404: 'Not found',
  429: 'You have exceeded the rate limit.',
  500: 'An unexpected error occurred.',
  502: 'Bad gateway.',
  503: 'The service is temporarily unavailable.',
}

const error = (status: number, message: string): Reply => compact(status, { error: message })

const spelling: Spelling = {
  unauthorized: () => error(401, 'The API key you provided is invalid.'),
  forbidden: (reason, message) => error(403, `${message} (${reason})`),
  error: (status, { message }) =>
    error(
      status,
      message ??
        (status === 401 ? 'The API key you provided is invalid.' : (MESSAGES[status] ?? 'Error')),
    ),
  quota: (kind) =>
    error(
      429,
      kind === 'rate' ? 'You have exceeded the rate limit.' : 'Too many concurrent tasks.',
    ),
}

const callOf = (exchange: Exchange): Call => ({ ...exchange, spelling })

const org = (call: Call, token: string) => accountOf(call, token, 'runway-simulator')

/** Checks that a request names its API version and has a key. */
function enter(exchange: Exchange): { call: Call; token: string } {
  const call = callOf(exchange)
  if (exchange.incoming.headers['x-runway-version'] !== VERSION) {
    throw new Refusal(
      error(400, `You must specify an API version using the X-Runway-Version header.`),
    )
  }
  return { call, token: authorise(call) }
}

const RATIOS: Readonly<Record<string, readonly [number, number]>> = {
  '720:1280': [720, 1280],
  '1280:720': [1280, 720],
  '1080:1920': [1080, 1920],
  '1920:1080': [1920, 1080],
}
const KNOWN = ['model', 'promptText', 'ratio', 'duration', 'audio', 'negativePrompt', 'seed']
const DATA_URI = /^data:image\/jpeg;base64,([A-Za-z0-9+/]+=*)$/

/** `POST /v1/text_to_video` and `/v1/image_to_video`: creates an order. */
export async function submit(exchange: Exchange): Promise<Reply> {
  const { call, token } = enter(exchange)
  const { simulation, incoming, action } = exchange
  const body = objectIn(incoming)
  const bad = (what: string) => new Refusal(error(400, `Validation of body failed: ${what}`))
  if (body === null) throw bad('it is no object')
  const hasPicture = incoming.url.pathname === '/v1/image_to_video'
  const known = hasPicture ? [...KNOWN, 'promptImage'] : KNOWN
  const stranger = Object.keys(body).find((name) => !known.includes(name))
  if (stranger !== undefined) throw bad(`unrecognized key ${stranger}`)
  const { model, promptText, ratio, duration, audio, negativePrompt } = body
  if (typeof model !== 'string') throw bad('model')
  if (simulation.scenario.goneModels.includes(model))
    throw new Refusal(error(404, `Unknown model ${model}`))
  const isPrompt = typeof promptText === 'string' && promptText !== '' && promptText.length <= 1_000
  if (!isPrompt) throw bad('promptText must have 1 to 1000 characters')
  const size = RATIOS[String(ratio)]
  if (size === undefined) throw bad('ratio')
  if (![4, 6, 8].includes(duration as number)) throw bad('duration must be 4, 6 or 8')
  if (!['undefined', 'boolean'].includes(typeof audio)) throw bad('audio')
  if (!['undefined', 'string'].includes(typeof negativePrompt)) throw bad('negativePrompt')
  const picture = jpegIn(DATA_URI.exec(String(body.promptImage))?.[1])
  if (hasPicture && picture === null) throw bad('promptImage')
  const [width, height] = size
  const order = await takeOrder(call, action, {
    model,
    token,
    width,
    height,
    prompt: promptText,
    negativePrompt: typeof negativePrompt === 'string' ? negativePrompt : null,
    picture,
    seconds: Number(duration),
    id: (number) => uuidOf(`task ${number}`),
    dialect: 'runway',
    attemptId: null,
    account: org(call, token),
    folder: null,
  })
  exchange.accepted = true
  exchange.orderId = order.id
  return compact(200, { id: order.id })
}

function ownTask(exchange: Exchange): { order: Order; token: string; call: Call } {
  const { call, token } = enter(exchange)
  const order = exchange.simulation.orders.find(taskId(exchange.incoming.url.pathname) ?? '')
  if (order === undefined || order.deleted || order.outcome === 'forgotten') {
    throw new Refusal(error(404, 'The requested task was not found.'))
  }
  exchange.orderId = order.id
  requireOwner(call, order, org(call, token))
  return { order, token, call }
}

/** `GET /v1/tasks/id`: returns the state of an order. */
export async function poll(exchange: Exchange): Promise<Reply> {
  const { simulation, action } = exchange
  const { order, token, call } = ownTask(exchange)
  await simulation.pause(action.latencyMs ?? simulation.scenario.defaults.pollLatencyMs)
  const refusal = scriptedError(call, action)
  if (refusal) return refusal
  simulation.orders.notePoll(order, token)
  const isDone = order.readyAt <= simulation.clock.now()
  if (isDone) order.reported = true
  const base = { id: order.id, createdAt: new Date(order.acceptedAt).toISOString() }
  return compact(200, {
    ...base,
    ...(isDone ? endOf(exchange, order) : runningOf(exchange, order)),
  })
}

function runningOf({ simulation }: Exchange, order: Order): object {
  if (order.outcome === 'strange-word') return { status: 'REHEARSING' }
  const share =
    (simulation.clock.now() - order.acceptedAt) / (order.readyAt - order.acceptedAt || 1)
  if (share < 0.1) return { status: order.id.startsWith('0') ? 'THROTTLED' : 'PENDING' }
  const progress = order.outcome === 'backwards' ? 1 - share : share
  return { status: 'RUNNING', progress: Math.round(progress * 100) / 100 }
}

function endOf({ simulation }: Exchange, order: Order): object {
  const { action, outcome } = order
  const failed = (failure: string, code: string) => ({
    status: 'FAILED',
    failure: action.message ?? failure,
    failureCode: String(action.code ?? code),
  })
  switch (outcome) {
    case 'filtered':
    case 'audio-filtered':
      return failed('Your content was flagged by our moderation.', 'SAFETY.OUTPUT.VIDEO')
    case 'failed':
    case 'op-error':
      return failed('An unexpected error occurred.', 'INTERNAL.BAD_OUTPUT.CODE01')
    case 'cancelled':
      return { status: 'CANCELLED' }
    case 'empty':
      return { status: 'SUCCEEDED', output: [] }
    default:
      return { status: 'SUCCEEDED', output: [addressOf(simulation.filesUrl, order)] }
  }
}

/** Returns a signed address. After one has expired, the task returns another. */
const addressOf = (filesUrl: string, { id, addresses }: Order) =>
  `${filesUrl}/clips/${id}.mp4?_jwt=simulated.${addresses}`

/** `GET /clips/id.mp4` of the files' host: needs the address and must have no credential. */
export function clip(exchange: Exchange): Reply {
  const { simulation, incoming, action } = exchange
  const order = simulation.orders.find(clipId(incoming.url.pathname) ?? '')
  const gone: Reply = {
    status: 403,
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'),
  }
  if (order === undefined) return gone
  exchange.orderId = order.id
  // A client that sends a credential here leaks it to another host.
  if (incoming.headers.authorization !== undefined) {
    simulation.orders.counts.credentialsToFiles += 1
    return { ...gone, status: 400 }
  }
  if (action.fault === 'expired-url') {
    order.addresses += 1
    return gone
  }
  const version = /\.(\d+)$/.exec(incoming.url.searchParams.get('_jwt') ?? '')?.[1]
  if (version !== undefined && Number(version) !== order.addresses) return gone
  const refusal = scriptedError(callOf(exchange), action)
  if (refusal) return refusal
  const bytes = clipOf(order)
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
  return clipReply(bytes, { etag, 'accept-ranges': 'bytes', server: 'AmazonS3' })
}

/** `DELETE /v1/tasks/id`. */
export function remove(exchange: Exchange): Reply {
  const { order } = ownTask(exchange)
  if (order.reported) order.deleted = true
  else Object.assign(order, { outcome: 'cancelled', readyAt: exchange.simulation.clock.now() })
  return { status: 204, headers: {}, body: Buffer.alloc(0) }
}

/** `GET /v1/organization`: free of charge, shows whether a key works. */
export function organization(exchange: Exchange): Reply {
  const { call } = enter(exchange)
  const refusal = scriptedError(call, exchange.action)
  return refusal ?? compact(200, { creditBalance: 10_000, tier: { models: {} }, usage: {} })
}
