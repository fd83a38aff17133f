/** The id of the objects of the examples. */
export const SOME_ID = '01a203ac-9e11-7c3a-8f55-2f6a1d0b4c77'
export const SOME_PHONE = '923001234567'
export const SOME_PASSWORD = 'a long password'

/** A body that names videos. */
export const SOME_VIDEOS = { videoIds: [SOME_ID] }
