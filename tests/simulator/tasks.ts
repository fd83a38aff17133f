import { Refusal, type Exchange, type Incoming, type Reply } from './exchange'
import { hashOf, type Order } from './orders'
import { compact, jpegIn, objectIn, textOf } from './json'
import type { Route } from './routes'
import type { Call, Simulation, Spelling } from './simulation'
import { accountOf, authorise, requireOwner, scriptedError, takeOrder } from './simulation'
import { SERVICES, type Asked, type End, type Service, type ServiceName } from './tasks-services'

// Services that take an order, return its id and are asked for it: `/tasks/<service>/…`. What they say is
// in tasks-services.ts, written after their documents and not after the product's profiles.

const PATH = /^\/tasks\/([a-z0-9-]+)(\/.*)$/

const isName = (name: string): name is ServiceName => name in SERVICES
const serviceOf = (name: ServiceName): Service => SERVICES[name]

/** Returns the route of a request to one of the services. */
export function routeOf(simulation: Simulation, incoming: Incoming): Route | null {
  const [, name = '', path = ''] = PATH.exec(incoming.url.pathname) ?? []
  if (!isName(name)) return null
  const asked = serviceOf(name).asked(incoming.method, path, incoming.url.searchParams)
  if (asked === null) return null
  const order = asked.id === undefined ? undefined : orderOf(simulation, name, asked.id)
  const common = { family: 'tasks', op: asked.op, order } as const
  if (asked.op !== 'submit')
    return { ...common, respond: (exchange) => answer(exchange, name, asked) }
  const { prompt = null } = serviceOf(name).promptIn(objectIn(incoming) ?? {})
  return { ...common, prompt, respond: (exchange) => submit(exchange, name, asked) }
}

/** An order by the service's id, or by the client's own where the service knows that. */
function orderOf({ orders }: Simulation, name: ServiceName, id: string): Order | undefined {
  const own = serviceOf(name).knowsClientIds
    ? orders.all().find((order) => order.dialect === name && order.attemptId === id)
    : undefined
  const order = orders.find(id) ?? own
  return order?.dialect === name ? order : undefined
}

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request is invalid',
  401: 'Invalid token',
  403: 'You have no access to this',
  404: 'The task was not found',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'The service is overloaded',
}

function sayError(simulation: Simulation, name: ServiceName, status: number, words: Words): Reply {
  const { errorsAs200 } = simulation.scenario.strange
  const body = serviceOf(name).error(status, words)
  return compact(errorsAs200 === undefined ? status : 200, body)
}

type Words = { message: string; code: string | null }

function spellingOf(simulation: Simulation, name: ServiceName): Spelling {
  const error = (status: number, message: string, code: string | null = null) =>
    sayError(simulation, name, status, { message, code })
  return {
    unauthorized: () => error(401, 'Invalid token'),
    forbidden: (reason, message) => error(403, message, reason),
    error: (status, { message, code }) =>
      error(
        status,
        message ?? MESSAGES[status] ?? 'Error',
        code === undefined ? null : String(code),
      ),
    quota: () => error(429, 'Too many requests'),
  }
}

/** Checks the key, and how it is sent. */
function enter(
  exchange: Exchange,
  name: ServiceName,
): { call: Call; token: string; account: string } {
  const call: Call = { ...exchange, spelling: spellingOf(exchange.simulation, name) }
  const { keyWord } = serviceOf(name)
  const given = exchange.incoming.headers.authorization ?? ''
  if (!given.startsWith(`${keyWord} `)) throw new Refusal(call.spelling.unauthorized('missing'))
  const token = authorise(call)
  return { call, token, account: accountOf(call, token, `${name}-simulator`) }
}

const SIZES = new Map([
  ['9:16', [720, 1280]],
  ['16:9', [1280, 720]],
] as const)
const DATA_URI = /^data:image\/jpeg;base64,([A-Za-z0-9+/]+=*)$/

async function submit(exchange: Exchange, name: ServiceName, asked: Asked): Promise<Reply> {
  const { simulation, incoming, action } = exchange
  const service = serviceOf(name)
  const { call, token, account } = enter(exchange, name)
  const bad = (what: string) =>
    new Refusal(sayError(simulation, name, 400, { message: `Invalid ${what}`, code: null }))
  const body = objectIn(incoming)
  if (body === null) throw bad('body')
  const fields = service.fieldsIn(body, { model: asked.model, headers: incoming.headers })
  if (typeof fields === 'string') throw bad(fields)
  const { prompt, negativePrompt, model, ratio, seconds, clientId = null } = fields
  if (simulation.scenario.goneModels.includes(model)) {
    throw new Refusal(
      sayError(simulation, name, 404, { message: `Model ${model} not found`, code: null }),
    )
  }
  const size = ratio === '9:16' || ratio === '16:9' ? SIZES.get(ratio) : undefined
  if (size === undefined) throw bad('ratio')
  if (typeof prompt !== 'string' || prompt === '') throw bad('prompt')
  const jpegOf = (picture: unknown): Buffer | null => {
    if (picture === undefined) return null
    const jpeg = jpegIn(DATA_URI.exec(textOf(picture))?.[1])
    if (jpeg === null) throw bad('picture')
    return jpeg
  }
  const order = await takeOrder(call, action, {
    model,
    token,
    prompt,
    account,
    width: size[0],
    height: size[1],
    negativePrompt: typeof negativePrompt === 'string' ? negativePrompt : null,
    picture: jpegOf(fields.picture),
    endPicture: jpegOf(fields.endPicture),
    seconds,
    id: (number) => service.newId(hashOf(`${name} ${number}`)),
    dialect: name,
    attemptId: clientId,
    folder: null,
  })
  exchange.accepted = true
  exchange.orderId = order.id
  return compact(service.acceptedStatus ?? 200, service.accepted(order, baseOf(simulation, name)))
}

const baseOf = ({ apiUrl }: Simulation, name: ServiceName) => `${apiUrl}/tasks/${name}`

async function answer(exchange: Exchange, name: ServiceName, asked: Asked): Promise<Reply> {
  const { simulation, action } = exchange
  const service = serviceOf(name)
  const { call, token, account } = enter(exchange, name)
  const refusal = scriptedError(call, action)
  if (asked.op === 'list' || asked.op === 'check') {
    if (refusal) return refusal
    const own = simulation.orders
      .all()
      .filter((order) => order.dialect === name && order.account === account)
    const rows = own.map((order) => ({ order, end: endOf(simulation, order) }))
    return compact(200, service.list?.(rows, { ...asked, now: simulation.clock.now() }) ?? {})
  }
  const order = asked.id === undefined ? undefined : orderOf(simulation, name, asked.id)
  if (order === undefined || order.outcome === 'forgotten') {
    if (refusal) return refusal
    const unknown = service.unknown?.(asked.id ?? '')
    if (unknown !== undefined) return compact(200, unknown)
    return sayError(simulation, name, 404, { message: 'The task was not found', code: null })
  }
  exchange.orderId = order.id
  requireOwner(call, order, account)
  await simulation.pause(action.latencyMs ?? simulation.scenario.defaults.pollLatencyMs)
  if (refusal) return refusal
  const end = endOf(simulation, order)
  if (asked.op === 'delete') return endEarly(exchange, order, end)
  if (asked.op === 'poll') {
    simulation.orders.notePoll(order, token)
    if (end.isOver) order.reported = true
  }
  const { status = 200, body } = service.state(order, end, {
    ...asked,
    base: baseOf(simulation, name),
  })
  const { wrapped } = simulation.scenario.strange
  return compact(status, wrapped ? { code: 'success', message: '', data: body } : body)
}

function endEarly({ simulation }: Exchange, order: Order, end: End): Reply {
  const ended = serviceOf(order.dialect as ServiceName).ends?.(order, end)
  if (ended === undefined) throw new Error(`${order.dialect} ends no orders`)
  const { afterMs } = ended
  if (afterMs !== null)
    Object.assign(order, { outcome: 'cancelled', readyAt: simulation.clock.now() + afterMs })
  return compact(ended.status, ended.body)
}

/** Returns how far an order is, in words of no service. */
function endOf({ clock, filesUrl }: Simulation, order: Order): End {
  const now = clock.now()
  const { acceptedAt, readyAt, outcome, action, addresses } = order
  const share = Math.min(1, (now - acceptedAt) / (readyAt - acceptedAt || 1))
  const clip = `${filesUrl}/clips/${order.id}.mp4?_jwt=simulated.${addresses}`
  if (readyAt > now) {
    if (outcome === 'strange-word') return { is: 'strange', isOver: false, clip, share }
    const progress = outcome === 'backwards' ? 1 - share : share
    return { is: share < 0.2 ? 'queued' : 'running', isOver: false, clip, share: progress }
  }
  const ended = { isOver: true, clip, share: 1, code: String(action.code ?? 'failed') }
  switch (outcome) {
    case 'filtered':
    case 'audio-filtered':
      return { ...ended, is: 'failed', message: action.message ?? 'Blocked by content moderation' }
    case 'failed':
    case 'op-error':
      return { ...ended, is: 'failed', message: action.message ?? 'The generation broke off' }
    case 'cancelled':
      return { ...ended, is: 'cancelled' }
    case 'empty':
      return { ...ended, is: 'empty' }
    default:
      return { ...ended, is: 'done' }
  }
}
