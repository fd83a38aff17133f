import { createHash } from 'node:crypto'
import { Refusal, type Exchange, type Reply } from './exchange'
import { google, googleError, googleSpelling, uuidOf } from './google'
import { clipReply, jpegIn, objectIn, textOf } from './json'
import { clipOf, type Order } from './orders'
import type { Call } from './simulation'
import { accountOf, authorise, requireOwner, scriptedError, takeOrder } from './simulation'

// Vertex AI's Veo: predictLongRunning and fetchPredictOperation, and the Cloud Storage to which its
// clips are written.

const PLACE = /^\/v1(?:beta1)?\/projects\/([^/]+)\/locations\/([^/]+)$/
const MODEL =
  /^\/v1(?:beta1)?\/(projects\/([^/]+)\/locations\/([^/]+)\/publishers\/google\/models\/([^/:]+)):(predictLongRunning|fetchPredictOperation)$/
const OPERATION = /^\/v1(?:beta1)?\/projects\/.+\/operations\/[^/]+$/
const OBJECTS = /^\/storage\/v1\/b\/([^/]+)\/o$/
const OBJECT = /^\/storage\/v1\/b\/([^/]+)\/o\/([^/]+)$/

export type Place = { resource: string; project: string; location: string; model: string }

export function modelCall(pathname: string): (Place & { method: string }) | null {
  const parts = MODEL.exec(pathname)
  if (parts === null) return null
  const [, resource = '', project = '', location = '', model = '', method = ''] = parts
  return { resource, project, location, model: decodeURIComponent(model), method }
}
export const isPlace = (pathname: string) => PLACE.test(pathname)
export const isOperation = (pathname: string) => OPERATION.test(pathname)
export const isObjects = (pathname: string) => OBJECTS.test(pathname)
export const isObject = (pathname: string) => OBJECT.test(pathname)

export const operationIdOf = (name: unknown): string => String(name).split('/operations/')[1] ?? ''

const callOf = (exchange: Exchange): Call => ({ ...exchange, spelling: googleSpelling })

const invalid = (message: string): Refusal => new Refusal(googleError(400, { message }))
const unknownName = (name: string, at: string): Refusal =>
  invalid(
    `Invalid JSON payload received. Unknown name "${name}"${at === '' ? '' : ` at '${at}'`}: Cannot find field.`,
  )

function knownOnly(value: object, known: readonly string[], at: string): void {
  for (const name of Object.keys(value)) if (!known.includes(name)) throw unknownName(name, at)
}

type Wish = {
  prompt: string
  negativePrompt: string | null
  picture: Buffer | null
  endPicture: Buffer | null
  seconds: number
  width: number
  height: number
  folder: { bucket: string; prefix: string } | null
  attempt: string | null
}

const isOneOf = (value: unknown, list: readonly unknown[]) =>
  value === undefined || list.includes(value)

function parametersOf(given: unknown): Record<string, unknown> {
  if (given === undefined) return {}
  if (typeof given !== 'object' || given === null) throw invalid('parameters must be an object')
  const parameters = given as Record<string, unknown>
  knownOnly(
    parameters,
    [
      'sampleCount',
      'durationSeconds',
      'aspectRatio',
      'resolution',
      'negativePrompt',
      'personGeneration',
      'generateAudio',
      'seed',
      'storageUri',
    ],
    'parameters',
  )
  const { sampleCount, durationSeconds, aspectRatio, resolution, seed } = parameters
  const { generateAudio, negativePrompt } = parameters
  if (!isOneOf(sampleCount, [1, 2, 3, 4])) throw invalid('sampleCount must be between 1 and 4')
  if (!isOneOf(durationSeconds, [4, 6, 8])) {
    throw invalid(
      `Unsupported output video duration ${JSON.stringify(durationSeconds)} seconds, supported durations are [8,4,6] for feature text_to_video.`,
    )
  }
  if (!isOneOf(aspectRatio, ['16:9', '9:16'])) throw invalid('aspectRatio must be 16:9 or 9:16')
  if (!isOneOf(resolution, ['720p', '1080p', '4k'])) throw invalid('unsupported resolution')
  if (!isOneOf(typeof generateAudio, ['undefined', 'boolean'])) {
    throw invalid('generateAudio must be a boolean')
  }
  if (!isOneOf(typeof negativePrompt, ['undefined', 'string'])) {
    throw invalid('negativePrompt must be a string')
  }
  const isSeed =
    seed === undefined || (Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) < 2 ** 32)
  if (!isSeed) throw invalid('seed must be an unsigned 32 bit number')
  return parameters
}

function labelsOf(given: unknown): Record<string, string> {
  const labels = (given ?? {}) as Record<string, string>
  for (const [name, value] of Object.entries(labels)) {
    const isGood = /^[a-z][a-z0-9_-]{0,62}$/.test(name) && /^[a-z0-9_-]{0,63}$/.test(value)
    if (!isGood) throw invalid(`invalid label ${name}`)
  }
  return labels
}

function wishOf({ incoming }: Exchange): Wish {
  const body = objectIn(incoming)
  if (body === null) throw invalid('Invalid JSON payload received. Expected an object.')
  knownOnly(body, ['instances', 'parameters', 'labels'], '')
  const instances = Array.isArray(body.instances) ? (body.instances as unknown[]) : []
  const [instance] = instances
  if (instances.length !== 1 || typeof instance !== 'object' || instance === null) {
    throw invalid('instances must hold exactly one instance')
  }
  knownOnly(instance, ['prompt', 'image', 'lastFrame'], 'instances[0]')
  const { prompt, image, lastFrame } = instance as Record<string, unknown>
  if (lastFrame !== undefined && image === undefined) throw invalid('lastFrame needs an image')
  if (typeof prompt !== 'string' || prompt === '') throw invalid('The prompt must not be empty.')
  const parameters = parametersOf(body.parameters)
  const folder = folderOf(parameters.storageUri)
  const portrait = parameters.aspectRatio === '9:16'
  const { negativePrompt } = parameters
  return {
    prompt,
    negativePrompt: typeof negativePrompt === 'string' ? negativePrompt : null,
    picture: image === undefined ? null : pictureOf(image),
    endPicture: lastFrame === undefined ? null : pictureOf(lastFrame),
    seconds: Number(parameters.durationSeconds ?? 8),
    width: portrait ? 720 : 1280,
    height: portrait ? 1280 : 720,
    folder,
    attempt: labelsOf(body.labels).attempt ?? folder?.prefix.split('/').at(-2) ?? null,
  }
}

function pictureOf(image: unknown): Buffer {
  if (typeof image !== 'object' || image === null) throw invalid('image must be an object')
  knownOnly(image, ['bytesBase64Encoded', 'mimeType', 'gcsUri'], 'instances[0].image')
  const { bytesBase64Encoded, mimeType } = image as Record<string, unknown>
  if (mimeType !== 'image/jpeg') throw invalid('Unsupported mimeType of the image')
  const bytes = jpegIn(bytesBase64Encoded)
  if (bytes === null) throw invalid('The image cannot be decoded')
  return bytes
}

function folderOf(storageUri: unknown): Wish['folder'] {
  if (storageUri === undefined) return null
  const parts = /^gs:\/\/([a-z0-9._-]+)\/(.*)$/.exec(textOf(storageUri))
  if (parts === null) throw invalid(`Invalid storageUri: ${textOf(storageUri)}`)
  const [, bucket = '', path = ''] = parts
  return { bucket, prefix: path === '' || path.endsWith('/') ? path : `${path}/` }
}

/** `POST …:predictLongRunning`: creates an order. */
export async function submit(exchange: Exchange, place: Place): Promise<Reply> {
  const { simulation, action } = exchange
  const call = callOf(exchange)
  const token = authorise(call)
  if (simulation.scenario.goneModels.includes(place.model)) {
    throw new Refusal(
      googleError(404, {
        message: `Publisher Model \`${place.resource}\` was not found or your project does not have access to it. Please ensure you are using a valid model version.`,
      }),
    )
  }
  const account = accountOf(call, token, place.project)
  if (account !== place.project) {
    throw new Refusal(
      googleSpelling.forbidden('IAM_PERMISSION_DENIED', `Permission denied on ${place.resource}`),
    )
  }
  const { attempt, ...wish } = wishOf(exchange)
  const order = await takeOrder(call, action, {
    ...wish,
    id: (number) => uuidOf(`operation ${number}`),
    dialect: 'vertex',
    attemptId: attempt,
    account,
    token,
    model: place.model,
  })
  exchange.accepted = true
  exchange.orderId = order.id
  return google(200, { name: nameOf(place, order) })
}

const nameOf = ({ resource }: Place, { id }: Order) => `${resource}/operations/${id}`

/** `POST …:fetchPredictOperation`: returns the state of an order. */
export async function poll(exchange: Exchange, place: Place): Promise<Reply> {
  const { simulation, action, incoming } = exchange
  const call = callOf(exchange)
  const token = authorise(call)
  await simulation.pause(action.latencyMs ?? simulation.scenario.defaults.pollLatencyMs)
  const error = scriptedError(call, action)
  if (error) return error
  const body = objectIn(incoming) ?? {}
  knownOnly(body, ['operationName'], '')
  const name = String(body.operationName)
  if (name.split('/operations/')[0] !== place.resource) {
    throw invalid(`The operation ${name} does not belong to ${place.resource}`)
  }
  const order = simulation.orders.find(operationIdOf(name))
  if (order === undefined || order.deleted) {
    throw new Refusal(googleError(404, { message: `Operation ${name} was not found.` }))
  }
  exchange.orderId = order.id
  requireOwner(call, order, accountOf(call, token, place.project))
  simulation.orders.notePoll(order, token)
  if (order.outcome === 'forgotten') {
    throw new Refusal(googleError(404, { message: `Operation ${name} was not found.` }))
  }
  if (order.readyAt > simulation.clock.now()) return google(200, { name })
  order.reported = true
  return google(200, { name, done: true, ...endOf(order) })
}

const TYPE = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse'
const OP_MESSAGES: Readonly<Record<number, string>> = {
  3: 'The request could not be processed: invalid argument.',
  7: 'The service agent does not have permission to write to the bucket.',
  8: 'The service is currently experiencing high load and cannot process your request. Please try again later.',
  13: 'Internal error. Please try again.',
  16: 'Request had invalid authentication credentials.',
}

function endOf(order: Order): object {
  const { outcome, action } = order
  switch (outcome) {
    case 'filtered': {
      const code = action.supportCode ?? '42237218'
      const reason = `Veo could not generate 1 videos based on the prompt provided. You will not be charged for this request. Try rephrasing the prompt. If you think this was an error, send feedback. Support codes: ${code}`
      return filtered(action.message ?? reason)
    }
    case 'audio-filtered':
      return filtered(
        'We encountered an issue with the audio for your prompt. Try again or change the prompt. You have not been charged for this attempt.',
      )
    case 'op-error':
    case 'failed': {
      const code = Number(action.code ?? 13)
      return { error: { code, message: action.message ?? OP_MESSAGES[code] ?? 'Internal error.' } }
    }
    case 'cancelled':
      return { error: { code: 1, message: 'The operation was cancelled.' } }
    case 'empty':
      return { response: { '@type': TYPE } }
    default:
      return { response: { '@type': TYPE, ...zeroFiltered(order), videos: [videoOf(order)] } }
  }
}

const filtered = (reason: string) => ({
  response: { '@type': TYPE, raiMediaFilteredCount: 1, raiMediaFilteredReasons: [reason] },
})

/** The field is sometimes missing if nothing was filtered. */
const zeroFiltered = ({ id }: Order) =>
  parseInt(id.slice(0, 2), 16) % 2 === 0 ? {} : { raiMediaFilteredCount: 0 }

function videoOf(order: Order): object {
  if (order.folder === null) {
    order.fetched = true
    return { bytesBase64Encoded: clipOf(order).toString('base64'), mimeType: 'video/mp4' }
  }
  const { bucket } = order.folder
  return { gcsUri: `gs://${bucket}/${objectName(order)}`, mimeType: 'video/mp4' }
}

function objectName({ folder, key }: Order): string {
  const number = BigInt(`0x${key.replaceAll('-', '').slice(0, 15)}`).toString()
  return `${folder?.prefix ?? ''}${number}/sample_0.mp4`
}

/** `GET …/operations/id`: an obvious call that these models do not support. */
export function wrongPoll(exchange: Exchange): Reply {
  authorise(callOf(exchange))
  const id = exchange.incoming.url.pathname.split('/').at(-1)
  return googleError(400, { message: `The Operation ID must be a Long, but was instead: ${id}` })
}

/** `GET …/locations/x`: free of charge, shows whether a token works. */
export function location(exchange: Exchange): Reply {
  const call = callOf(exchange)
  authorise(call)
  const error = scriptedError(call, exchange.action)
  if (error) return error
  const { pathname } = exchange.incoming.url
  const name = pathname.replace(/^\/v1(beta1)?\//, '')
  return google(200, { name, locationId: name.split('/').at(-1) })
}

/** Returns the finished clips in a bucket, even those whose operation was forgotten. */
function storedIn({ simulation }: Exchange, bucket: string): Order[] {
  return simulation.orders
    .all()
    .filter(
      ({ folder, outcome, readyAt }) =>
        folder?.bucket === bucket &&
        (outcome === 'clip' || outcome === 'forgotten') &&
        readyAt <= simulation.clock.now(),
    )
}

const facts = (order: Order, clip: Buffer) => ({
  kind: 'storage#object',
  name: objectName(order),
  bucket: order.folder?.bucket,
  contentType: 'video/mp4',
  size: String(clip.length),
  md5Hash: createHash('md5').update(clip).digest('base64'),
})

/** `GET /storage/v1/b/bucket/o?prefix=`. */
export async function listObjects(exchange: Exchange): Promise<Reply> {
  const { simulation, incoming, action } = exchange
  const call = callOf(exchange)
  authorise(call)
  await simulation.pause(action.latencyMs ?? simulation.scenario.defaults.pollLatencyMs)
  const error = scriptedError(call, action)
  if (error) return error
  const bucket = decodeURIComponent(OBJECTS.exec(incoming.url.pathname)?.[1] ?? '')
  const prefix = incoming.url.searchParams.get('prefix') ?? ''
  const most = Number(incoming.url.searchParams.get('maxResults') ?? 1_000)
  const items = storedIn(exchange, bucket)
    .filter((order) => objectName(order).startsWith(prefix))
    .slice(0, most)
    .map((order) => facts(order, clipOf(order)))
  return google(200, { kind: 'storage#objects', ...(items.length > 0 ? { items } : {}) })
}

/** Returns the order whose clip a path names, for the rules, before any check. */
export function orderOfObject(
  exchange: Pick<Exchange, 'simulation' | 'incoming'>,
): Order | undefined {
  const parts = OBJECT.exec(exchange.incoming.url.pathname)
  const bucket = decodeURIComponent(parts?.[1] ?? '')
  const name = decodeURIComponent(parts?.[2] ?? '')
  return exchange.simulation.orders
    .all()
    .find((order) => order.folder?.bucket === bucket && objectName(order) === name)
}

/** `GET /storage/v1/b/bucket/o/object`: the metadata, or the bytes with `alt=media`. */
export function getObject(exchange: Exchange): Reply {
  const { simulation, incoming, action } = exchange
  const call = callOf(exchange)
  authorise(call)
  const error = scriptedError(call, action)
  if (error) return error
  const order = orderOfObject(exchange)
  const isThere =
    order !== undefined &&
    ['clip', 'forgotten'].includes(order.outcome) &&
    order.readyAt <= simulation.clock.now()
  if (!isThere || action.fault === 'expired-url') {
    return googleError(404, {
      message: `No such object: ${decodeURIComponent(incoming.url.pathname)}`,
    })
  }
  exchange.orderId = order.key
  const clip = clipOf(order)
  if (incoming.url.searchParams.get('alt') !== 'media') return google(200, facts(order, clip))
  const { md5Hash } = facts(order, clip)
  return clipReply(clip, {
    etag: `"${md5Hash}"`,
    'accept-ranges': 'bytes',
    'x-goog-hash': `crc32c=AAAAAA==,md5=${md5Hash}`,
  })
}
