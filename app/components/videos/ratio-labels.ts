import type { AspectRatio } from '~/domain/videos/types'

/** The aspect ratios with their figures. */
export const RATIO_LABELS: Readonly<Record<AspectRatio, string>> = {
  portrait: 'Portrait 9:16',
  landscape: 'Landscape 16:9',
}
