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
import { checkAddress } from '../http/address.server'
import { download, isClipThere } from '../http/download.server'
import { ageOf, isWorthAsking } from '../http/pace'
import { readRefusal } from '../http/refusals'
import { notAnAssetOf } from '../http/scope'
import type { Call, Inquiry, Order, ServiceContext, Target, Traits } from '../http/service.server'
import { serviceProvider } from '../http/service.server'
import { openWire, type Exchange } from '../http/wire.server'
import type { ProviderIo, Stoppable } from '../io'
import { urlsOf } from '../reading/clip-addresses'
import { errorIn } from '../reading/errors'
import { readJob, refusalIn, resultOf, type Job } from '../reading/jobs'
import { orderIdIn } from '../reading/order-ids'
import type {
  AssetRef,
  Credential,
  FindResult,
  FinishedOrder,
  OrderRef,
  LostOrder,
  PollResult,
  ProviderError,
  VideoProvider,
  VideoRequest,
} from '../port'
import { DIALECTS } from './dialects'
import { findListed } from './look-up.server'
import { contentUrl, encodeOrder, jobUrl } from './requests'
import { resolutionOf } from '../service-settings'
import { settings, type OpenAiVideosConfig } from './settings.server'

type Context = ServiceContext & { config: OpenAiVideosConfig; accountScope: string }

type Asked = Pick<Exchange, 'method' | 'body'> & { url: string; headers?: Record<string, string> }

/** Servers and gateways with `/v1/videos`, for the registry. */
export const openAiVideos = defineProvider('openai-videos', settings, openAiVideosProvider)

/**
 * Creates the adapter for servers and gateways that implement OpenAI's `/v1/videos`. The protocol
 * has no client-side order ids. After a lost response the order is looked up in the server's list,
 * placed again, or given up, as the operator has configured.
 */
function openAiVideosProvider(
  config: OpenAiVideosConfig,
  io: ProviderIo,
): VideoProvider & Stoppable {
  const wire = openWire(policyOf(config))
  const accountScope = `openai-videos:${new URL(config.baseUrl).host}`
  const context: Context = { config, io, wire, accountScope }
  return serviceProvider(context, {
    kind: 'openai-videos',
    can: capabilities(config),
    steps: {
      submit,
      poll,
      fetch: fetchClip,
      find: config.ambiguous === 'list' ? find : null,
      check,
    },
    scope: accountScope,
  })
}

const FOLDING = { native: 'native', fold: 'fold-into-prompt', none: 'none' } as const

function capabilities(config: OpenAiVideosConfig): Traits {
  const { seconds, negative, ambiguous, dialect, sizes } = config
  return {
    durations: seconds,
    texts: { negativePrompt: FOLDING[negative] },
    recover: ambiguous === 'list' ? 'list' : 'none',
    ordersAgain: ambiguous === 'resubmit',
    clipsKeptMs: DIALECTS[dialect].clipsKeptMs,
    takesPictures: takesPictures(config),
    clip: { resolution: resolutionOf(sizes.portrait) },
  }
}

/** A service refuses a picture that is not of the size of the video. Ours are 720p. */
function takesPictures({ dialect, sizes }: OpenAiVideosConfig): boolean {
  const { host, takesPictures = false } = DIALECTS[dialect]
  const is720p = sizes.portrait === '720x1280' && sizes.landscape === '1280x720'
  return takesPictures && (host === 'own' || is720p)
}

function policyOf({ baseUrl, trustedHosts }: OpenAiVideosConfig) {
  return { configured: trustedHosts, documented: [new URL(baseUrl).host] }
}

const bearer = ({ secret }: Credential) => ({ authorization: `Bearer ${secret.reveal()}` })
const secretsOf = ({ secret }: Credential): string[] => [secret.reveal()]

/**
 * Sends one request and returns the response, with any status. Throws ProviderError if none came.
 */
function askRaw(
  context: Context,
  { credential, ...purpose }: Call,
  asked: Asked,
): Promise<HttpResponse> {
  const { url, headers, ...rest } = asked
  return ask(context.wire, {
    ...rest,
    ...purpose,
    url: new URL(url),
    headers: { ...bearer(credential), ...headers },
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
  const encoded = await encodeOrder(config, request)
  const response = await askRaw(context, order, {
    method: 'POST',
    url: `${config.baseUrl}/videos`,
    ...encoded,
  })
  const said = jsonOf(response)
  const id = isSuccess(response) ? orderIdIn(said, errorIn(said) !== null) : null
  if (id === null) throw refusal(context, order, response)
  return refOf(context, id, sentAt)
}

function refOf({ config, accountScope }: Context, id: string, sentAt: number): OrderRef {
  const data = { sentAt: String(sentAt) }
  return { provider: 'openai-videos', accountScope, model: config.model, id, data }
}

async function poll(context: Context, ref: OrderRef, call: Inquiry): Promise<PollResult> {
  const { config, io } = context
  const response = await askRaw(context, call, { method: 'GET', url: jobUrl(config, ref.id) })
  const job = jobIn(response, ref.id)
  const isOwn = DIALECTS[config.dialect].host === 'own'
  if (job === null) {
    // Self-hosted servers keep orders in memory. A restart lost this one; ordering again costs only
    // time.
    if (response.status === 404 && isOwn) return forgotten()
    throw refusal(context, call, response)
  }
  const age = { ageMs: ageOf(ref, io.now()), deadlineMs: config.deadlineMs }
  const assets = assetsOf(context, ref, job)
  const result = resultOf(job, { ...age, assets, timeScale: config.timeScale })
  const isThere = isWorthAsking(result, age) && (await isFinished(context, assets[0], call))
  const { prompt } = job
  const { strangeWord } = result
  const known: PollResult = isThere ? { state: 'succeeded', assets } : result
  const secrets = secretsOf(call.credential)
  const read = { ...known, ...(strangeWord && { strangeWord }), ...(prompt && { prompt }) }
  return cleaned(read, secrets)
}

/** Returns the job in a response, or null. A failed job may come with an error status. */
function jobIn(response: HttpResponse, id: string): Job | null {
  const { body } = response
  if (body.is !== 'json' || typeof body.value !== 'object' || body.value === null) return null
  const job = readJob(body.value)
  if (isSuccess(response)) return refusalIn(body.value, job, id) === null ? job : null
  return job.id === id && (job.meaning === 'failed' || job.meaning === 'stopped') ? job : null
}

/**
 * Returns where the clip of an order is. Gateways often name an address, at another host perhaps;
 * all others serve it beside the job.
 */
function assetsOf({ config, io }: Context, { id }: OrderRef, { clips }: Job) {
  const content = contentUrl(config, id)
  const isGateway = config.dialect === 'gateway'
  const urls = isGateway ? urlsOf(clips, config.baseUrl) : []
  const usable = urls.filter((url) => checkAddress(url, policyOf(config)).ok)
  const [other] = urls
  if (other !== undefined && usable.length === 0) {
    const words = 'a clip is on a host that is not in VIDEO_PROVIDER_ASSET_HOSTS'
    io.note({ host: other.host }, words)
  }
  const [first = content, ...more] = usable.map(({ href }) => href)
  const asset = (url: string): AssetRef => ({ at: 'url', url, auth: 'credential' })
  return [asset(first), ...more.map(asset)] as const
}

function isFinished(context: Context, asset: AssetRef, call: Inquiry): Promise<boolean> {
  const { credential, signal } = call
  const isWhole = DIALECTS[context.config.dialect].servesUnfinished !== true
  return asset.at === 'url' && isWhole
    ? isClipThere(clipAt(context, asset, credential), signal)
    : Promise.resolve(false)
}

function forgotten(): PollResult {
  const evidence = { message: 'the server no longer knows the job', status: 404 }
  return { state: 'failed', fault: { kind: 'transient' }, evidence }
}

type UrlAsset = Extract<AssetRef, { at: 'url' }>

/** Describes a clip for a download. The credential is sent to the service's own host only. */
function clipAt({ config, wire, io }: Context, { url, auth }: UrlAsset, credential: Credential) {
  const { origin } = new URL(config.baseUrl)
  return {
    wire,
    policy: policyOf(config),
    url,
    credential: auth === 'none' ? null : { origin, headers: bearer(credential) },
    secrets: secretsOf(credential),
    refuse: (response: HttpResponse) => readRefusal('fetch', response, { now: io.now() }),
  }
}

async function fetchClip(
  context: Context,
  { asset }: FinishedOrder,
  { credential, into }: Target,
): Promise<{ bytes: number }> {
  if (asset.at !== 'url') throw notAnAssetOf('this provider')
  const { timeScale } = context.config
  return download({ ...clipAt(context, asset, credential), into, timeScale })
}

async function find(context: Context, attempt: LostOrder, call: Inquiry): Promise<FindResult> {
  const { config, io } = context
  const found = await findListed({
    config,
    attempt,
    now: io.now(),
    page: async (query) => {
      const response = await askRaw(context, call, {
        method: 'GET',
        url: `${config.baseUrl}/videos${query}`,
      })
      if (!isSuccess(response)) throw refusal(context, call, response)
      return response
    },
  })
  if ('settled' in found) return { found: 'nothing', ...found }
  return { found: 'order', ref: refOf(context, found.id, attempt.sentAt.getTime()) }
}

/** Tests a credential. If a server has no list of models, its list of orders is requested. */
async function check(context: Context, call: Inquiry): Promise<void> {
  const { baseUrl } = context.config
  const models = await askRaw(context, call, { method: 'GET', url: `${baseUrl}/models` })
  const response =
    models.status === 404
      ? await askRaw(context, call, { method: 'GET', url: `${baseUrl}/videos?limit=1` })
      : models
  if (!isSuccess(response)) throw refusal(context, call, response)
}
