import { defineProvider } from '../definition'
import {
  responseError,
  cleaned,
  isSuccess,
  jsonOf,
  unreadable,
  type HttpResponse,
} from '../http/responses'
import { ask } from '../http/ask.server'
import { download, isClipThere } from '../http/download.server'
import { ageOf, isWorthAsking } from '../http/pace'
import { readRefusal } from '../http/refusals'
import { notAnAssetOf } from '../http/scope'
import type {
  Call,
  Inquiry,
  Order,
  ServiceContext,
  Target,
  Traits,
  UrlAsset,
} from '../http/service.server'
import { namedClips, serviceProvider } from '../http/service.server'
import { openWire } from '../http/wire.server'
import type { ProviderIo, Stoppable } from '../io'
import { errorIn } from '../reading/errors'
import { resultOf } from '../reading/jobs'
import {
  ProviderError,
  type Credential,
  type FindResult,
  type FinishedOrder,
  type OrderRef,
  type LostOrder,
  type PollResult,
  type VideoProvider,
  type VideoRequest,
} from '../port'
import { endIn, idIn, isNoSuchOrder, jobIn, keptIn, type Task } from './answers'
import { findLost } from './look-up.server'
import type { Asked } from './profile'
import { orderOf, resolutionOf, wishOf } from './requests'
import { settings, type TasksConfig } from './settings.server'

type Context = ServiceContext & { config: TasksConfig; accountScope: string }

/** Services that take an order, return its id and are asked for it, for the registry. */
export const tasks = defineProvider('tasks', settings, tasksProvider)

/**
 * Creates the adapter for a service that a profile describes. What happens after a lost response is
 * the profile's as well; if it cannot find orders, the operator's policy decides.
 */
function tasksProvider(config: TasksConfig, io: ProviderIo): VideoProvider & Stoppable {
  const wire = openWire(policyOf(config))
  const { name, baseUrl } = config
  const accountScope = `tasks:${name}:${new URL(baseUrl).host}`
  const context: Context = { config, io, wire, accountScope }
  return serviceProvider(context, {
    // Figures of one service say nothing about another.
    kind: `tasks:${name}`,
    can: capabilities(config),
    steps: {
      submit,
      poll,
      fetch: fetchClip,
      find: config.profile.find === null ? null : find,
      withdraw: config.profile.cancelAt && withdraw,
      check,
    },
    scope: accountScope,
  })
}

function capabilities(config: TasksConfig): Traits {
  const { profile, seconds, model, pictureModel, ordersAgain, sound } = config
  const isNative = profile.hasNegativePrompt(model)
  return {
    durations: seconds,
    texts: { negativePrompt: isNative ? 'native' : 'fold-into-prompt' },
    takesPictures: pictureModel !== null,
    takesEndPictures: pictureModel !== null && profile.hasEndPictures === true,
    recover: profile.find?.by ?? 'none',
    ordersAgain,
    clipsKeptMs: profile.clipsKeptMs,
    clip: { resolution: resolutionOf(config), isSilent: sound === false },
  }
}

/** Clips are often on another host, which the operator names. Lists have a host of the profile's. */
function policyOf({ baseUrl, trustedHosts }: TasksConfig) {
  return { configured: trustedHosts, documented: [new URL(baseUrl).host] }
}

const keyOf = ({ profile }: TasksConfig, { secret }: Credential) => ({
  authorization: `${profile.keyWord} ${secret.reveal()}`,
})
const secretsOf = ({ secret }: Credential): string[] => [secret.reveal()]

type Asking = {
  path: string
  method?: 'POST' | 'PUT'
  base?: string
  body?: string
  headers?: Record<string, string>
}

/**
 * Sends one request and returns the response, with any status. Throws ProviderError if none came.
 * Requests go to the configured address only.
 */
function askRaw(context: Context, call: Call, asking: Asking): Promise<HttpResponse> {
  const { credential, ...purpose } = call
  const { config, wire } = context
  const { path, base = config.baseUrl, body, headers } = asking
  const { method = body === undefined ? 'GET' : 'POST' } = asking
  return ask(wire, {
    ...purpose,
    method,
    url: new URL(`${base}${path}`),
    headers: {
      ...keyOf(config, credential),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    secrets: secretsOf(credential),
  })
}

function refusal(
  context: Context,
  { step, credential }: Call,
  response: HttpResponse,
): ProviderError {
  const isUnreadable = isSuccess(response) && errorIn(jsonOf(response)) === null
  const reading = isUnreadable
    ? unreadable(step, response)
    : readRefusal(step, response, { now: context.io.now() })
  return responseError({ step, response, reading, secrets: secretsOf(credential) })
}

async function submit(context: Context, request: VideoRequest, order: Order): Promise<OrderRef> {
  const { config, io } = context
  const sentAt = io.now()
  const wish = wishOf(config, request, order.attemptId)
  const { path, headers, body } = orderOf(config, wish)
  const response = await askRaw(context, order, {
    path,
    headers: { ...headers },
    body: JSON.stringify(body),
  })
  const said = jsonOf(response)
  const id = isSuccess(response) ? idIn(config.profile, said) : null
  if (id === null) throw refusal(context, order, response)
  return refOf(context, { id, sentAt, model: wish.model, kept: keptIn(config, said) })
}

type Accepted = { id: string; sentAt: number; model: string; kept?: Record<string, string> }

/** The model of an order with a picture may be another one, and part of its address. */
function refOf({ config, accountScope }: Context, { id, sentAt, model, kept }: Accepted): OrderRef {
  const data = { ...kept, sentAt: String(sentAt), ordered: model }
  return { provider: `tasks:${config.name}`, accountScope, model: config.model, id, data }
}

/** Returns what a profile is told of an order. */
const askedOf = ({ id, model, data = {} }: OrderRef): Asked => ({
  id,
  model: data.ordered ?? model,
  data,
})

/** Asks the service to end an order, which may take a moment, and then for its state. */
async function withdraw(context: Context, ref: OrderRef, call: Inquiry): Promise<boolean> {
  const cancel = context.config.profile.cancelAt?.(askedOf(ref))
  if (!cancel) return false
  try {
    await askRaw(context, call, cancel)
    return (await askFor(context, ref, call)).meaning === 'stopped'
  } catch (error) {
    if (error instanceof ProviderError) return false
    throw error
  }
}

/** Asks for an order, and for its clip where that is named elsewhere. */
async function askFor(context: Context, ref: OrderRef, call: Inquiry): Promise<Task> {
  const { profile } = context.config
  const { id } = ref
  const order = askedOf(ref)
  const response = await askRaw(context, call, { path: profile.askAt(order) })
  const job = jobIn(profile, response, id)
  if (job === null) throw refusal(context, call, response)
  if (job.word !== null && job.word === profile.goneWord) throw gone(job.word)
  if (job.meaning !== 'done' || job.clips.length > 0 || !profile.clipAt) return job
  const ended = await askRaw(context, call, { path: profile.clipAt(order) })
  const end = endIn(job, ended)
  if (end === null) throw refusal(context, call, ended)
  return end
}

/** The state of an order that is over or was never there, said with status 200. */
function gone(word: string): ProviderError {
  const fault = { kind: 'permanent', reason: 'job-gone' } as const
  const message = `the service does not know the order: ${word}`
  return new ProviderError(fault, 'accepted', { message, status: 200 })
}

async function poll(context: Context, ref: OrderRef, call: Inquiry): Promise<PollResult> {
  const { config, io } = context
  const job = await askFor(context, ref, call)
  const age = { ageMs: ageOf(ref, io.now()), deadlineMs: config.deadlineMs }
  const assets = namedClips(context, job.clips, { policy: policyOf(config), auth: 'credential' })
  const result = resultOf(job, { ...age, assets, timeScale: config.timeScale })
  const [first, ...more] = assets
  const isThere =
    first !== undefined &&
    isWorthAsking(result, age) &&
    (await isClipThere(clipAt(context, first, call.credential), call.signal))
  const { prompt, attemptId } = job
  const { strangeWord } = result
  const known: PollResult = isThere ? { state: 'succeeded', assets: [first, ...more] } : result
  const named = { ...(strangeWord && { strangeWord }), ...(prompt && { prompt }) }
  const read = { ...known, ...named, ...(attemptId && { attemptId }) }
  return cleaned(read, secretsOf(call.credential))
}

/** Describes a clip for a download. The credential is sent to the service's own host only. */
function clipAt({ config, wire, io }: Context, { url }: UrlAsset, credential: Credential) {
  const { origin } = new URL(config.baseUrl)
  return {
    wire,
    policy: policyOf(config),
    url,
    credential: { origin, headers: keyOf(config, credential) },
    secrets: secretsOf(credential),
    refuse: (response: HttpResponse) => readRefusal('fetch', response, { now: io.now() }),
  }
}

async function fetchClip(
  context: Context,
  { asset }: FinishedOrder,
  { credential, into }: Target,
): Promise<{ bytes: number }> {
  if (asset.at !== 'url') throw notAnAssetOf('this service')
  const { timeScale } = context.config
  return download({ ...clipAt(context, asset, credential), into, timeScale })
}

async function find(context: Context, attempt: LostOrder, call: Inquiry): Promise<FindResult> {
  const { config, io } = context
  const found = await findLost({
    config,
    attempt,
    now: io.now(),
    ask: (path, base) => askRaw(context, call, { path, base }),
  })
  if ('settled' in found) return { found: 'nothing', ...found }
  const sentAt = attempt.sentAt.getTime()
  return { found: 'order', ref: refOf(context, { ...found, sentAt }) }
}

/** Tests a key by a question that costs nothing. */
async function check(context: Context, call: Inquiry): Promise<void> {
  const { profile, model } = context.config
  const response = await askRaw(context, call, { path: profile.checkAt(model) })
  if (!isNoSuchOrder(response)) throw refusal(context, call, response)
}
