import type { Exchange, Incoming, Reply } from './exchange'
import { asObject } from './exchange'
import { objectIn } from './json'
import * as comfyui from './comfyui'
import * as openai from './openai'
import type { Order } from './orders'
import * as runway from './runway'
import * as tasks from './tasks'
import * as texts from './texts'
import type { Family, Operation } from './scenario'
import * as vertex from './vertex'
import type { Simulation } from './simulation'
import { mintToken } from './oauth'
import { googleSpelling } from './google'
import { scriptedError } from './simulation'

/** The handler of a request, and what the scenario's rules may know about it in advance. */
export type Route = {
  family: Family
  op: Operation
  prompt?: string | null
  order?: Order | undefined
  respond: (exchange: Exchange) => Promise<Reply> | Reply
}

/** Returns the route of a request; null for unknown addresses. */
export async function routeOf(simulation: Simulation, incoming: Incoming): Promise<Route | null> {
  if (incoming.listener === 'files') return filesRoute(simulation, incoming)
  return (
    vertexRoute(simulation, incoming) ??
    (await videosRoute(simulation, incoming)) ??
    runwayRoute(simulation, incoming) ??
    tasks.routeOf(simulation, incoming) ??
    comfyui.routeOf(simulation, incoming) ??
    texts.routeOf(incoming)
  )
}

function filesRoute(simulation: Simulation, incoming: Incoming): Route | null {
  const { pathname, searchParams } = incoming.url
  if (incoming.method !== 'GET') return null
  const clipId = runway.clipId(pathname)
  if (clipId !== null) {
    const order = simulation.orders.find(clipId)
    const family = order?.family ?? 'runway'
    return { family, op: 'content', order, respond: runway.clip }
  }
  if (vertex.isObjects(pathname)) {
    return { family: 'gcs', op: 'list', respond: vertex.listObjects }
  }
  if (!vertex.isObject(pathname)) return null
  const order = vertex.orderOfObject({ simulation, incoming })
  const op = searchParams.get('alt') === 'media' ? 'content' : 'object'
  return { family: 'gcs', op, order, respond: vertex.getObject }
}

function vertexRoute(simulation: Simulation, incoming: Incoming): Route | null {
  const { url, method } = incoming
  const place = vertex.modelCall(url.pathname)
  if (place !== null && method === 'POST') {
    if (place.method === 'predictLongRunning') {
      const instances = objectIn(incoming)?.instances
      const prompt = asObject(Array.isArray(instances) ? instances[0] : null).prompt
      return {
        family: 'vertex',
        op: 'submit',
        prompt: textOr(prompt),
        respond: (exchange) => vertex.submit(exchange, place),
      }
    }
    const order = simulation.orders.find(vertex.operationIdOf(objectIn(incoming)?.operationName))
    return {
      family: 'vertex',
      op: 'poll',
      order,
      respond: (exchange) => vertex.poll(exchange, place),
    }
  }
  if (method === 'GET' && vertex.isOperation(url.pathname)) {
    return { family: 'vertex', op: 'poll', respond: vertex.wrongPoll }
  }
  if (method === 'GET' && vertex.isPlace(url.pathname)) {
    return { family: 'vertex', op: 'check', respond: vertex.location }
  }
  if (method !== 'POST' || url.pathname !== '/token') return null
  return { family: 'oauth', op: 'token', respond: mint }
}

function mint({ simulation, incoming, family, op, action }: Exchange): Reply {
  const error = scriptedError(
    { simulation, incoming, family, op, spelling: googleSpelling },
    action,
  )
  return error ?? mintToken(simulation, incoming, `${simulation.apiUrl}/token`)
}

async function videosRoute(simulation: Simulation, incoming: Incoming): Promise<Route | null> {
  const path = openai.videosPath(incoming.url.pathname)
  if (path === null) return null
  const { dialect, what } = path
  const order = path.id === null ? undefined : simulation.orders.find(path.id)
  const route = (op: Operation, respond: Route['respond']): Route => ({
    family: 'openai',
    op,
    order,
    respond,
  })
  switch (`${incoming.method} ${what}`) {
    case 'POST videos': {
      const { prompt } = (await openai.fieldsIn(incoming)).fields
      const submit = route('submit', (exchange) => openai.submit(exchange, dialect))
      return { ...submit, prompt: textOr(prompt) }
    }
    case 'GET videos':
      return route('list', (exchange) => openai.list(exchange, dialect))
    case 'GET video':
      return route('poll', (exchange) => openai.poll(exchange, path))
    case 'DELETE video':
      return route('delete', (exchange) => openai.remove(exchange, path))
    case 'GET content':
      // A gateway only redirects to the clip.
      return route(dialect === 'gateway' ? 'object' : 'content', (exchange) =>
        openai.content(exchange, path),
      )
    case 'GET models':
      return route('check', (exchange) => openai.models(exchange, dialect))
    default:
      return null
  }
}

function runwayRoute(simulation: Simulation, incoming: Incoming): Route | null {
  const { pathname } = incoming.url
  const taskId = runway.taskId(pathname)
  const order = taskId === null ? undefined : simulation.orders.find(taskId)
  const family = 'runway'
  switch (`${incoming.method} ${taskId === null ? pathname : 'task'}`) {
    case 'POST /v1/image_to_video':
    case 'POST /v1/text_to_video': {
      const prompt = textOr(objectIn(incoming)?.promptText)
      return { family, op: 'submit', prompt, respond: runway.submit }
    }
    case 'GET task':
      return { family, op: 'poll', order, respond: runway.poll }
    case 'DELETE task':
      return { family, op: 'delete', order, respond: runway.remove }
    case 'GET /v1/organization':
      return { family, op: 'check', respond: runway.organization }
    default:
      return null
  }
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)
