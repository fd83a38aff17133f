import { answerError, cleaned, isSuccess, jsonOf, unreadable, type Answer } from '../http/answers'
import { ask } from '../http/ask.server'
import { download } from '../http/download.server'
import { ageOf } from '../http/pace'
import { bearerScope, notAnAssetOf } from '../http/scope'
import type { Call, Inquiry, Order, ServiceContext, Target, Traits } from '../http/service.server'
import { serviceProvider } from '../http/service.server'
import { openWire, type Exchange } from '../http/wire.server'
import type { ProviderIo, Stoppable } from '../io'
import type {
  Credential,
  FindResult,
  FinishedJob,
  JobRef,
  LostOrder,
  PollResult,
  ProviderError,
  VideoProvider,
  VideoRequest,
} from '../port'
import { DIALECTS, type OpenAiVideosConfig } from './config'
import { readRefusal } from './errors'
import { meaningOf, readJob } from './jobs'
import { findListed } from './look-up.server'
import { contentUrl, encodeOrder, jobUrl } from './requests'
import { submitAnswer, videoJob, type WireJob } from './wire'

type Context = ServiceContext & {
  config: OpenAiVideosConfig
  accountScope: string
  /** Unknown status values, each logged once. */
  strange: Set<string>
}

type Asked = Pick<Exchange, 'method' | 'body'> & { url: string; headers?: Record<string, string> }

/**
 * Creates the adapter for servers and gateways that implement OpenAI's `/v1/videos`. The protocol
 * has no client-side order ids. After a lost response the order is looked up in the server's list,
 * placed again, or given up, as the operator has configured.
 */
export function openAiVideosProvider(
  config: OpenAiVideosConfig,
  io: ProviderIo,
): VideoProvider & Stoppable {
  const wire = openWire(policyOf(config))
  const accountScope = `openai-videos:${new URL(config.baseUrl).host}`
  const context: Context = { config, io, wire, accountScope, strange: new Set() }
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
    scopeOf: (text) => bearerScope(text, accountScope),
  })
}

const FOLDING = { native: 'native', fold: 'fold-into-prompt', none: 'none' } as const

function capabilities({ seconds, negative, ambiguous, dialect }: OpenAiVideosConfig): Traits {
  return {
    durations: seconds,
    negativePrompt: FOLDING[negative],
    recover: ambiguous === 'list' ? 'list' : 'none',
    ordersAgain: ambiguous === 'resubmit',
    clipsKeptMs: DIALECTS[dialect].clipsKeptMs,
  }
}

function policyOf({ baseUrl, trustedHosts }: OpenAiVideosConfig) {
  return { configured: trustedHosts, documented: [new URL(baseUrl).host] }
}

const bearer = ({ secret }: Credential) => ({ authorization: `Bearer ${secret.reveal()}` })
const secretsOf = ({ secret }: Credential): string[] => [secret.reveal()]

/**
 * Sends one request and returns the response, with any status. Throws ProviderError if none came.
 */
function askRaw(context: Context, { credential, ...purpose }: Call, asked: Asked): Promise<Answer> {
  const { url, headers, ...rest } = asked
  return ask(context.wire, {
    ...rest,
    ...purpose,
    url: new URL(url),
    headers: { ...bearer(credential), ...headers },
    secrets: secretsOf(credential),
  })
}

function refusal(context: Context, { step, credential }: Call, answer: Answer): ProviderError {
  const reading = isSuccess(answer)
    ? unreadable(step, answer)
    : readRefusal(step, answer, context.io.now())
  return answerError({ step, answer, reading, secrets: secretsOf(credential) })
}

async function submit(context: Context, request: VideoRequest, order: Order): Promise<JobRef> {
  const { config, io } = context
  const sentAt = io.now()
  const encoded = await encodeOrder(config, request)
  const answer = await askRaw(context, order, {
    method: 'POST',
    url: `${config.baseUrl}/videos`,
    ...encoded,
  })
  const parsed = submitAnswer.safeParse(jsonOf(answer))
  if (!isSuccess(answer) || !parsed.success) throw refusal(context, order, answer)
  return refOf(context, parsed.data.id, sentAt)
}

function refOf({ config, accountScope }: Context, id: string, sentAt: number): JobRef {
  const data = { sentAt: String(sentAt) }
  return { provider: 'openai-videos', accountScope, model: config.model, id, data }
}

async function poll(context: Context, ref: JobRef, call: Inquiry): Promise<PollResult> {
  const { config, io } = context
  const answer = await askRaw(context, call, { method: 'GET', url: jobUrl(config, ref.id) })
  const job = jobIn(answer, ref.id)
  const isOwn = DIALECTS[config.dialect].host === 'own'
  if (job === null) {
    // Self-hosted servers keep orders in memory. A restart lost this one; ordering again costs only
    // time.
    if (answer.status === 404 && isOwn) return forgotten()
    throw refusal(context, call, answer)
  }
  noteStrange(context, job)
  const result = readJob(job, {
    asset: { at: 'url', url: contentUrl(config, ref.id), auth: 'credential' },
    ageMs: ageOf(ref, io.now()),
    timeScale: config.timeScale,
  })
  const { prompt } = job
  return { ...cleaned(result, secretsOf(call.credential)), ...(prompt && { prompt }) }
}

/** Returns the job in a response, or null. A failed job may come with an error status. */
function jobIn(answer: Answer, id: string): WireJob | null {
  const parsed = videoJob.safeParse(jsonOf(answer))
  if (!parsed.success) return null
  const { data } = parsed
  if (isSuccess(answer)) return data
  const word = meaningOf(data.status)
  return data.id === id && (word === 'failed' || word === 'ended') ? data : null
}

function noteStrange({ strange, io }: Context, { status }: WireJob): void {
  const word = status.toLowerCase().slice(0, 40)
  if (meaningOf(word) !== undefined || strange.has(word) || strange.size > 100) return
  strange.add(word)
  io.note({ status: word }, 'unknown state of a video job; counted as running')
}

function forgotten(): PollResult {
  const evidence = { message: 'the server no longer knows the job', status: 404 }
  return { state: 'failed', fault: { kind: 'transient' }, evidence }
}

async function fetchClip(
  context: Context,
  { asset }: FinishedJob,
  { credential, into }: Target,
): Promise<{ bytes: number }> {
  const { config, wire, io } = context
  if (asset.at !== 'url') throw notAnAssetOf('this provider')
  const { origin } = new URL(config.baseUrl)
  return download({
    wire,
    policy: policyOf(config),
    url: asset.url,
    credential: asset.auth === 'none' ? null : { origin, headers: bearer(credential) },
    secrets: secretsOf(credential),
    into,
    timeScale: config.timeScale,
    refuse: (answer) => readRefusal('fetch', answer, io.now()),
  })
}

async function find(context: Context, attempt: LostOrder, call: Inquiry): Promise<FindResult> {
  const { config, io } = context
  const found = await findListed({
    config,
    attempt,
    now: io.now(),
    page: async (query) => {
      const answer = await askRaw(context, call, {
        method: 'GET',
        url: `${config.baseUrl}/videos${query}`,
      })
      if (!isSuccess(answer)) throw refusal(context, call, answer)
      return answer
    },
  })
  if ('settled' in found) return { found: 'nothing', ...found }
  return { found: 'job', ref: refOf(context, found.id, attempt.sentAt.getTime()) }
}

/** Tests a credential. If a server has no list of models, its list of orders is requested. */
async function check(context: Context, call: Inquiry): Promise<void> {
  const { baseUrl } = context.config
  const models = await askRaw(context, call, { method: 'GET', url: `${baseUrl}/models` })
  const answer =
    models.status === 404
      ? await askRaw(context, call, { method: 'GET', url: `${baseUrl}/videos?limit=1` })
      : models
  if (!isSuccess(answer)) throw refusal(context, call, answer)
}
