import { runningTimeout } from '~/lib/running-time'
import { seconds } from '~/lib/time'
import { defineProvider } from '../definition'
import { download } from '../http/download.server'
import { LISTED_AFTER_MS } from '../http/listed'
import { ageOf, pollAfter } from '../http/pace'
import { cleaned, isSuccess, jsonOf } from '../http/responses'
import { notAnAssetOf } from '../http/scope'
import { serviceProvider, type Order, type Target, type Traits } from '../http/service.server'
import { openWire } from '../http/wire.server'
import type { ProviderIo, Stoppable } from '../io'
import {
  ProviderError,
  type FindResult,
  type FinishedOrder,
  type LostOrder,
  type OrderRef,
  type PollResult,
  type VideoProvider,
  type VideoRequest,
} from '../port'
import { objectOf, textOf } from '../reading/json'
import { resultOf } from '../reading/jobs'
import { orderIdIn } from '../reading/order-ids'
import { endOf, lastingFault, readAnswer, type Entry } from './answers'
import {
  askRaw,
  ended,
  keyOf,
  policyOf,
  post,
  readHistory,
  readQueue,
  refusal,
  secretsOf,
  tooLong,
  type Call,
  type Context,
} from './calls.server'
import { orderedGraph, pictureForm, promptIdOf } from './orders'
import { problemsOf } from './problems.server'
import { settings, type ComfyUiConfig } from './settings.server'

const KIND = 'comfyui'
const OWN_CALL_MS = seconds(10)
/** How many ended orders are looked through for one that the server gave an id of its own. */
const LATEST = 10

/** A ComfyUI server of the operator's own, for the registry. */
export const comfyUi = defineProvider(KIND, settings, comfyUiProvider)

/**
 * Creates the adapter for a ComfyUI server. An order is the operator's workflow with the video's values
 * in it, under an id that we choose, by which it is found again. The server keeps its orders in memory.
 */
function comfyUiProvider(config: ComfyUiConfig, io: ProviderIo): VideoProvider & Stoppable {
  const context: Context = { config, io, wire: openWire(policyOf(config)) }
  const provider = serviceProvider(context, {
    kind: KIND,
    can: capabilities(config),
    steps: { submit, poll, fetch: fetchClip, find, check: null },
  })
  return {
    ...provider,
    withdraw: (ref) => withdraw(context, ref),
    forget: (ref) => stopWork(context, ref),
    problems: (signal) => problemsOf(context, signal),
  }
}

function capabilities({
  workflow,
  pictureWorkflow,
  seconds,
  sizes,
  clipsKeptMs,
}: ComfyUiConfig): Traits {
  const all = pictureWorkflow === null ? [workflow] : [workflow, pictureWorkflow]
  const isNative = all.every(({ has }) => has.has('negative'))
  return {
    durations: seconds,
    texts: { negativePrompt: isNative ? 'native' : 'fold-into-prompt' },
    takesPictures: pictureWorkflow !== null,
    recover: 'client-id',
    ordersAgain: false,
    needsCredential: false,
    // Other work may be before ours in the server's queue.
    deadlineFrom: 'rendering',
    atOnce: 1,
    clipsKeptMs,
    clip: { resolution: `${Math.min(sizes.portrait.width, sizes.portrait.height)}p` },
  }
}

async function submit(context: Context, request: VideoRequest, order: Order): Promise<OrderRef> {
  const { config, io } = context
  const promptId = promptIdOf(order.attemptId)
  const { step, mayStart, signal } = order
  const { picture } = request
  const name = picture === undefined ? null : await upload(context, picture, signal)
  const prompt = orderedGraph(config, request, name)
  const sentAt = io.now()
  const call = { step, mayStart, signal }
  // Servers that choose ids themselves keep the client's id beside the order.
  const body = { prompt, prompt_id: promptId, client_id: promptId }
  const response = await askRaw(context, call, post('/prompt', body))
  const given = objectOf(jsonOf(response)).prompt_id
  const id = isSuccess(response) ? orderIdIn({ id: given }, true) : null
  if (id === null) throw refusal(context, call, response)
  if (id !== promptId) io.note({ id }, 'ComfyUI gave an order an id of its own: update it')
  return refOf(config, id, sentAt)
}

const refOf = ({ model }: ComfyUiConfig, id: string, sentAt: number): OrderRef => ({
  provider: KIND,
  accountScope: KIND,
  model,
  id,
  data: { sentAt: String(sentAt) },
})

/** Sends a picture and returns its name at the server. It comes before the order, and costs nothing. */
async function upload(context: Context, picture: Uint8Array, signal: AbortSignal): Promise<string> {
  const call = { step: 'check', signal } as const
  const form = await pictureForm(picture)
  const response = await askRaw(context, call, { path: '/upload/image', ...form })
  const { name, subfolder } = objectOf(jsonOf(response))
  if (!isSuccess(response) || textOf(name) === null) throw refusal(context, call, response)
  return [subfolder, name].flatMap((part) => textOf(part) ?? []).join('/')
}

/** The queue is asked first: an order that leaves it meanwhile is in the history. */
async function poll(context: Context, ref: OrderRef, { signal }: Call): Promise<PollResult> {
  const { config, io } = context
  const call = { step: 'poll', signal } as const
  const age = { ageMs: ageOf(ref, io.now()), timeScale: config.timeScale }
  const queue = await readQueue(context, call)
  const isOurs = ({ id }: Entry) => id === ref.id
  const isWaiting = queue?.waiting.some(isOurs)
  if (isWaiting || queue?.running.some(isOurs)) {
    const pollAfterMs = pollAfter(age.ageMs, age.timeScale)
    return { state: 'pending', phase: isWaiting ? 'queued' : 'running', pollAfterMs }
  }
  const end = await ended(context, call, ref.id)
  if (end === undefined && queue === null) throw tooLong(call)
  if (end === undefined) return FORGOTTEN
  const job = endOf(end, config.baseUrl)
  const assets = job.clips.map((url) => ({ at: 'url', url, auth: 'credential' }) as const)
  return cleaned(resultOf(job, { ...age, assets, ownFault: lastingFault }), secretsOf(config))
}

/** Nothing can come of such an order any more. Ordering again costs only time. */
const FORGOTTEN: PollResult = {
  state: 'failed',
  fault: { kind: 'transient' },
  evidence: {
    message: 'the server does not know the order: it was restarted, or its history cleared',
  },
}

async function fetchClip(
  { config, wire, io }: Context,
  { asset }: FinishedOrder,
  { into }: Target,
): Promise<{ bytes: number }> {
  if (asset.at !== 'url') throw notAnAssetOf('ComfyUI')
  const { baseUrl, timeScale } = config
  return download({
    wire,
    policy: policyOf(config),
    url: asset.url,
    credential: { origin: new URL(baseUrl).origin, headers: keyOf(config) },
    secrets: secretsOf(config),
    refuse: (response) => readAnswer('fetch', response, io.now()),
    into,
    timeScale,
  })
}

/**
 * Looks for a lost order by our id, also as the client's: a server that chooses ids keeps that. That
 * there is none is settled only if the server is seen to use our ids, or shows all that it has done.
 */
async function find(context: Context, lost: LostOrder, { signal }: Call): Promise<FindResult> {
  const { config } = context
  const call = { step: 'find', signal } as const
  const ours = promptIdOf(lost.attemptId)
  const queue = await readQueue(context, call)
  const byId = await ended(context, call, ours)
  const isOurs = ({ id, clientId }: Entry) => id === ours || clientId === ours
  const found = ({ id }: Entry): FindResult => ({
    found: 'order',
    ref: refOf(config, id, lost.sentAt.getTime()),
  })
  const seen = [...(queue?.running ?? []), ...(queue?.waiting ?? []), ...(byId ? [byId] : [])]
  const own = seen.find(isOurs)
  if (own) return found(own)
  const latest = await readHistory(context, call, `/history?max_items=${LATEST}`)
  const earlier = latest.find(isOurs)
  if (earlier) return found(earlier)
  if (queue === null) throw tooLong(call)
  const usesOurs = [...seen, ...latest].some(({ id, clientId }) => id === clientId)
  const isProof = usesOurs || latest.length < LATEST
  const isOld = lost.lostMs >= LISTED_AFTER_MS * config.timeScale
  return { found: 'nothing', settled: isOld && isProof }
}

const ownCall = () => ({ step: 'poll', signal: runningTimeout(OWN_CALL_MS) }) as const

/** Takes a waiting order out of the queue. Returns whether it was not started meanwhile. */
async function withdraw(context: Context, { id }: OrderRef): Promise<boolean> {
  const call = ownCall()
  try {
    await askRaw(context, call, post('/queue', { delete: [id] }))
    const queue = await readQueue(context, call)
    if (queue === null) return false
    const isThere = [...queue.running, ...queue.waiting].some((one) => one.id === id)
    return !isThere && (await ended(context, call, id)) === undefined
  } catch (error) {
    if (error instanceof ProviderError) return false
    throw error
  }
}

/** Ends the work on an order that is given up. Only ours: others' work may be running as well. */
async function stopWork(context: Context, { id }: OrderRef): Promise<void> {
  const call = ownCall()
  const queue = await readQueue(context, call)
  if (queue?.waiting.some((one) => one.id === id))
    await askRaw(context, call, post('/queue', { delete: [id] }))
  // Older servers stop whatever runs.
  if (queue?.running.some((one) => one.id === id))
    await askRaw(context, call, post('/interrupt', { prompt_id: id }))
}
