import { days } from '~/lib/time'
import { defineProvider } from '../definition'
import { responseError, jsonOf, unreadable } from '../http/responses'
import { download } from '../http/download.server'
import { notAnAssetOf } from '../http/scope'
import { serviceProvider, type Inquiry, type Order } from '../http/service.server'
import type { Target, Traits } from '../http/service.server'
import { openWire } from '../http/wire.server'
import type { ProviderIo, Stoppable } from '../io'
import { errorIn } from '../reading/errors'
import type {
  FinishedOrder,
  FindResult,
  OrderRef,
  LostOrder,
  VideoProvider,
  VideoRequest,
} from '../port'
import { accountOf, scopeText } from './account'
import { vertexCalls } from './calls.server'
import { readRefusal } from './errors'
import { pollOperation, toAsset, type Context } from './poll.server'
import { attemptPrefix, listUrl, modelUrl, objectUrl, submitBody } from './requests'
import { secretScope } from './secrets.server'
import { settings, type VertexVeoConfig } from './settings.server'
import { submitResponse } from './wire'

/** Vertex AI, for the registry. */
export const vertexVeo = defineProvider('vertex-veo', settings, vertexVeoProvider)

/**
 * Creates the adapter for Veo 3.1 on Google's Vertex AI. Every attempt writes to a folder
 * of its own in the bucket, in which an order with a lost response is found.
 */
export function vertexVeoProvider(
  config: VertexVeoConfig,
  io: ProviderIo,
): VideoProvider & Stoppable {
  const wire = openWire(policyOf(config))
  const context: Context = { config, io, wire, calls: vertexCalls(config, wire, io) }
  return serviceProvider(context, {
    kind: 'vertex-veo',
    can: {
      ...CAPABILITIES,
      takesEndPictures: config.model.startsWith('veo-3.1'),
      clip: { isSilent: !config.generateAudio },
    },
    steps: {
      submit,
      poll: pollOperation,
      fetch: fetchClip,
      find,
      check,
    },
    scopeOf: (text) => secretScope(config, text),
  })
}

/** The bucket is the operator's own; docs/providers.md asks for clips to be kept at least so long. */
const KEPT_IN_BUCKET_MS = days(7)

const CAPABILITIES: Traits = {
  durations: [4, 6, 8],
  texts: { negativePrompt: 'native' },
  takesPictures: true,
  recover: 'output-prefix',
  ordersAgain: false,
  // A token names a person or machine; orders belong to the project.
  sharesOrders: true,
  clipsKeptMs: KEPT_IN_BUCKET_MS,
}

function policyOf({ baseUrl, storageUrl, trustedHosts }: VertexVeoConfig) {
  const documented = [baseUrl, storageUrl].map((url) => new URL(url).host)
  return { configured: trustedHosts, documented }
}

async function submit(context: Context, request: VideoRequest, order: Order): Promise<OrderRef> {
  const { config, io, calls } = context
  const { attemptId, credential } = order
  const account = accountOf(credential.accountScope, config)
  const url = `${modelUrl(config, account)}:predictLongRunning`
  const body = submitBody(config, { request, attemptId })
  const sentAt = io.now()
  const response = await calls.askJson(order, { method: 'POST', url, body })
  const parsed = submitResponse.safeParse(jsonOf(response))
  if (!parsed.success) {
    const isRefusal = errorIn(jsonOf(response)) !== null
    const reading = isRefusal
      ? readRefusal('submit', response, io.now())
      : unreadable('submit', response)
    throw responseError({ step: 'submit', response, reading, secrets: [] })
  }
  return {
    provider: 'vertex-veo',
    accountScope: scopeText(account),
    model: config.model,
    id: parsed.data.name,
    data: { sentAt: String(sentAt), folder: folderOf(config, attemptId) },
  }
}

/** Kept with the order, because the settings may name another bucket when it is done. */
const folderOf = (config: VertexVeoConfig, attemptId: string): string =>
  `gs://${config.bucket}/${attemptPrefix(config, attemptId)}`

async function fetchClip(
  context: Context,
  { asset }: FinishedOrder,
  { credential, into }: Target,
): Promise<{ bytes: number }> {
  const { config, calls, wire, io } = context
  const input = { step: 'fetch', credential, signal: into.signal } as const
  if (asset.at !== 'gcs') throw notAnAssetOf('Vertex AI')
  return calls.withToken(input, (token) =>
    download({
      wire,
      policy: policyOf(config),
      url: objectUrl(config, asset.bucket, asset.object),
      credential: { origin: new URL(config.storageUrl).origin, headers: calls.headers(token) },
      secrets: [token],
      into,
      timeScale: config.timeScale,
      refuse: (response) => readRefusal('fetch', response, io.now()),
    }),
  )
}

async function find(context: Context, attempt: LostOrder, input: Inquiry): Promise<FindResult> {
  const { config, calls } = context
  const folder = folderOf(config, attempt.attemptId)
  const [first, ...more] = (await calls.listClips(input, folder)).map(toAsset)
  // A clip appears here only when it is finished. Until then an accepted order looks like none.
  if (first === undefined) return { found: 'nothing', settled: attempt.lostMs >= config.deadlineMs }
  const ref: OrderRef = {
    provider: 'vertex-veo',
    accountScope: attempt.accountScope,
    model: config.model,
    id: folder,
    data: { sentAt: String(attempt.sentAt.getTime()), folder },
  }
  return { found: 'assets', ref, assets: [first, ...more] }
}

/** Tests a token by listing the bucket, as a look-up does. */
async function check({ config, calls }: Context, input: Inquiry): Promise<void> {
  await calls.askJson(input, { method: 'GET', url: listUrl(config, config.prefix, 1) })
}
