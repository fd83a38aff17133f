// Limits of an uploaded picture, which pages name.

export const PICTURE_MEGABYTES = 10
export const PICTURE_BYTES = PICTURE_MEGABYTES * 1024 * 1024
export const PICTURE_MEGAPIXELS = 40

/** Whether videos can be made from pictures here, or why not. */
export type Pictures = 'on' | 'off' | 'not-by-model' | 'not-installed'

/** The clip at whose end a new video begins. */
export type ContinuedClip = { id: string; prompt: string }
