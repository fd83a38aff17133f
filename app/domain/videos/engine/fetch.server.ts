import { minutes, seconds } from '~/lib/time'
import { ProviderError, providerErrorOrThrow } from '~/platform/providers/port'
import { smallWebpOf, webpOf } from '~/lib/poster-files'
import type { StorageTrouble } from '../types'
import { runStep } from './attempts.server'
import { openIncoming, type IncomingClip } from './clip-file.server'
import type { EngineCtx, LeasedAttempt } from './context'
import { credentialOf } from './credentials.server'
import { retryStep } from './ask-again.server'
import { handleFault } from './faults.server'
import { noteClip, subjectOf } from './breaker.server'
import { closeForStorage } from './close-gate.server'
import type { RunningStep } from './leases'
import { throughOutage } from './outage'
import { completeAttempt, type StoredFile } from './settle.server'
import { findStorageTrouble, storageTrouble } from './storage-trouble.server'
import { hostOf, parseAssetRef, parseOrderRef } from './stored-json'

const FETCH_LIMITS = { maxBytes: 256 * 1024 * 1024, idleMs: seconds(20) } as const
/** Longer than any pause that the limits of a download allow. */
const PATIENCE_MS = minutes(2)
/**
 * Inspection and storage have their own limits but report no progress, so a timer extends the
 * lease.
 */
const TOUCH_EVERY_MS = seconds(10)
const STOPPED = new ProviderError({ kind: 'transient' }, 'accepted', {
  message: 'the worker was stopped',
})
/** The download is complete but is not a playable clip. */
class BrokenClip extends ProviderError {
  constructor(reason: string) {
    const message = `the clip is not a whole MP4: ${reason}`
    super({ kind: 'permanent', reason: 'broken-clip' }, 'accepted', { message })
  }
}

/**
 * Downloads a finished clip and stores it. The video is completed only when the whole file has been
 * checked and stored under its key; until then no part of it is visible. Partial downloads are kept
 * on this machine for the next try.
 */
export async function fetchAttempt(engine: EngineCtx, attemptId: string): Promise<void> {
  const step = { attemptId, from: 'fetching', patienceMs: PATIENCE_MS } as const
  await runStep(engine, step, async (ctx, attempt, running) => {
    const known = await findStorageTrouble(ctx)
    if (known) return waitForStorage(ctx, attempt, known)
    const clip = await openIncoming(ctx.storage, { attemptId, ...attempt })
    try {
      const file = await storeClip(ctx, { attempt, running, clip })
      await throughOutage(() => completeAttempt(ctx, attempt, file), running)
      await noteClip(ctx, {
        account: attempt.account,
        host: hostOf(parseAssetRef(attempt.asset)),
        subject: subjectOf(attempt),
        hasWaited: attempt.stepTries > 0,
      })
    } catch (error) {
      await failed(ctx, { attempt, clip, error })
    } finally {
      await clip.discard()
    }
  })
}

type Fetching = { attempt: LeasedAttempt; running: RunningStep; clip: IncomingClip }

async function storeClip(
  ctx: EngineCtx,
  { attempt, running, clip }: Fetching,
): Promise<StoredFile> {
  if (!clip.isWhole) await download(ctx, { attempt, running, clip })
  running.touch()
  const touching = setInterval(running.touch, TOUCH_EVERY_MS)
  try {
    return await checkAndCommit(ctx, attempt, clip)
  } finally {
    clearInterval(touching)
  }
}

async function checkAndCommit(
  ctx: EngineCtx,
  attempt: LeasedAttempt,
  clip: IncomingClip,
): Promise<StoredFile> {
  const inspection = await ctx.inspectClip({ ...clip, signal: ctx.signal })
  if (!inspection.ok) throw new BrokenClip(inspection.reason)
  clip.isWhole = true
  const { facts } = inspection
  // One key per attempt, so a repeated step replaces only its own file.
  const folder = attempt.id.slice(-2)
  const posterKey = facts.poster ? `${folder}/${attempt.id}.jpg` : null
  if (posterKey) {
    for (const name of [webpOf, smallWebpOf])
      await ctx.storage.commit(name(clip.posterPath), name(posterKey))
    await ctx.storage.commit(clip.posterPath, posterKey)
  }
  const fileKey = `${folder}/${attempt.id}.mp4`
  await ctx.storage.commit(clip.path, fileKey)
  return { fileKey, posterKey, durationMs: Math.round(facts.durationMs), ...clip.digest() }
}

async function download(ctx: EngineCtx, { attempt, running, clip }: Fetching): Promise<void> {
  const job = { ref: parseOrderRef(attempt.ref), asset: parseAssetRef(attempt.asset) }
  // Each chunk that arrives extends the lease.
  const write = (chunk: Uint8Array) => {
    running.touch()
    return clip.write(chunk)
  }
  await ctx.provider.fetch(job, credentialOf(ctx, attempt), {
    ...FETCH_LIMITS,
    file: { ...clip, write },
    signal: ctx.signal,
  })
}

type Failed = { attempt: LeasedAttempt; clip: IncomingClip; error: unknown }

async function failed(ctx: EngineCtx, { attempt, clip, error }: Failed): Promise<void> {
  const trouble = storageTrouble(error)
  if (trouble) {
    ctx.log.error({ attemptId: attempt.id, err: error }, 'a clip could not be stored')
    await clip.keep(clip.isWhole)
    return waitForStorage(ctx, attempt, trouble)
  }
  // Stopping the worker aborts the inspection too. Downloaded bytes are kept.
  const fault = ctx.signal.aborted ? STOPPED : providerErrorOrThrow(error)
  if (fault.fault.kind === 'transient') await clip.keep(clip.isWhole)
  await handleFault(ctx, { attempt, phase: 'fetch', error: fault })
}

/**
 * Reschedules the download after a storage problem, which is our fault and not the provider's.
 * While there is no room or the storage is unavailable, the clip waits and the deadline is extended
 * by each pause.
 */
async function waitForStorage(
  ctx: EngineCtx,
  attempt: LeasedAttempt,
  trouble: StorageTrouble,
): Promise<void> {
  const delayMs = await ctx.db.transaction((tx) => closeForStorage(ctx, tx, trouble))
  const pause = { delayMs, counts: true, extendsDeadline: true }
  await retryStep(ctx, { attempt, phase: 'fetch' }, pause)
}
