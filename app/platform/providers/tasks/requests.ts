import type { VideoRequest } from '../port'
import { objectOf, type JsonObject } from '../reading/json'
import type { OrderRequest, Wish } from './profile'
import type { TasksConfig } from './settings.server'

/** Returns what an attempt asks for. */
export function wishOf(config: TasksConfig, request: VideoRequest, attemptId: string): Wish {
  const { prompt, negativePrompt, aspectRatio, durationSeconds, seed, picture, endPicture } =
    request
  const { model, pictureModel, sound } = config
  return {
    model: picture === undefined ? model : (pictureModel ?? model),
    prompt,
    negativePrompt,
    ratio: aspectRatio === 'portrait' ? '9:16' : '16:9',
    seconds: durationSeconds,
    seed: seed >>> 0,
    sound,
    picture: picture === undefined ? null : dataUri(picture),
    endPicture: endPicture === undefined ? null : dataUri(endPicture),
    attemptId,
  }
}

const dataUri = (jpeg: Uint8Array): string =>
  `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`

/** Returns the request of an order, with the operator's own fields. */
export function orderOf({ profile, extra }: TasksConfig, wish: Wish): OrderRequest {
  const { body, ...request } = profile.order(wish)
  const { extraIn } = profile
  const added =
    extraIn === undefined
      ? withFields(body, extra)
      : { ...withFields(body, {}), [extraIn]: withFields(objectOf(body[extraIn]), extra) }
  return { ...request, body: added }
}

/** Returns what a list may repeat of an order. */
export function inputOf(config: TasksConfig, wish: Wish): JsonObject {
  const { body } = orderOf(config, wish)
  const { extraIn } = config.profile
  return extraIn === undefined ? body : objectOf(body[extraIn])
}

/** Returns the resolution that orders name. Undefined: the service decides. */
export function resolutionOf(config: TasksConfig): string | undefined {
  const [seconds] = config.seconds
  const wish: Wish = {
    model: config.model,
    prompt: '',
    negativePrompt: null,
    ratio: '9:16',
    seconds,
    seed: 0,
    sound: config.sound,
    picture: null,
    endPicture: null,
    attemptId: '',
  }
  const { body } = orderOf(config, wish)
  const fields = [body, ...Object.values(body).map(objectOf)]
  const named = fields.map(({ resolution }) => resolution).find((one) => typeof one === 'string')
  return typeof named === 'string' ? named.toLowerCase() : undefined
}

/** Null removes a field. */
const withFields = (body: JsonObject, extra: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ ...body, ...extra }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  )
