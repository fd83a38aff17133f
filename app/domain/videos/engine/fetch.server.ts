import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import sql from 'sql-template-tag'
import { minutes, seconds } from '~/lib/time'
import { ProviderError } from '~/platform/providers/port'
import { claimAttempt, isDue } from './attempts.server'
import type { EngineCtx, HeldAttempt } from './context'
import { credentialForOrder } from './credentials.server'
import { handleFault, toProviderError, waitForSpace } from './faults.server'
import { completeAttempt, type StoredFile } from './settle.server'
import { hasRoom, isDiskFull } from './space.server'
import { parseAssetRef, parseJobRef } from './stored-json'

const FETCH_LIMITS = { maxBytes: 256 * 1024 * 1024, idleMs: seconds(20) } as const
const FETCH_TIMEOUT_MS = minutes(5)
const STOPPED = new ProviderError({ kind: 'transient' }, 'accepted', {
  message: 'the worker was stopped',
})

/**
 * Copies a finished clip into our storage. The video is completed only when the whole file has been
 * checked and lies safely under its key; until then nothing of it can be seen.
 */
export async function fetchAttempt(ctx: EngineCtx, attemptId: string): Promise<void> {
  const attempt = await claimAttempt(ctx, {
    attemptId,
    from: 'fetching',
    // A retry of this worker's own job may go on at once; another worker's copy is left alone.
    and: sql`(${isDue} or lease_pool = ${ctx.poolId})`,
    set: sql`due_at = engine_now() + ${FETCH_TIMEOUT_MS}::float * interval '1 millisecond'`,
  })
  if (!attempt) return
  if (!(await hasRoom(ctx))) return waitForSpace(ctx, attempt)
  const scratch = await ctx.storage.scratchPath(`${attempt.leaseToken}.part`)
  const poster = await ctx.storage.scratchPath(`${attempt.leaseToken}.jpg`)
  try {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
    const file = await storeClip(ctx, attempt, { scratch, poster, signal })
    await completeAttempt(ctx, attempt, file)
    await ctx.provider.forget?.(parseJobRef(attempt.ref))
  } catch (error) {
    if (isDiskFull(error)) {
      ctx.log.error({ attemptId, err: error }, 'no space left to store a clip')
      await waitForSpace(ctx, attempt)
      return
    }
    // Stopping the worker cuts the inspection short as well; the next one begins the copy anew.
    const fault = ctx.signal.aborted ? STOPPED : toProviderError(error)
    await handleFault(ctx, { attempt, phase: 'fetch', error: fault })
  } finally {
    await Promise.all([scratch, poster].map((path) => fs.rm(path, { force: true })))
  }
}

type Places = { scratch: string; poster: string; signal: AbortSignal }

async function storeClip(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  places: Places,
): Promise<StoredFile> {
  const digest = await download(ctx, attempt, places)
  const inspection = await ctx.inspectClip({
    path: places.scratch,
    posterPath: places.poster,
    signal: places.signal,
  })
  if (!inspection.ok) {
    const evidence = { message: `the clip is not a whole MP4: ${inspection.reason}` }
    throw new ProviderError({ kind: 'transient' }, 'accepted', evidence)
  }
  const { facts } = inspection
  // One key an attempt: a second try of the same step replaces its own file and nobody else's.
  const folder = attempt.id.slice(-2)
  const posterKey = facts.poster ? `${folder}/${attempt.id}.jpg` : null
  if (posterKey) await ctx.storage.commit(places.poster, posterKey)
  const fileKey = `${folder}/${attempt.id}.mp4`
  await ctx.storage.commit(places.scratch, fileKey)
  return { fileKey, posterKey, durationMs: Math.round(facts.durationMs), ...digest }
}

type Digest = Pick<StoredFile, 'bytes' | 'sha256' | 'crc32'>

async function download(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  { scratch, signal }: Places,
): Promise<Digest> {
  const hash = createHash('sha256')
  let checksum = 0
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      checksum = crc32(chunk, checksum)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const credential = await credentialForOrder(ctx, attempt)
  // Opened here: a stream that opens its file late would make it again after it was removed.
  const file = await fs.open(scratch, 'w')
  const written = pipeline(meter, file.createWriteStream(), { signal })
  const job = { ref: parseJobRef(attempt.ref), asset: parseAssetRef(attempt.asset) }
  const into = { sink: meter, signal, ...FETCH_LIMITS }
  const fetched = ctx.provider.fetch(job, credential, into)
  fetched.catch((error: unknown) => meter.destroy(error instanceof Error ? error : undefined))
  const [outcome] = await Promise.allSettled([fetched, written])
  if (outcome.status === 'rejected') throw outcome.reason
  await written
  return { bytes, sha256: hash.digest('hex'), crc32: checksum }
}
