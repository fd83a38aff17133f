import type { AspectRatio } from '~/domain/videos/types'

/** Classes that give an element the shape of a video. */
export const RATIO_CLASS = {
  portrait: 'aspect-[9/16]',
  landscape: 'aspect-[16/9]',
} as const satisfies Record<AspectRatio, string>
