import { createHash } from 'node:crypto'
import { asObject, Refusal, type Exchange, type Incoming, type Reply } from './exchange'
import { uuidOf } from './google'
import { clipReply, compact, isJpeg, objectIn, textOf } from './json'
import { clipOf, type Order } from './orders'
import type { Route } from './routes'
import type { Operation } from './scenario'
import {
  authorise,
  scriptedError,
  takeOrder,
  type Call,
  type Simulation,
  type Spelling,
} from './simulation'

// A ComfyUI server under `/comfyui`, after its documents and the routes that its server lists. Orders
// run side by side, so that a test may have some that never end.

type Json = Record<string, unknown>
type Node = { class_type: string; inputs: Json }

/** The nodes that are installed. */
const CLASSES = [
  'UNETLoader',
  'CLIPLoader',
  'VAELoader',
  'CLIPTextEncode',
  'Wan22ImageToVideoLatent',
  'KSampler',
  'VAEDecode',
  'CreateVideo',
  'SaveVideo',
  'LoadImage',
]
const PATH = /^\/comfyui(\/.*)$/
const CANONICAL = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FRAMES_PER_SECOND = 16

/** What the server keeps of an order besides the ledger: what it was asked to do, and by whom. */
type Kept = { graph: unknown; clientId: string | null }
const kept = new WeakMap<Order, Kept>()
const uploads = new WeakMap<Simulation, Map<string, Buffer>>()

const OPERATIONS: Readonly<
  Record<string, readonly [Operation, (exchange: Exchange) => Promise<Reply> | Reply]>
> = {
  'POST /prompt': ['submit', submit],
  'GET /queue': ['poll', queue],
  'POST /queue': ['delete', changeQueue],
  'GET /history': ['list', history],
  'POST /interrupt': ['delete', interrupt],
  'POST /upload/image': ['object', upload],
  'GET /view': ['content', view],
}

/** Returns the route of a request to the server. */
export function routeOf(simulation: Simulation, incoming: Incoming): Route | null {
  const [, path = ''] = PATH.exec(incoming.url.pathname) ?? []
  if (path === '') return null
  const family = 'comfyui'
  const [, one] = /^\/history\/([^/]+)$/.exec(path) ?? []
  if (one !== undefined) {
    const order = orderOf(simulation, one)
    return { family, op: 'poll', order, respond: (exchange) => historyOf(exchange, one) }
  }
  const [, node] = /^\/object_info\/([^/]+)$/.exec(path) ?? []
  if (node !== undefined) {
    const name = decodeURIComponent(node)
    return { family, op: 'check', respond: (exchange) => objectInfo(exchange, name) }
  }
  const [op, respond] = OPERATIONS[`${incoming.method} ${path}`] ?? []
  if (op === undefined || respond === undefined) return null
  const common = { family, op, respond } as const
  if (op === 'submit') return { ...common, prompt: promptIn(objectIn(incoming)?.prompt) }
  const name = incoming.url.searchParams.get('filename') ?? ''
  return { ...common, order: op === 'content' ? orderOf(simulation, idOfFile(name)) : undefined }
}

const orderOf = ({ orders }: Simulation, id: string): Order | undefined => {
  const order = orders.find(id)
  return order?.dialect === 'comfyui' ? order : undefined
}

const say = (status: number, type: string, message: string, more: Json = {}): Reply =>
  compact(status, {
    error: { type, message, details: '', extra_info: {} },
    node_errors: {},
    ...more,
  })

const MESSAGES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'The server is starting',
}

const spelling: Spelling = {
  unauthorized: () => say(401, 'unauthorized', 'Unauthorized'),
  forbidden: (reason, message) => say(403, reason, message),
  error: (status, { message, code }) =>
    say(status, textOf(code, 'error'), message ?? MESSAGES[status] ?? 'Error'),
  quota: () => say(429, 'error', 'Too many requests'),
}

/** ComfyUI knows no keys; a proxy in front of it may. */
function enter(exchange: Exchange): { call: Call; token: string } {
  const call: Call = { ...exchange, spelling }
  const token = exchange.incoming.token === null ? '' : authorise(call)
  return { call, token }
}

function refuseIfScripted(exchange: Exchange): void {
  const { call } = enter(exchange)
  const refusal = scriptedError(call, exchange.action)
  if (refusal) throw new Refusal(refusal)
}

const nodesOf = (graph: unknown): Record<string, Node> => graph as Record<string, Node>

/** Returns the node that an input of another one is linked to. */
function linked(graph: unknown, node: Node | undefined, input: string): Node | undefined {
  const link = node?.inputs[input]
  return Array.isArray(link) ? nodesOf(graph)[String(link[0])] : undefined
}

const byClass = (graph: unknown, name: string): Node | undefined =>
  Object.values(asObject(graph))
    .map((node) => node as Node)
    .find((node) => node.class_type === name)

function promptIn(graph: unknown): string | null {
  const text = linked(graph, byClass(graph, 'KSampler'), 'positive')?.inputs.text
  return typeof text === 'string' ? text : null
}

/** Checks a workflow as the server does, node by node. */
function validate(simulation: Simulation, graph: unknown): void {
  for (const [id, value] of Object.entries(asObject(graph))) {
    const { class_type: name } = asObject(value)
    if (typeof name === 'string' && CLASSES.includes(name)) continue
    const message = `Node '${textOf(name, 'unknown')}' not found. The custom node may not be installed.`
    throw new Refusal(
      compact(400, {
        error: { type: 'missing_node_type', message, details: `Node ID '#${id}'`, extra_info: {} },
        node_errors: {},
      }),
    )
  }
  if (byClass(graph, 'SaveVideo') === undefined)
    throw new Refusal(say(400, 'prompt_no_outputs', 'Prompt has no outputs'))
  const model = textOf(byClass(graph, 'UNETLoader')?.inputs.unet_name)
  if (simulation.scenario.goneModels.includes(model))
    throw invalid(
      'UNETLoader',
      'value_not_in_list',
      'Value not in list',
      `unet_name: '${model}' not in []`,
    )
}

const invalid = (node: string, type: string, message: string, details: string): Refusal =>
  new Refusal(
    say(400, 'prompt_outputs_failed_validation', 'Prompt outputs failed validation', {
      node_errors: {
        '1': {
          class_type: node,
          dependent_outputs: ['58'],
          errors: [{ type, message, details, extra_info: {} }],
        },
      },
    }),
  )

/** A whole number, as a number: a text in its place is a mistake of the one who filled the workflow. */
function whole(node: Node | undefined, input: string): number {
  const value = node?.inputs[input]
  if (typeof value === 'number' && Number.isInteger(value)) return value
  throw invalid(
    node?.class_type ?? 'unknown',
    'invalid_input_type',
    'Failed to convert an input value to a INT value',
    input,
  )
}

/** `POST /prompt`: creates an order. */
async function submit(exchange: Exchange): Promise<Reply> {
  const { call, token } = enter(exchange)
  const { simulation, incoming, action } = exchange
  const { prompt: graph, prompt_id: given, client_id: client } = objectIn(incoming) ?? {}
  const { ownIds = false } = simulation.scenario.strange
  if (graph === undefined) return say(400, 'no_prompt', 'No prompt provided')
  if (!ownIds && given !== undefined && !CANONICAL.test(textOf(given)))
    return say(400, 'invalid_prompt_id', 'prompt_id must be a valid UUID')
  validate(simulation, graph)
  const sampler = byClass(graph, 'KSampler')
  whole(sampler, 'seed')
  const latent = linked(graph, sampler, 'latent_image')
  const image = linked(graph, latent, 'start_image')
  const picture =
    image === undefined ? null : uploads.get(simulation)?.get(textOf(image.inputs.image))
  if (picture === undefined)
    throw invalid(
      'LoadImage',
      'custom_validation_failed',
      'Custom validation failed for node',
      'image - Invalid image file',
    )
  const negative = textOf(linked(graph, sampler, 'negative')?.inputs.text)
  const clientId = typeof client === 'string' ? client : null
  const order = await takeOrder(call, action, {
    model: textOf(byClass(graph, 'UNETLoader')?.inputs.unet_name),
    token,
    prompt: promptIn(graph) ?? '',
    negativePrompt: negative === '' ? null : negative,
    picture,
    width: whole(latent, 'width'),
    height: whole(latent, 'height'),
    seconds: (whole(latent, 'length') - 1) / FRAMES_PER_SECOND,
    id: (number) => (ownIds || given === undefined ? uuidOf(`comfyui ${number}`) : textOf(given)),
    dialect: 'comfyui',
    attemptId: clientId,
    account: 'comfyui-simulator',
    folder: null,
  })
  kept.set(order, { graph, clientId })
  exchange.accepted = true
  exchange.orderId = order.id
  return compact(200, {
    prompt_id: order.id,
    number: simulation.orders.all().length,
    node_errors: {},
  })
}

/** The server's own orders, without those that it has lost. */
const known = ({ orders }: Simulation): Order[] =>
  orders
    .all()
    .filter(
      ({ dialect, deleted, outcome }) =>
        dialect === 'comfyui' && !deleted && outcome !== 'forgotten',
    )

const isOver = ({ clock }: Simulation, { readyAt }: Order): boolean => readyAt <= clock.now()

/** The first fifth of an order's time is spent in the queue. */
function isWaiting({ clock }: Simulation, { acceptedAt, readyAt }: Order): boolean {
  return readyAt === Infinity
    ? clock.now() - acceptedAt < 1_000
    : (clock.now() - acceptedAt) / (readyAt - acceptedAt || 1) < 0.2
}

function rowOf(order: Order, number: number): unknown[] {
  const { graph = {}, clientId = null } = kept.get(order) ?? {}
  return [number, order.id, graph, { client_id: clientId, create_time: order.acceptedAt }, ['58']]
}

/** `GET /queue`. */
async function queue(exchange: Exchange): Promise<Reply> {
  const { simulation, action } = exchange
  await simulation.pause(action.latencyMs ?? simulation.scenario.defaults.pollLatencyMs)
  refuseIfScripted(exchange)
  const open = known(simulation).filter((order) => !isOver(simulation, order))
  const rows = (isIn: (order: Order) => boolean) => open.filter(isIn).map(rowOf)
  return compact(200, {
    queue_running: rows((order) => !isWaiting(simulation, order)),
    queue_pending: rows((order) => isWaiting(simulation, order)),
  })
}

/** `POST /queue {delete: [id]}`: only what waits is deleted. */
function changeQueue(exchange: Exchange): Reply {
  const { simulation, incoming } = exchange
  refuseIfScripted(exchange)
  const { delete: ids } = objectIn(incoming) ?? {}
  for (const order of known(simulation)) {
    const isMeant = Array.isArray(ids) && ids.includes(order.id)
    if (isMeant && !isOver(simulation, order) && isWaiting(simulation, order)) order.deleted = true
  }
  return { status: 200, headers: {}, body: Buffer.alloc(0) }
}

/** `POST /interrupt`: stops the named order; without a name, all that run. */
function interrupt(exchange: Exchange): Reply {
  const { simulation, incoming } = exchange
  refuseIfScripted(exchange)
  const { prompt_id: id } = objectIn(incoming) ?? {}
  for (const order of known(simulation)) {
    const isRunning = !isOver(simulation, order) && !isWaiting(simulation, order)
    if (!isRunning || (id !== undefined && id !== order.id)) continue
    Object.assign(order, { outcome: 'cancelled', readyAt: simulation.clock.now() })
  }
  return { status: 200, headers: {}, body: Buffer.alloc(0) }
}

/** `GET /history/id`: an empty object for an order that has not ended or is not there. */
async function historyOf(exchange: Exchange, id: string): Promise<Reply> {
  const { simulation, action } = exchange
  await simulation.pause(action.latencyMs ?? simulation.scenario.defaults.pollLatencyMs)
  refuseIfScripted(exchange)
  const order = known(simulation).find((one) => one.id === id)
  if (order === undefined || !isOver(simulation, order)) return compact(200, {})
  exchange.orderId = order.id
  simulation.orders.notePoll(order, exchange.incoming.token ?? '')
  order.reported = true
  return compact(200, { [order.id]: endOf(order) })
}

/** `GET /history?max_items=n`: the latest. */
function history(exchange: Exchange): Reply {
  const { simulation, incoming } = exchange
  refuseIfScripted(exchange)
  const most = Number(incoming.url.searchParams.get('max_items') ?? Infinity)
  const over = known(simulation).filter((order) => isOver(simulation, order))
  return compact(
    200,
    Object.fromEntries(over.slice(-most).map((order) => [order.id, endOf(order)])),
  )
}

function endOf(order: Order): Json {
  const { action, outcome, acceptedAt } = order
  const prompt = rowOf(order, 0)
  const start = ['execution_start', { prompt_id: order.id, timestamp: acceptedAt }]
  const failed = (event: string, more: Json = {}): Json => ({
    prompt,
    outputs: {},
    status: {
      status_str: 'error',
      completed: false,
      messages: [
        start,
        [event, { prompt_id: order.id, node_id: '3', node_type: 'KSampler', ...more }],
      ],
    },
    meta: {},
  })
  const thrown = (message: string, type: string) =>
    failed('execution_error', {
      exception_message: action.message ?? message,
      exception_type: textOf(action.code, type),
      traceback: [],
    })
  switch (outcome) {
    case 'filtered':
    case 'audio-filtered':
      return thrown('The output was blocked by content moderation', 'RuntimeError')
    case 'failed':
    case 'op-error':
      return thrown('The generation broke off', 'RuntimeError')
    case 'cancelled':
      return failed('execution_interrupted')
    default: {
      const file = { filename: fileOf(order), subfolder: 'video', type: 'output' }
      return {
        prompt,
        outputs: outcome === 'empty' ? {} : { 58: { images: [file], animated: [true] } },
        status: { status_str: 'success', completed: true, messages: [start] },
        meta: {},
      }
    }
  }
}

const fileOf = ({ id, addresses }: Order): string => `reelmill_${id}_${addresses}_.mp4`
const idOfFile = (name: string): string => /^reelmill_([0-9a-f-]+)_\d+_\.mp4$/.exec(name)?.[1] ?? ''

/** `GET /view`: a file that a node has saved. */
function view(exchange: Exchange): Reply {
  const { simulation, incoming, action } = exchange
  refuseIfScripted(exchange)
  const { searchParams } = incoming.url
  const name = searchParams.get('filename') ?? ''
  const order = orderOf(simulation, idOfFile(name))
  const gone: Reply = { status: 404, headers: {}, body: Buffer.alloc(0) }
  if (order === undefined || !isOver(simulation, order)) return gone
  exchange.orderId = order.id
  if (action.fault === 'expired-url') return gone
  const isIt = searchParams.get('subfolder') === 'video' && searchParams.get('type') === 'output'
  if (!isIt || name !== fileOf(order)) return gone
  const bytes = clipOf(order)
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
  return clipReply(bytes, { etag, 'accept-ranges': 'bytes' })
}

/** `POST /upload/image`. */
async function upload(exchange: Exchange): Promise<Reply> {
  const { simulation, incoming } = exchange
  refuseIfScripted(exchange)
  const headers = { 'content-type': incoming.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(incoming.body), { headers }).formData()
  const file = form.get('image')
  if (!(file instanceof File)) return { status: 400, headers: {}, body: Buffer.alloc(0) }
  const bytes = Buffer.from(await file.arrayBuffer())
  if (!isJpeg(bytes)) return { status: 400, headers: {}, body: Buffer.alloc(0) }
  const files = uploads.get(simulation) ?? new Map<string, Buffer>()
  uploads.set(simulation, files.set(file.name, bytes))
  return compact(200, { name: file.name, subfolder: '', type: 'input' })
}

/** `GET /object_info/name`: an empty object for a node that is not installed. */
function objectInfo(exchange: Exchange, name: string): Reply {
  refuseIfScripted(exchange)
  return compact(
    200,
    CLASSES.includes(name) ? { [name]: { name, output_node: name === 'SaveVideo' } } : {},
  )
}
