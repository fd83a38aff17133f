import { pollAfter } from '../http/pace'
import type { AssetRef, PollResult } from '../port'
import { readOperationError } from './errors'
import { parseGcsUri } from './requests'
import { blockedFault, explained, supportCodes } from './safety'
import type { WireOperation, WireResponse, WireVideo } from './wire'

type Reading = { ageMs: number; timeScale: number }

/**
 * Returns the state of an order by the response about its operation. `lost` means that the operation
 * is done but names neither a clip nor a reason: the clip may still be in the bucket.
 */
export function readOperation(
  operation: WireOperation,
  { ageMs, timeScale }: Reading,
): PollResult | 'lost' {
  const { done, error, response } = operation
  const hasFailed = error !== undefined && error !== null
  if (!done && !hasFailed) {
    return { state: 'pending', phase: 'running', pollAfterMs: pollAfter(ageMs, timeScale) }
  }
  if (hasFailed) {
    const message = error.message ?? `operation error ${error.code ?? ''}`
    return {
      state: 'failed',
      fault: readOperationError(error.code, message),
      evidence: { message: explained(message), code: `rpc-${error.code ?? 'unknown'}` },
    }
  }
  const [first, ...more] = videosOf(response ?? {}).flatMap(assetOf)
  if (first !== undefined) return { state: 'succeeded', assets: [first, ...more] }
  return readFiltered(response ?? {}) ?? 'lost'
}

function videosOf(response: WireResponse): readonly WireVideo[] {
  const { videos = [], generatedSamples = [], generatedVideos = [] } = response
  const inside = response.generateVideoResponse?.generatedSamples ?? []
  const samples = [...generatedSamples, ...generatedVideos, ...inside]
  return [...videos, ...samples.flatMap(({ video }) => video ?? [])]
}

function assetOf({ gcsUri, uri = gcsUri }: WireVideo): AssetRef[] {
  const place = parseGcsUri(uri ?? '')
  return place === null ? [] : [{ at: 'gcs', ...place }]
}

/** Detects blocked content, which looks like success: HTTP 200, done, no error, no video. */
function readFiltered(response: WireResponse): PollResult | null {
  const { raiMediaFilteredCount = 0, raiMediaFilteredReasons = [] } = response
  const reasons = [
    ...raiMediaFilteredReasons,
    ...[response.raiErrorMessage, response.raiTextFilteredReason].flatMap((text) => text ?? []),
  ]
  if (raiMediaFilteredCount === 0 && reasons.length === 0) return null
  const message = reasons.join(' ') || 'the provider filtered the clip and gave no reason'
  const { codes } = supportCodes(message)
  return {
    state: 'failed',
    fault: blockedFault(message, 'output') ?? { kind: 'content-blocked', stage: 'output', codes },
    evidence: { message: explained(message), code: 'rai-filtered' },
  }
}
