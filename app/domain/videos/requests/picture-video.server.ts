import { z } from 'zod'
import { oneOf } from '~/lib/fields'
import type { Fit, Redrawn } from '~/platform/media/port'
import { requireGoodStanding } from '../../accounts/standing.server'
import type { Ctx, Deps, UserCtx } from '../../context'
import { AppError, isAppError } from '../../errors'
import { oncePerKey } from '../../idempotency.server'
import { findStorageTrouble, storageTrouble } from '../engine/storage-trouble.server'
import { linkPictures, storePicture } from '../pictures.server'
import { generateVideoInput, videoReceipt, type VideoReceipt } from '../schemas'
import { ASPECT_RATIOS } from '../types'
import { acceptVideo, generateVideo } from './generate-video.server'
import { sentPicture } from './sent-picture.server'
import {
  NOT_WHOLE_PICTURE,
  PICTURE_BYTES,
  PICTURE_LEAST_SIDE,
  PICTURE_MEGABYTES,
  PICTURE_MEGAPIXELS,
  type Pictures,
} from './pictures'

/** Returns whether the operator offers videos from pictures, and whether they can be made. */
export function picturesOf({ settings, provider, redraw }: Deps): Pictures {
  if (!settings.imageToVideo) return 'off'
  if (!provider.can.takesPictures) return 'not-by-model'
  return redraw === null ? 'not-installed' : 'on'
}

/** Where the frame lies along the side that is cut, in percent from the left or the top. */
const crop = z
  .number({ invalid_type_error: 'The place must be a number' })
  .min(0, 'The place must be between 0 and 100')
  .max(100, 'The place must be between 0 and 100')

/** The form beside its picture. */
export const pictureVideoForm = generateVideoInput.omit({ aspectRatio: true }).extend({
  /** The aspect ratio; by default the one that is nearer to the picture's. */
  frame: oneOf('Aspect ratio', ['nearest', ...ASPECT_RATIOS]).default('nearest'),
  crop: crop.default(50),
})
export type PictureVideoInput = z.output<typeof pictureVideoForm>

/** Returns whether a video with a picture may have one for its end as well. */
export const takesEndPictures = (ctx: Deps): boolean =>
  picturesOf(ctx) === 'on' && ctx.provider.can.takesEndPictures === true

/** Input of the call: a video, and perhaps the pictures with which it begins and ends. */
export const generateVideoCall = generateVideoInput.extend({
  /** `portrait` by default; with a picture, the one that is nearer to the picture's. */
  aspectRatio: generateVideoInput.shape.aspectRatio.removeDefault().optional(),
  picture: sentPicture.optional(),
  endPicture: sentPicture.optional(),
  /** Also as text, which some programs send. `z.coerce` would read '', null and true as 0 or 1. */
  crop: z.preprocess(
    (value) =>
      typeof value === 'string' && /^\d{1,3}(?:\.\d{1,6})?$/.test(value) ? Number(value) : value,
    crop.optional(),
  ),
})

/**
 * Accepts one video of a program, with pictures or without. Throws like the two commands, and BAD_INPUT for
 * a picture of the end alone.
 */
export async function generateFromCall(
  ctx: UserCtx,
  { picture, endPicture, crop: at = 50, aspectRatio, ...texts }: z.output<typeof generateVideoCall>,
  key?: string,
): Promise<VideoReceipt> {
  if (picture === undefined) {
    if (endPicture !== undefined) throw refusedEnd('Send the picture with which it begins as well')
    return generateVideo(ctx, { ...texts, aspectRatio: aspectRatio ?? 'portrait' }, key)
  }
  requirePictures(ctx)
  const input = { ...texts, crop: at, frame: aspectRatio ?? ('nearest' as const) }
  return generateFromPicture(ctx, { input, bytes: picture, endBytes: endPicture }, key)
}

/** Throws BAD_INPUT where there are no videos from pictures: without its picture a video is another one. */
export function requirePictures(ctx: Ctx): void {
  if (picturesOf(ctx) !== 'on') throw refused('Videos from pictures are not offered here')
}

/** The form, its picture, and the one with which the video ends. Undefined: none. */
type PictureVideo = { input: PictureVideoInput; bytes: Buffer; endBytes?: Buffer | undefined }

/**
 * Accepts one video that begins with a picture, and perhaps ends with another one. Each is decoded, fitted
 * into the frame and encoded again; nothing else of its file is kept. The one of the end is cut in the
 * middle. Throws BAD_INPUT for what is no picture or too large, and for a picture of the end where the model
 * takes none; UNAVAILABLE if they cannot be stored, and like `generateVideo`.
 */
export async function generateFromPicture(
  ctx: UserCtx,
  { input, bytes, endBytes }: PictureVideo,
  key?: string,
): Promise<VideoReceipt> {
  const { crop, frame, ...texts } = input
  if (endBytes !== undefined && !takesEndPictures(ctx)) throw refusedEnd(NO_END_PICTURES)
  // Before the work: an account that may not order has nothing stored.
  await ctx.db.transaction((tx) => requireGoodStanding(ctx, tx))
  const { jpeg, hash, isWide } = await fitted(ctx, bytes, { ratio: frame, at: crop / 100 })
  const aspectRatio = isWide ? ('landscape' as const) : ('portrait' as const)
  const end = endBytes === undefined ? null : await fittedEnd(ctx, endBytes, aspectRatio)
  const pictureId = await stored(ctx, jpeg)
  const endPictureId = end === null ? null : await stored(ctx, end.jpeg)
  const video = { ...texts, aspectRatio, reason: 'generate' as const }
  const hashes = end === null ? [hash] : [hash, end.hash]
  const order = { key, request: ['picture', video, ...hashes], result: videoReceipt }
  return oncePerKey(ctx, order, async (tx) => {
    const receipt = await acceptVideo(ctx, tx, video)
    await linkPictures(tx, receipt.id, { pictureId, endPictureId })
    return receipt
  })
}

/** What is said where only the beginning of a video can have a picture. */
export const NO_END_PICTURES = 'The video model takes no picture for the end of a video'

/** Fits the picture of the end. Its errors belong to its own field. */
async function fittedEnd(ctx: UserCtx, bytes: Buffer, ratio: Fit['ratio']): Promise<Fitted> {
  try {
    return await fitted(ctx, bytes, { ratio, at: 0.5 })
  } catch (error) {
    throw isAppError(error) && error.code === 'BAD_INPUT' ? refusedEnd(error.message) : error
  }
}

const refusedEnd = (problem: string) =>
  new AppError('BAD_INPUT', problem, { fields: { endPicture: [problem] } })

type Fitted = Extract<Redrawn, { ok: true }>

/** Returns a picture cut to the frame of a video. Throws BAD_INPUT for what is none or too large. */
export async function fitted({ redraw, actor }: UserCtx, bytes: Buffer, fit: Fit): Promise<Fitted> {
  if (bytes.length === 0) throw refused('Please choose a picture')
  if (bytes.length > PICTURE_BYTES) {
    throw refused(`The picture can have at most ${PICTURE_MEGABYTES} MB`)
  }
  const redrawn =
    redraw === null ? null : await redraw(bytes, { of: 'video', caller: actor.id, fit })
  if (redrawn?.ok) return redrawn
  if (redrawn?.why === 'too-many-pixels') {
    throw refused(`The picture can have at most ${PICTURE_MEGAPIXELS} megapixels`)
  }
  if (redrawn?.why === 'too-small') {
    throw refused(`The picture must be at least ${PICTURE_LEAST_SIDE} pixels wide and high`)
  }
  if (redrawn?.why === 'not-whole') throw refused(NOT_WHOLE_PICTURE)
  throw refused('This is not a JPEG, PNG or WebP picture that can be read')
}

const refused = (problem: string) =>
  new AppError('BAD_INPUT', problem, { fields: { picture: [problem] } })

const stored = (ctx: UserCtx, jpeg: Uint8Array): Promise<string> =>
  whileStorageWorks(ctx, () => storePicture(ctx, jpeg))

/** Stores pictures. Throws UNAVAILABLE if there is no room or the storage is away. */
export async function whileStorageWorks<T>(ctx: UserCtx, store: () => Promise<T>): Promise<T> {
  if (await findStorageTrouble(ctx)) throw noRoom()
  try {
    return await store()
  } catch (error) {
    throw storageTrouble(error) ? noRoom() : error
  }
}

const noRoom = () =>
  new AppError(
    'UNAVAILABLE',
    'Pictures cannot be stored at the moment. Nothing was charged; try again later.',
  )
