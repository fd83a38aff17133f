import type { AspectRatio } from '~/domain/videos/types'

/** Classes that give an element the shape of a video. */
export const RATIO_CLASS = {
  portrait: 'aspect-[9/16]',
  landscape: 'aspect-[16/9]',
} as const satisfies Record<AspectRatio, string>

/** Whether some videos are upright and others wide, so that they stand in rows of one height (`.cards-mixed`). */
export const areMixed = (videos: readonly { aspectRatio: AspectRatio }[]): boolean =>
  new Set(videos.map(({ aspectRatio }) => aspectRatio)).size > 1
