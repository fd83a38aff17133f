import type { VideoProvider, VideoRequest } from '~/platform/providers/port'
import type { LeasedAttempt } from './context'

/** Returns the provider's clip length nearest to the configured one, in seconds. */
function nearestDuration(durations: readonly [number, ...number[]], wish: number): number {
  return durations.reduce((best, length) =>
    Math.abs(length - wish) < Math.abs(best - wish) ? length : best,
  )
}

/** Builds the order for an attempt. Deterministic: the same attempt always gives the same order. */
export function orderOf(
  attempt: Pick<LeasedAttempt, 'prompt' | 'negativePrompt' | 'aspectRatio' | 'seed'>,
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
