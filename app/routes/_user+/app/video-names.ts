/** Marks the panel of the followed video in the server's page. */
export const VIDEO_PANEL_ID = 'followed-video'
/** Shown in place of a video. */
export const NO_VIDEO = 'Your video will appear here'
