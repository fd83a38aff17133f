import { createHash } from 'node:crypto'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { requireGoodStanding } from '../accounts/standing.server'
import { oncePerKey } from '../idempotency.server'
import { storeForBatch, type NewPicture } from '../videos/requests/draft-pictures.server'
import { requirePictures, takesEndPictures } from '../videos/requests/picture-video.server'
import { nameKey, PICTURE_BYTES, PICTURE_MEGABYTES } from '../videos/requests/pictures'
import { readBase64 } from '../videos/requests/sent-picture.server'
import { picturesOfLines } from './batch-pictures.server'
import { assignPictures, type NamedLine } from './picture-names'
import { batchReceipt, type BatchReceipt, type StartBatchCall } from './schemas'
import { acceptBatch, startBatch } from './start-batch.server'

/**
 * Starts a batch of a program, whose pictures come with it: one for all prompts, or those that the prompts
 * name. Throws like `startBatch`, BAD_INPUT for pictures that cannot be used or are not clear, and
 * UNAVAILABLE if they cannot be stored.
 */
export async function startBatchFromCall(
  ctx: UserCtx,
  { named, ends, files = [], ...input }: StartBatchCall,
  key?: string,
): Promise<BatchReceipt> {
  const hasNames = named !== undefined || ends !== undefined
  if (!hasNames && files.length === 0) return startBatch(ctx, input, key)
  requirePictures(ctx)
  const pictures = files.map(readFile)
  const lines = input.prompts.map((_, index) => ({
    place: `Prompt ${index + 1}`,
    picture: named?.[index] ?? null,
    endPicture: ends?.[index] ?? null,
  }))
  refuseUnclear(ctx, lines, pictures)
  // Before the work: an account that may not order has nothing stored.
  await ctx.db.transaction((tx) => requireGoodStanding(ctx, tx))
  const stored = await storeForBatch(ctx, pictures)
  const sent = pictures.map(({ name, bytes }) => [name, hashOf(bytes)])
  const order = {
    key,
    request: ['bulk', input, named, sent, ...(ends ? [ends] : [])],
    result: batchReceipt,
  }
  return oncePerKey(ctx, order, (tx) => {
    const found = { lines, found: stored, field: 'prompts' }
    return acceptBatch(ctx, tx, { ...input, pictures: picturesOfLines(ctx, found) })
  })
}

function readFile({ name, data }: { name: string; data: string }): NewPicture {
  const bytes = readBase64(data)
  if (bytes === null) throw refused([`${name}: Send the picture in base64`])
  if (bytes.length > PICTURE_BYTES)
    throw refused([`${name}: The picture can have at most ${PICTURE_MEGABYTES} MB`])
  return { name, bytes }
}

/** Throws BAD_INPUT before anything is decoded. A picture that no prompt names is a mistake of the program. */
function refuseUnclear(
  ctx: UserCtx,
  lines: readonly NamedLine[],
  pictures: readonly NewPicture[],
): void {
  const names = pictures.map(({ name }) => name)
  if (new Set(names.map(nameKey)).size < names.length)
    throw refused(['Two pictures have the same name'])
  const { problems, unused } = assignPictures(lines, { names, takesEnds: takesEndPictures(ctx) })
  const all = [...problems, ...unused.map((name) => `No prompt names the picture ${name}`)]
  if (all.length > 0) throw refused(all)
}

const refused = (problems: string[]) =>
  new AppError('BAD_INPUT', problems[0] ?? '', { fields: { pictures: problems } })

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
