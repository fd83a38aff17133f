/** What is said when a single video is done (specification §3). */
export const VIDEO_READY = 'Video ready!'

/** The state of a history entry whose preview was opened because its video has just been made. */
export const JUST_READY = 'just-ready'
