import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { newId } from '~/lib/ids'
import { nullIfMissing } from '~/platform/storage/port'
import type { Deps, UserCtx } from '../../context'
import { AppError } from '../../errors'
import { getStoredClip } from '../queries.server'
import { picturesOf } from './picture-video.server'

/** Returns whether a new video can begin where a clip ends. */
export const canContinue = (ctx: Deps): boolean =>
  picturesOf(ctx) === 'on' && ctx.lastPicture !== null

/**
 * Returns the last picture of a clip that the actor sees, as a JPEG. Throws NOT_FOUND, CONFLICT if the
 * video is not finished or its last picture cannot be read, and the storage's errors.
 */
export async function readLastPicture(ctx: UserCtx, videoId: string): Promise<Buffer> {
  const { storage, lastPicture } = ctx
  const { fileKey } = await getStoredClip(ctx, videoId)
  const local = storage.localPath(fileKey)
  const copy = local ?? (await storage.scratchPath(`${newId()}.clip`))
  try {
    const jpeg = await nullIfMissing(async () => {
      if (local === null) await pipeline(await storage.open(fileKey), createWriteStream(copy))
      return lastPicture?.(copy) ?? null
    })
    if (jpeg !== null) return jpeg
  } finally {
    if (local === null) await fs.rm(copy, { force: true })
  }
  throw new AppError('CONFLICT', 'The last picture of this clip cannot be read')
}
