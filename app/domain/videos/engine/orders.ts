import type { VideoProvider, VideoRequest } from '~/platform/providers/port'
import type { HeldAttempt } from './context'

/** The provider's clip length nearest to the operator's wish, in seconds. */
function nearestDuration(durations: readonly [number, ...number[]], wish: number): number {
  return durations.reduce((best, length) =>
    Math.abs(length - wish) < Math.abs(best - wish) ? length : best,
  )
}

/** What is ordered for an attempt; the same attempt always orders the same. */
export function orderOf(
  attempt: Pick<HeldAttempt, 'prompt' | 'negativePrompt' | 'aspectRatio' | 'seed'>,
  { can }: VideoProvider,
  clipSeconds: number,
): VideoRequest {
  const { prompt, negativePrompt, aspectRatio, seed } = attempt
  const folded = can.negativePrompt === 'fold-into-prompt' && negativePrompt !== null
  return {
    prompt: folded ? `${prompt}\nAvoid: ${negativePrompt}` : prompt,
    negativePrompt: can.negativePrompt === 'native' ? negativePrompt : null,
    aspectRatio,
    durationSeconds: nearestDuration(can.durations, clipSeconds),
    seed,
  }
}
