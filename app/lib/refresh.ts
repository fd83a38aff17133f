/** Seconds between two loads of a page that shows videos being made. */
export const REFRESH_SECONDS = 5
