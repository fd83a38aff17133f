import { days } from '~/lib/time'
import { defineProvider } from '../definition'
import {
  responseError,
  acceptanceUnsent,
  cleaned,
  isSuccess,
  jsonOf,
  unreadable,
  type HttpResponse,
} from '../http/responses'
import { ask } from '../http/ask.server'
import { download, isClipThere } from '../http/download.server'
import { ageOf, isWorthAsking } from '../http/pace'
import { notAnAssetOf } from '../http/scope'
import type { Call, Inquiry, Order, ServiceContext, Target, Traits } from '../http/service.server'
import { namedClips, serviceProvider } from '../http/service.server'
import { openWire } from '../http/wire.server'
import type { ProviderIo, Stoppable } from '../io'
import { errorIn } from '../reading/errors'
import { readJob, refusalIn, resultOf, type Job } from '../reading/jobs'
import { orderIdIn } from '../reading/order-ids'
import {
  ProviderError,
  type Credential,
  type FinishedOrder,
  type OrderRef,
  type PollResult,
  type VideoProvider,
  type VideoRequest,
} from '../port'
import { readFailureCode, readRefusal, spacedError } from './errors'
import { settings, type RunwayConfig } from './settings.server'

type Context = ServiceContext & { config: RunwayConfig }

const SCOPE = 'runway'
/** In UTF-16 code units, as the service counts. */
const LONGEST_PROMPT = 1_000
const RATIOS = { portrait: '720:1280', landscape: '1280:720' } as const
/** As documented by Runway: URLs of clips expire after one to two days. */
const CLIPS_KEPT_MS = days(1)
/** Finished clips are on Amazon's network. No credential is sent there. */
const ASSET_HOSTS = ['*.cloudfront.net'] as const

/** Runway, for the registry. */
export const runway = defineProvider('runway', settings, runwayProvider)

/**
 * Creates the adapter for Veo 3.1 through Runway's API, whose keys are valid until revoked. An
 * order with a lost response cannot be looked up: the operator's policy decides.
 */
function runwayProvider(config: RunwayConfig, io: ProviderIo): VideoProvider & Stoppable {
  const context: Context = { config, io, wire: openWire(policyOf(config)) }
  return serviceProvider(context, {
    kind: 'runway',
    can: capabilities(config),
    steps: { submit, poll, fetch: fetchClip, find: null, check },
    scope: SCOPE,
  })
}

function capabilities({ ambiguous, audio }: RunwayConfig): Traits {
  return {
    durations: [4, 6, 8],
    texts: { negativePrompt: 'native' },
    takesPictures: true,
    recover: 'none',
    ordersAgain: ambiguous === 'resubmit',
    clipsKeptMs: CLIPS_KEPT_MS,
    clip: { isSilent: !audio },
  }
}

function policyOf({ baseUrl, trustedHosts }: RunwayConfig) {
  return { configured: trustedHosts, documented: [new URL(baseUrl).host, ...ASSET_HOSTS] }
}

type Asked = { method: 'GET' | 'POST'; path: string; body?: string }

function askRaw(
  context: Context,
  { credential, ...purpose }: Call,
  asked: Asked,
): Promise<HttpResponse> {
  const { config, wire } = context
  const { method, path, body } = asked
  const secret = credential.secret.reveal()
  return ask(wire, {
    ...purpose,
    method,
    url: new URL(`${config.baseUrl}${path}`),
    headers: {
      authorization: `Bearer ${secret}`,
      'x-runway-version': config.version,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    secrets: [secret],
  })
}

const circumstances = ({ io, config: { timeScale } }: Context) => ({
  now: io.now(),
  timeScale,
})
function refusal(
  context: Context,
  { step, credential }: Call,
  response: HttpResponse,
): ProviderError {
  const isUnreadable = isSuccess(response) && errorIn(jsonOf(response)) === null
  const reading = isUnreadable
    ? unreadable(step, response)
    : readRefusal(step, response, circumstances(context))
  return responseError({ step, response, reading, secrets: [credential.secret.reveal()] })
}

async function submit(context: Context, request: VideoRequest, order: Order): Promise<OrderRef> {
  const { config, io } = context
  const { prompt, negativePrompt, aspectRatio, durationSeconds, picture } = request
  if (prompt.length > LONGEST_PROMPT) throw tooLong(prompt.length)
  const sentAt = io.now()
  const body = JSON.stringify({
    model: config.model,
    promptText: prompt,
    ratio: RATIOS[aspectRatio],
    duration: durationSeconds,
    audio: config.audio,
    ...(negativePrompt === null ? {} : { negativePrompt }),
    ...(picture === undefined ? {} : { promptImage: dataUri(picture) }),
  })
  const path = picture === undefined ? '/v1/text_to_video' : '/v1/image_to_video'
  const response = await askRaw(context, order, { method: 'POST', path, body })
  const said = jsonOf(response)
  const id = isSuccess(response) ? orderIdIn(said, errorIn(said) !== null) : null
  if (id === null) throw refusal(context, order, response)
  const data = { sentAt: String(sentAt) }
  return { provider: 'runway', accountScope: SCOPE, model: config.model, id, data }
}

/** The service takes up to 5 MB; ours are far smaller. */
const dataUri = (jpeg: Uint8Array): string =>
  `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`

function tooLong(length: number): ProviderError {
  const message = `Runway takes prompts of at most ${LONGEST_PROMPT} characters; this one has ${length}.`
  const fault = { kind: 'invalid-request', field: 'promptText' } as const
  return new ProviderError(fault, acceptanceUnsent('submit'), { message })
}

async function getTask(context: Context, ref: OrderRef, call: Inquiry): Promise<Job> {
  const path = `/v1/tasks/${encodeURIComponent(ref.id)}`
  const response = await askRaw(context, call, { method: 'GET', path })
  const said = jsonOf(response)
  const task = typeof said === 'object' && said !== null ? readJob(said, 'share') : null
  const isTask = isSuccess(response) && task !== null && refusalIn(said, task, ref.id) === null
  if (!isTask) throw refusal(context, call, response)
  return task
}

async function poll(context: Context, ref: OrderRef, call: Inquiry): Promise<PollResult> {
  const { config, io } = context
  const age = { ageMs: ageOf(ref, io.now()), deadlineMs: config.deadlineMs }
  const { credential, signal } = call
  try {
    const task = await getTask(context, ref, call)
    const assets = namedClips(context, task.clips, { policy: policyOf(config), auth: 'none' })
    const { timeScale } = config
    const result = resultOf(task, { ...age, assets, timeScale, ownFault: readFailureCode })
    const [first, ...more] = assets
    const isThere =
      first !== undefined &&
      isWorthAsking(result, age) &&
      (await isClipThere(clipAt(context, first.url, credential), signal))
    const { strangeWord } = result
    const known: PollResult = isThere
      ? { state: 'succeeded', assets: [first, ...more], ...(strangeWord && { strangeWord }) }
      : result
    return cleaned(known, [credential.secret.reveal()])
  } catch (error) {
    throw spacedError(error, config.timeScale)
  }
}

/** Describes a clip for a download. No credential is sent to the host of the clips. */
function clipAt(context: Context, url: string, credential: Credential) {
  const { wire, config } = context
  return {
    wire,
    policy: policyOf(config),
    url,
    credential: null,
    secrets: [credential.secret.reveal()],
    refuse: (response: HttpResponse) => readRefusal('fetch', response, circumstances(context)),
  }
}

/** An expired URL is `asset-gone`: the next poll returns a fresh one. */
async function fetchClip(
  context: Context,
  { asset }: FinishedOrder,
  { credential, into }: Target,
): Promise<{ bytes: number }> {
  if (asset.at !== 'url') throw notAnAssetOf('Runway')
  const { timeScale } = context.config
  return download({ ...clipAt(context, asset.url, credential), into, timeScale })
}

/** Tests a key by reading its organization, which is free of charge. */
async function check(context: Context, call: Inquiry): Promise<void> {
  const response = await askRaw(context, call, { method: 'GET', path: '/v1/organization' })
  if (!isSuccess(response)) throw refusal(context, call, response)
}
