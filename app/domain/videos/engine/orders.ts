import type { VideoProvider, VideoRequest } from '~/platform/providers/port'
import { clipSecondsOf } from '../offer'
import { eachText, ORDER_TEXTS, TEXT_NAMES } from '../order-fields'
import type { SharedFields } from '../types'

/** What an order is built from. */
export type Ordered = SharedFields & { prompt: string; seed: number }

/** Builds the order for an attempt. Deterministic: the same attempt always gives the same order. */
export function orderOf(
  ordered: Ordered,
  provider: VideoProvider,
  clipSeconds: number,
): VideoRequest {
  const { can } = provider
  const folded = TEXT_NAMES.flatMap((name) => {
    const text = ordered[name]
    const isFolded = can.texts[name] === 'fold-into-prompt' && text !== null
    return isFolded ? [`\n${ORDER_TEXTS[name].foldedAs}: ${text}`] : []
  })
  return {
    ...eachText((name) => (can.texts[name] === 'native' ? ordered[name] : null)),
    prompt: ordered.prompt + folded.join(''),
    aspectRatio: ordered.aspectRatio,
    durationSeconds: clipSecondsOf(provider, clipSeconds),
    seed: ordered.seed,
  }
}
