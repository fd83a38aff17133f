/** The toast of a button that needs ticked videos. */
export const NOTHING_SELECTED = { kind: 'error', title: 'No videos selected' } as const
