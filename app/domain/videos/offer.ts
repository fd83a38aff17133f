import { plural } from '~/lib/figures'
import type { VideoProvider } from '~/platform/providers/port'
import { modelLabel } from './rules'

/** What the clips of a provider are like. */
export type Offer = { model: string; seconds: number; resolution: string; isSilent: boolean }

/** The specification's clip. */
export const USUAL = { seconds: 8, resolution: '720p' }

/** Returns the length in seconds of a provider's clips: the nearest that it has to the one that is set. */
export function clipSecondsOf(
  { can: { durations }, clipSeconds }: Pick<VideoProvider, 'can' | 'clipSeconds'>,
  usual: number,
): number {
  const wish = clipSeconds ?? usual
  return durations.reduce((best, length) =>
    Math.abs(length - wish) < Math.abs(best - wish) ? length : best,
  )
}

/** Says how clips differ from the specification's, or null: they do not. */
export function offerText({ seconds, resolution, isSilent }: Offer): string | null {
  const parts = [
    ...(seconds === USUAL.seconds ? [] : [plural(seconds, 'second')]),
    ...(resolution === USUAL.resolution ? [] : [resolution]),
    ...(isSilent ? ['without sound'] : []),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

/** The same for buyers, who also read which model makes them if it is not that of the first provider. */
export function soldText(offer: Offer, first: Offer): string | null {
  const model = offer.model === first.model ? [] : [`made by ${nameOf(offer.model)}`]
  const text = [offerText(offer) ?? [], model].flat().join(', ')
  return text === '' ? null : `Videos: ${text}`
}

/** An endpoint is named without its owner and its task. */
const nameOf = (model: string): string =>
  modelLabel(model.replace(/^[^/]*\/|\/[^/]*-to-video$/g, '')).replaceAll('/', ' ')
